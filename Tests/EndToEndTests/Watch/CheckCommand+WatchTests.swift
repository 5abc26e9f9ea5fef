import TestSupport
import Testing

/// What keeps a watch from beginning, once its options are read.
@Suite struct CheckCommandWatchTests {
    private func watch(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(try Tool.aasa(), ["check"] + arguments, timeout: .seconds(30))
    }

    /// The first host that is not the user's own (`--resolve`) is named.
    @Test func aShortIntervalIsForHostsOfOnesOwn() throws {
        let result = try watch([
            "--watch", "9", "--resolve", "own.test:443:127.0.0.1:1", "own.test", "other.test",
        ])
        #expect(result.status == 2 && result.stdout.isEmpty, "\(result)")
        #expect(result.stderr.contains("other.test every 9 s is too often"), "\(result)")
        #expect(result.stderr.contains("use 10 seconds or more"), "\(result)")
    }

    @Test func whatOtherMachinesReachNeedsAToken() throws {
        let open = try watch(["--watch", "60", "example.com", "--admin", "0.0.0.0:0"])
        #expect(open.status == 2 && open.stderr.contains("other machines reach this"), "\(open)")
        #expect(open.stderr.contains("--admin-token-file"), "\(open)")
        let missing = try watch([
            "--watch", "60", "example.com", "--admin", "0.0.0.0:0", "--admin-token-file",
            "/no/such/token",
        ])
        #expect(missing.status != 0 && missing.stderr.contains("/no/such/token"), "\(missing)")
    }

    /// systemd's readiness, and its end.
    @Test func tellsItsManager() throws {
        let hosts = try WatchedHosts(["good.test": .good])
        let manager = try NotifySocket()
        let watcher = try Watcher(hosts, environment: ["NOTIFY_SOCKET": manager.path])
        try watcher.wait { (try? $0.ask("/healthz").hasPrefix("HTTP/1.1 200")) == true }
        expectEqual(watcher.end(), 0)
        let told = manager.messages()
        expectEqual(told.first?.hasPrefix("READY=1"), true, "\(told)")
        expectEqual(told.last, "STOPPING=1", "\(told)")
    }
}
