// Covers: ProxyHeader.swift
import TestSupport
import Testing

/// What the fuzzer of the PROXY protocol starts from, and what it once broke.
@Suite struct ProxyFuzzReplayTests {
    @Test func `Headers of fronts`() throws {
        let results = try FuzzReplay.run("FuzzProxy", fuzzProxy)
        expectEqual(results.filter { !$0.isGood }.map(\.file), [])
        #expect(results.count > 3, "the corpus of FuzzProxy is not where it should be")
    }
}
