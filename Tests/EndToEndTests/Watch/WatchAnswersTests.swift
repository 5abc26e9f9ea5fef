import TestSupport
import Testing

@Suite struct WatchAnswersTests {
    @Test func answersItsTwoPathsAndNothingElse() throws {
        let watcher = try Watcher(try WatchedHosts(["good.test": .good]))
        try watcher.wait { (try? $0.ask("/metrics").hasPrefix("HTTP/1.1 200")) == true }
        #expect(try watcher.ask("/healthz").hasPrefix("HTTP/1.1 200"))
        let none = try watcher.ask("/")
        #expect(none.hasPrefix("HTTP/1.1 404") && none.contains("only /healthz and /metrics"))
        expectEqual(watcher.end(), 0)
    }
}
