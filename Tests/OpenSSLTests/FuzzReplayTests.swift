import TestSupport
import Testing

/// What the fuzzers start from, and what they once broke, through the same functions.
@Suite struct FuzzReplayTests {
    private func replay(_ name: String, _ target: FuzzReplay.Target) throws {
        let results = try FuzzReplay.run(name, target)
        expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        #expect(results.count > 3, "the corpus of \(name) is not where it should be")
    }

    @Test func `Signed files`() throws { try replay("FuzzCMS", fuzzCMS) }
    @Test func `TLS sessions`() throws { try replay("FuzzTLS", fuzzTLS) }
}
