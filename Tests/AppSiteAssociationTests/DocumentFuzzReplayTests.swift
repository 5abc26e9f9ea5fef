import TestSupport
import Testing

/// What the fuzzers of documents start from, and what they once broke, through the same functions.
@Suite struct DocumentFuzzReplayTests {
    private func replay(_ name: String, _ target: FuzzReplay.Target) throws {
        let results = try FuzzReplay.run(name, target)
        expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        #expect(results.count > 5, "the corpus of \(name) is not where it should be")
    }

    @Test func json() throws { try replay("FuzzJSON", fuzzJSON) }
    @Test func entitlements() throws { try replay("FuzzEntitlements", fuzzEntitlements) }

    @Test func publishedFiles() throws {
        for (folder, target) in [("aasa", fuzzJSON), ("entitlements", fuzzEntitlements)] {
            let results = try FuzzReplay.run(Corpus.files(in: folder), target)
            expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        }
    }
}
