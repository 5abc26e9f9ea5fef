import TestSupport
import Testing

/// What the fuzzers start from, and what they once broke, through the same functions.
struct FuzzReplayTests {
    private func replay(_ name: String, _ target: FuzzReplay.Target) throws {
        let results = try FuzzReplay.run(name, target)
        expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        #expect(results.count > 10, "the corpus of \(name) is not where it should be")
    }

    @Test func `HTTP1 parsers`() throws { try replay("FuzzHTTP1", fuzzHTTP1) }
    @Test func `HTTP2 sessions`() throws { try replay("FuzzHTTP2", fuzzHTTP2) }
}
