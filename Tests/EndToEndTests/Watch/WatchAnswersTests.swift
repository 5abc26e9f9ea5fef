import Foundation
import TestSupport
import Testing

@Suite struct WatchAnswersTests {
    /// More than one thread can look at in their time: the watcher says so itself.
    @Test func isNotReadyWhenItFallsBehind() throws {
        let silent = (0..<5).map { ("silent\($0).test", WatchedHosts.Manner.silent) }
        let hosts = try WatchedHosts(Dictionary(uniqueKeysWithValues: silent))
        let watcher = try Watcher(hosts, try WebhookReceiver(), ["--parallel", "1"])
        try watcher.wait { (try? $0.ask("/readyz").contains(" s too late")) == true }
        let answer = try watcher.ask("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("--parallel"), "\(answer)")
        #expect(try watcher.ask("/healthz").hasPrefix("HTTP/1.1 200"))
        #expect(try watcher.ask("/metrics").contains("\naasa_watch_ready 0\n"))
        #expect(watcher.end() == 0)
    }

    @Test func answersItsFivePathsAndNothingElse() throws {
        let hosts = try WatchedHosts(["good.test": .good])
        let watcher = try Watcher(hosts, nil)
        try watcher.wait { (try? $0.ask("/readyz").hasPrefix("HTTP/1.1 200")) == true }
        for (path, type) in [
            ("/", "text/html"), ("/healthz", "text/plain"), ("/metrics", "text/plain"),
            ("/status.json", "application/json"),
        ] {
            let answer = try watcher.ask(path)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(path): \(answer)")
            #expect(answer.lowercased().contains("content-type: \(type)"), "\(path): \(answer)")
        }
        let none = try watcher.ask("/metric")
        #expect(none.hasPrefix("HTTP/1.1 404") && none.contains("not here: /, /healthz"))
        #expect(watcher.end() == 0)
    }
}
