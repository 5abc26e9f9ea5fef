import TestSupport
import Testing

/// What the fuzzers start from, and what they once broke, through the same functions.
@Suite(.serialized) struct FuzzReplayTests {
    @Test func `The light client`() throws {
        let results = try FuzzReplay.run("FuzzLight", fuzzLight)
        #expect(results.filter { !$0.isGood }.map(\.file) == [])
        #expect(results.count > 3, "the corpus of FuzzLight is not where it should be")
    }
}
