import Foundation
import Reactor
import TestSupport
import Testing

@Suite struct WebhookSenderTests {
    /// The URL of a webhook is a secret: it need not stand in the list of processes.
    @Test func takesTheWebhookFromTheEnvironmentAndTellsItsManager() throws {
        let hosts = try WatchedHosts(["gone.test": .status("404 Not Found")])
        let hook = try WebhookReceiver()
        let manager = try NotifySocket()
        let watcher = try Watcher(
            hosts, nil,
            // With the line end of a mounted secret.
            environment: ["AASA_WEBHOOK": hook.url + "\n", "NOTIFY_SOCKET": manager.path])
        try watcher.wait { _ in hook.taken == ["gone.test/status-not-found|problem"] }
        #expect(watcher.end() == 0)
        let told = manager.messages()
        #expect(told.first?.hasPrefix("READY=1") == true, "\(told)")
        #expect(told.last == "STOPPING=1", "\(told)")
        #expect(watcher.lines.count == 1)
    }

    /// What a receiver refuses is not sent again, and said; what fails is tried again, said once.
    @Test func tellsWhatWillNeverArrive() throws {
        let hosts = try WatchedHosts(["gone.test": .status("404 Not Found")])
        let asked = Lock(0)
        let server = try FaultServer(tls: nil) { _ in
            asked.withLock { $0 += 1 }
            return .http("410 Gone", [], "no")
        }
        let watcher = try Watcher(
            hosts, nil, ["--webhook", "http://127.0.0.1:\(server.port)/hook"])
        try watcher.wait { $0.errors.contains("the webhook answers 410 to gone.test") }
        #expect(watcher.end() == 0)
        #expect(asked.withLock { $0 } == 1)
        #expect(watcher.errors.contains("not sent again"))
        withExtendedLifetime(server) {}
    }
}
