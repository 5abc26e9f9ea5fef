import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

/// Restarts as scripts do them: a signal, and at once the next server on the same ports.
@Suite(.serialized) struct RestartTests {
    /// The next server, with the ports, pid file, run folder and state of `old`.
    private func next(_ old: ServerProcess, _ options: [String]) throws -> ServerProcess {
        try ServerProcess(
            old.site, options: options, listen: "\(old.address)", admin: "\(old.adminAddress)",
            environment: old.environment.filter { $0.key == "AASA_RUN" })
    }

    private func options(_ site: SampleSite, _ more: [String] = []) -> [String] {
        ["--pid-file", site.folder.path("pid"), "--state", site.folder.path("state")] + more
    }

    /// A request in flight: a large answer to a client that has not read it yet.
    private func slowReader(_ server: ServerProcess) throws -> TestClient {
        let client = try TestClient(server.address, receiveBuffer: 4096)
        try client.send("GET \(TestClient.associationPath) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        return client
    }

    @Test func theNextServerHasThePortsAtOnceWhileTheOldOneFinishes() throws {
        let site = try SampleSite(documentBytes: 131_072)
        let old = try ServerProcess(site, options: options(site))
        let reading = try slowReader(old)
        old.signal(SIGTERM)
        let new = try next(old, options(site))
        #expect(old.isRunning, "its client has not read its answer yet")
        try expectEqual(new.client().get().status, 200)
        try expectEqual(new.metric("aasa_health_level"), 0, "\(new.log)")
        try expectEqual(
            String(contentsOfFile: site.folder.path("pid"), encoding: .utf8),
            "\(new.pid)\n")
        try expectEqual(reading.response().body.count, 131_072)
        reading.socket.close()
        expectEqual(old.wait(), 0, "\(old.log)")
        // The old one leaves what belongs to the new one.
        #expect(FileManager.default.fileExists(atPath: site.folder.path("pid")))
        expectEqual(new.stop(), 0, "\(new.log)")
    }

    /// The old one accepts until the new one has said that it waits.
    @Test func theNextServerWaitsForThePortsOfOneThatStillAccepts() throws {
        let site = try SampleSite()
        let drain = ["--drain", "300"]
        let old = try ServerProcess(site, options: options(site, drain))
        old.signal(SIGTERM)
        #expect(eventually { old.log.contains("SIGTERM received") }, "\(old.log)")
        let log = site.folder.path("log")
        let line = "(process \(old.pid)) is shutting down: waiting for"
        let ending = try Tool.spawn(
            "/bin/sh",
            [
                "-c", "until grep -qF '\(line)' \(log); do sleep 0.1; done; kill -INT \(old.pid)",
            ], output: site.folder.path("ending"), errors: site.folder.path("ending"))
        let new = try next(old, options(site, drain + ["--log-file", log]))
        expectEqual(Tool.wait(for: ending, timeout: .seconds(60)).status, 0)
        try expectEqual(new.client().get().status, 200)
        expectEqual(old.wait(), 0, "\(old.log)")
        expectEqual(new.stop(), 0, "\(new.log)")
    }

    /// The last moment of an old server: its pid file is empty or gone, and still locked.
    @Test func theNextServerWaitsForAPidFileWithoutAProcess() throws {
        let site = try SampleSite()
        let file = site.folder.path("pid")
        let held = site.folder.path("held")
        let holder = try Tool.spawn(
            "/bin/sh", ["-c", "exec flock \(file) sh -c 'touch \(held); sleep 2'"],
            output: site.folder.path("said"), errors: site.folder.path("said"))
        #expect(eventually { FileManager.default.fileExists(atPath: held) })
        let new = try ServerProcess(site, options: ["--pid-file", file])
        try expectEqual(String(contentsOfFile: file, encoding: .utf8), "\(new.pid)\n")
        expectEqual(Tool.wait(for: holder, timeout: .seconds(60)).status, 0)
        expectEqual(new.stop(), 0, "\(new.log)")
    }

    @Test func aServerThatGoesOnIsNotReplaced() throws {
        let site = try SampleSite()
        let old = try ServerProcess(site)
        let second = try Tool.aasa(
            [
                "serve", "--site", site.site, "--certs", site.certs, "--listen",
                "\(old.address)", "--run", old.environment["AASA_RUN"] ?? "",
            ])
        expectEqual(second.status, 3, "\(second)")
        #expect(second.stderr.contains("(process \(old.pid))"), "\(second)")
        try expectEqual(old.client().get().status, 200)
        expectEqual(old.stop(), 0)
    }

    /// Who has connected before the signal came is served, though the server was held.
    @Test func whoWaitsInTheKernelsQueueIsServed() throws {
        let server = try ServerProcess(try SampleSite(), options: ["--workers", "2"])
        server.signal(SIGSTOP)
        let waiting = try (0..<20).map { _ in
            let client = try TestClient(server.address, handshakes: false)
            try client.sendHello()
            return client
        }
        server.signal(SIGTERM)
        server.signal(SIGCONT)
        for client in waiting {
            try client.handshake()
            try expectEqual(client.get().status, 200)
        }
        expectEqual(server.wait(), 0, "\(server.log)")
    }

    /// The kernel keeps clients without a ClientHello to itself (TCP_DEFER_ACCEPT), and would reset
    /// them with the listener.
    @Test(arguments: [[], ["--drain", "1"]])
    func whoHasConnectedMaySpeakAfterTheSignal(options: [String]) throws {
        let server = try ServerProcess(try SampleSite(), options: ["--workers", "2"] + options)
        let silent = try (0..<20).map { _ in try TestClient(server.address, handshakes: false) }
        server.signal(SIGTERM)
        #expect(eventually { server.log.contains("No new connection begins") })
        for client in silent { try client.sendHello() }
        for client in silent {
            try client.handshake()
            try expectEqual(client.get().status, 200)
        }
        expectEqual(server.wait(), 0, "\(server.log)")
    }

    /// What a client of a load did until it was told to end.
    private final class Load: Sendable {
        let isOver = Lock(false)
        let answered = Lock(0)
        let refused = Lock(0)
        let lost = Lock<[String]>([])

        /// Connects and asks. A connection that no server has accepted may be tried again; what
        /// comes after the handshake has to be answered.
        func run(_ address: SocketAddress) {
            while !isOver.withLock({ $0 }) {
                guard let client = try? TestClient(address) else {
                    refused.withLock { $0 += 1 }
                    usleep(2000)
                    continue
                }
                do {
                    let status = try client.get().status
                    answered.withLock { $0 += 1 }
                    if status != 200 { lost.withLock { $0.append("\(status)") } }
                } catch {
                    lost.withLock { $0.append("\(error)") }
                }
                client.socket.close()
            }
        }
    }

    @Test func tenRestartsInARowLoseNoRequest() throws {
        let site = try SampleSite()
        var server = try ServerProcess(site, options: options(site))
        let (load, address) = (Load(), server.address)
        let threads = try (0..<2).map { _ in
            try WorkerThread(name: "load") { load.run(address) }
        }
        for _ in 1...10 {
            let before = load.answered.withLock { $0 }
            server.signal(SIGTERM)
            let new = try next(server, options(site))
            expectEqual(server.wait(), 0, "\(server.log)")
            #expect(eventually { load.answered.withLock { $0 } > before }, "\(new.log)")
            server = new
        }
        load.isOver.withLock { $0 = true }
        for thread in threads { thread.join() }
        expectEqual(load.lost.withLock { $0 }, [])
        expectEqual(server.stop(), 0)
    }

    /// Told to end in the middle of a load of the site.
    @Test func aReloadUnderWayHoldsUpNoEnd() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let client = try server.client()
        for _ in 1...5 { server.signal(SIGHUP) }
        server.signal(SIGTERM)
        #expect(try client.readToEnd().isEmpty)
        expectEqual(server.wait(within: .seconds(30)), 0, "\(server.log)")
    }

    /// It would serve on after the operator has ended the server.
    @Test func whoShutsDownIsNotUpgraded() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--drain", "60"])
        server.signal(SIGTERM)
        #expect(eventually { server.log.contains("shutting down") })
        let upgrade = try Tool.aasa(["upgrade"], environment: server.environment)
        expectEqual(upgrade.status, 3, "\(upgrade)")
        #expect(upgrade.stdout.contains("already in progress"), "\(upgrade)")
        try expectEqual(server.client().get().status, 200)
        server.signal(SIGTERM)
        expectEqual(server.wait(), 0)
    }

    /// Both processes of an upgrade are told to end, as a service manager does; the old one twice.
    @Test func bothProcessesOfAnUpgradeFinishTheirRequests() throws {
        let site = try SampleSite(documentBytes: 131_072)
        let old = try ServerProcess(site)
        let first = try slowReader(old)
        let upgraded = try Tool.aasa(["upgrade"], environment: old.environment)
        expectEqual(upgraded.status, 0, "\(upgraded)")
        let new = try #require(
            upgraded.stdout.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        defer { kill(new, SIGKILL) }
        // systemd kills a main process that is the child of another instead of stopping it.
        let parent = try String(contentsOfFile: "/proc/\(new)/stat", encoding: .utf8)
            .split(separator: ")").last?.split(separator: " ").dropFirst().first
        #expect(parent.map(String.init) != "\(old.pid)")
        let second = try slowReader(old)
        for process in [old.pid, new, old.pid] { kill(process, SIGTERM) }
        for client in [first, second] {
            try expectEqual(client.response().body.count, 131_072)
            client.socket.close()
        }
        expectEqual(old.wait(), 0, "\(old.log)")
        #expect(eventually { kill(new, 0) != 0 })
    }
}
