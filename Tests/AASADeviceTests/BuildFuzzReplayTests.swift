import TestSupport
import Testing

/// What the fuzzer of builds starts from, and what it once broke, through the same function.
@Suite struct BuildFuzzReplayTests {
    @Test func builds() throws {
        let results = try FuzzReplay.run("FuzzBuild", fuzzBuild)
        expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        #expect(results.count > 3, "the corpus is not where it should be")
    }
}
