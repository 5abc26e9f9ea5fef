import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

@Suite(.serialized) struct UpgradeCommandTests {
    private func process(in pidFile: String) -> pid_t? {
        (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap {
            pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    @Test(arguments: ["keep-alive", "close"])
    func noRequestIsLostWhileProcessesReplaceEachOther(connection: String) throws {
        let wrk = try #require(Tool.find("wrk"), "wrk is missing: apt-get install wrk")
        let site = try SampleSite()
        let pidFile = site.folder.path("pid")
        let server = try ServerProcess(
            site, options: ["--pid-file", pidFile, "--workers", "2"])
        #expect(eventually { process(in: pidFile) == server.pid })
        let output = site.folder.path("wrk")
        let load = try Tool.spawn(
            wrk,
            [
                "-t1", "-c4", "-d8", "--timeout", "60", "-H", "Host: example.com", "-H",
                "Connection: \(connection)",
                "https://\(server.address)\(TestClient.associationPath)",
            ], output: output, errors: output + ".err")
        for _ in 1...2 {
            let result = try Tool.aasa(
                ["upgrade", "--pid-file", pidFile], environment: server.environment)
            expectEqual(result.status, 0, "\(result)")
        }
        expectEqual(Tool.wait(for: load, timeout: .seconds(120)).status, 0)
        let report = try String(contentsOfFile: output, encoding: .utf8)
        #expect(report.contains("requests in"), "\(report)")
        #expect(!report.contains("Socket errors"), "\(report)")
        #expect(!report.contains("Non-2xx"), "\(report)")
        let last = try #require(process(in: pidFile))
        #expect(last != server.pid)
        expectEqual(server.wait(), 0, "\(server.log)")
        expectEqual(kill(last, SIGINT), 0)
        #expect(eventually { kill(last, 0) != 0 })
    }

    /// The inodes of the sockets that a process listens on, each as often as it has a descriptor.
    private func listening(_ pid: pid_t) throws -> [String] {
        // The kernel gives a page at a time, and Foundation stops at the first of a file without a
        // size: 27 sockets.
        let table = try ["tcp", "tcp6"].flatMap {
            String(
                decoding: try Files.read("/proc/\(pid)/net/\($0)", limit: 1 << 26), as: UTF8.self
            )
            .split(separator: "\n").dropFirst()
        }
        // 0A is TCP_LISTEN (proc(5)).
        let listens = Set(
            table.map { $0.split(separator: " ") }.filter { $0.count > 9 && $0[3] == "0A" }
                .map { "socket:[\($0[9])]" })
        let folder = "/proc/\(pid)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }.filter(listens.contains).sorted()
    }

    @Test func tenUpgradesUnderLoadKeepTheSocketsAsManyAsTheyAre() throws {
        let wrk = try #require(Tool.find("wrk"), "wrk is missing: apt-get install wrk")
        let site = try SampleSite()
        let pidFile = site.folder.path("pid")
        let server = try ServerProcess(
            site,
            options: [
                "--pid-file", pidFile, "--workers", "3", "--listen", "[::1]:0",
            ])
        #expect(eventually { process(in: pidFile) == server.pid })
        let first = try listening(server.pid)
        // Three workers on two addresses, and the admin side, which keeps a second one.
        expectEqual(first.count, 3 * 2 + 2, "\(first)")
        let output = site.folder.path("wrk")
        let load = try Tool.spawn(
            wrk,
            [
                "-t1", "-c4", "-d20", "--timeout", "60", "-H", "Host: example.com", "-H",
                "Connection: close", "https://\(server.address)\(TestClient.associationPath)",
            ], output: output, errors: output + ".err")
        for _ in 1...10 {
            let result = try Tool.aasa(
                ["upgrade", "--pid-file", pidFile], environment: server.environment)
            expectEqual(result.status, 0, "\(result)")
            let now = try #require(process(in: pidFile))
            let after = try listening(now)
            expectEqual(after, first)
        }
        expectEqual(Tool.wait(for: load, timeout: .seconds(120)).status, 0)
        let report = try String(contentsOfFile: output, encoding: .utf8)
        #expect(!report.contains("Socket errors") && !report.contains("Non-2xx"), "\(report)")
        let last = try #require(process(in: pidFile))
        expectEqual(kill(last, SIGINT), 0)
        #expect(eventually { kill(last, 0) != 0 })
    }

    @Test(arguments: [
        ("https", "4"), ("https,https,admin", "6"), ("x", "4"), ("https", "77"), (",,,,", "8"),
        (String(repeating: "https,", count: 20_000) + "https", "20004"),
    ])
    func aWrongHandOverIsAnErrorWithARemedy(sockets: String, readiness: String) throws {
        let site = try SampleSite()
        let result = try Tool.run(
            try Tool.aasa(), ["serve", "--site", site.site, "--certs", site.certs],
            environment: [
                "AASA_HANDED_SOCKETS": sockets, "AASA_HANDED_READINESS": readiness,
            ])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("unset AASA_HANDED_SOCKETS"), "\(result)")
    }

    /// What the first load of a process refuses is seen as what a reload refuses.
    @Test func whatASuccessorRefusesIsSaidByAllThatAreAsked() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--watch", "off", "--workers", "1"])
        func isBroken() throws -> Bool { try server.metric("aasa_site_broken") == 1 }
        func status() throws -> Int32 {
            try Tool.aasa(["status"], environment: server.environment).status
        }
        #expect(try !isBroken() && status() == 0)
        let key = site.certs + "/other.example/privkey.pem"
        let good = try String(contentsOfFile: key, encoding: .utf8)
        try String(contentsOfFile: site.certs + "/example.com/privkey.pem", encoding: .utf8)
            .write(toFile: key, atomically: true, encoding: .utf8)
        let upgraded = try Tool.aasa(["upgrade"], environment: server.environment)
        expectEqual(upgraded.status, 1, "\(upgraded)")
        #expect(upgraded.stdout.contains("error: "), "\(upgraded)")
        let last = try #require(
            upgraded.stdout.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        defer { kill(last, SIGKILL) }
        expectEqual(server.wait(), 0)
        #expect(try isBroken() && status() == 1)
        try good.write(toFile: key, atomically: true, encoding: .utf8)
        let mended = try Tool.aasa(["reload"], environment: server.environment)
        expectEqual(mended.status, 0, "\(mended)")
        #expect(try !isBroken() && status() == 0)
    }

    /// The least that a server starts with.
    @Test func theLimitOnDescriptorsMayBeLow() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--workers", "2"], descriptors: 128)
        let result = try Tool.aasa(["upgrade"], environment: server.environment)
        expectEqual(result.status, 0, "\(result)")
        let last = try #require(
            result.stdout.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        defer { kill(last, SIGKILL) }
        expectEqual(server.wait(), 0)
        try expectEqual(server.client().get().status, 200)
    }

    @Test func aSuccessorThatFailsCostsNothing() throws {
        let site = try SampleSite()
        let pidFile = site.folder.path("pid")
        try site.folder.makeFolder("logs")
        let (logs, away) = (site.folder.path("logs"), site.folder.path("away"))
        let server = try ServerProcess(
            site, options: ["--pid-file", pidFile, "--watch", "off", "--access-log", logs + "/a"])
        #expect(eventually { process(in: pidFile) == server.pid })
        // The successor cannot open its log.
        expectEqual(rename(logs, away), 0)
        let result = try Tool.aasa(
            ["upgrade", "--pid-file", pidFile], environment: server.environment)
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stdout.contains("keeps serving"))
        #expect(
            eventually { server.log.contains("upgrade: the new process: \(logs)/a: cannot") },
            "\(server.log)")
        expectEqual(process(in: pidFile), server.pid)
        try expectEqual(server.client().get().status, 200)
        expectEqual(rename(away, logs), 0)
        let second = try Tool.aasa(
            ["upgrade", "--pid-file", pidFile], environment: server.environment)
        expectEqual(second.status, 0, "\(second)")
        try expectEqual(server.client().get().status, 200)
        let last = try #require(process(in: pidFile))
        expectEqual(server.wait(), 0)
        kill(last, SIGINT)
        #expect(eventually { kill(last, 0) != 0 })
    }

    /// Probes and scrapes would meet either process: not ready, and counters that fall.
    @Test func theAdminSideIsTheSuccessorsAtOnce() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--workers", "1"])
        // The old process waits for its handshake, and then for its request.
        let held = try TestClient(server.address, handshakes: false)
        try held.sendHello()
        let upgraded = try Tool.aasa(["upgrade"], environment: server.environment)
        expectEqual(upgraded.status, 0, "\(upgraded)")
        let last = try #require(
            upgraded.stdout.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        defer { kill(last, SIGKILL) }
        func ask() throws {
            for _ in 1...10 {
                let answer = try Tool.run("curl", ["-s", "http://\(server.adminAddress)/readyz"])
                #expect(answer.stdout.hasPrefix("ready\n"), "\(answer)")
            }
        }
        try ask()
        try held.handshake()
        try ask()
        try expectEqual(held.get().status, 200)
        expectEqual(server.wait(), 0)
    }
}
