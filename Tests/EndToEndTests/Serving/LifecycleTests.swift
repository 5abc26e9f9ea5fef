import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct LifecycleTests {
    private let request = "GET \(TestClient.associationPath) HTTP/1.1\r\nHost: example.com\r\n\r\n"

    @Test(arguments: [SIGINT, SIGTERM]) func stopsGracefully(signal: Int32) throws {
        let server = try ServerProcess(
            try SampleSite(documentBytes: 131_072), options: ["--workers", "2"])
        let idle = try server.client()
        try expectEqual(idle.get().status, 200)
        let fresh = try TestClient(server.address, handshakes: false)
        try fresh.sendHello()
        // A slow reader in the middle of a large answer.
        let reading = try TestClient(server.address, receiveBuffer: 4096)
        try reading.send(request)
        server.signal(signal)
        #expect(try idle.readToEnd().isEmpty)
        #expect(!idle.wasReset)
        // It had begun its handshake: it gets its answer, and is told that it is the last.
        try fresh.handshake()
        let answer = try fresh.get()
        expectEqual(answer.status, 200)
        #expect(answer.head.lowercased().contains("close"))
        try expectEqual(reading.response().body.count, 131_072)
        for client in [idle, fresh, reading] { client.socket.close() }
        expectEqual(server.wait(), 0, "\(server.log)")
    }

    /// Balancers notice by `/readyz`; until then they send clients here, who are served.
    @Test func takesConnectionsWhileItLeaves() throws {
        let server = try ServerProcess(try SampleSite(), options: ["--drain", "60"])
        let idle = try server.client()
        try expectEqual(idle.get().status, 200)
        func isReady() throws -> Bool {
            try Tool.run(
                "curl",
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code}",
                    "http://\(server.adminAddress)/readyz",
                ]
            ).stdout == "200"
        }
        #expect(try isReady())
        server.signal(SIGTERM)
        #expect(try eventually { try !isReady() }, "\(server.log)")
        for _ in 0..<20 {
            try expectEqual(server.client().get().status, 200)
            usleep(20_000)
        }
        // Who has connected before and says something only now.
        try expectEqual(idle.get().status, 200)
        #expect(server.isRunning)
        #expect(server.log.contains("aasa still accepts connections"), "\(server.log)")
        // Who asks twice does not want to wait.
        server.signal(SIGTERM)
        expectEqual(server.wait(within: .seconds(30)), 0, "\(server.log)")
        #expect(server.log.contains("SIGTERM received: stopping at once"), "\(server.log)")
    }

    /// All who came before it closed its listeners have been served, and then it ends.
    @Test func endsWhenTheTimeToLeaveIsOver() throws {
        let server = try ServerProcess(try SampleSite(), options: ["--drain", "3"])
        server.signal(SIGTERM)
        var answered = 0
        while !server.log.contains("the listeners are closed"), server.isRunning {
            guard let client = try? server.client() else { break }
            try expectEqual(client.get().status, 200)
            answered += 1
            usleep(50_000)
        }
        #expect(answered > 0)
        expectEqual(server.wait(within: .seconds(60)), 0, "\(server.log)")
        #expect(server.log.contains("the time of --drain has expired"), "\(server.log)")
    }

    /// A logger that is stopped, behind a full pipe, stops no server: neither its start, nor an
    /// upgrade, nor its end.
    @Test func servesAndEndsWhereNobodyReadsItsErrors() throws {
        let server = try ServerProcess(
            try SampleSite(), options: ["--workers", "1"],
            environment: ["AASA_LISTN": "misspelt"], readsErrors: false)
        try expectEqual(server.client().get().status, 200)
        let upgraded = try Tool.aasa(["upgrade"], environment: server.environment)
        expectEqual(upgraded.status, 0, "\(upgraded)")
        let last = try #require(
            upgraded.stdout.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        expectEqual(server.wait(), 0)
        try expectEqual(server.client().get().status, 200)
        expectEqual(kill(last, SIGINT), 0)
        #expect(eventually { kill(last, 0) != 0 })
    }

    @Test func reloadsOnSignalAndKeepsTheLastGoodSite() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--watch", "off"])
        let client = try server.client()
        func document() throws -> String {
            String(decoding: try client.get().body, as: UTF8.self)
        }
        #expect(try document().contains("/*"))
        let team = SampleSite.teams[0]
        try site.write("example.com/teams/\(team).json", SampleSite.fragment(team, path: "/new/*"))
        server.signal(SIGHUP)
        #expect(try eventually { try document().contains("/new/*") }, "\(server.log)")
        try site.write("example.com/teams/\(team).json", "{ broken")
        server.signal(SIGHUP)
        #expect(eventually { server.log.contains("\(team).json") }, "\(server.log)")
        #expect(try document().contains("/new/*"))
        try site.write(
            "example.com/teams/\(team).json", SampleSite.fragment(team, path: "/again/*"))
        server.signal(SIGHUP)
        #expect(try eventually { try document().contains("/again/*") })
        expectEqual(server.stop(), 0)
    }

    @Test func requestsDuringReloadsAreAllAnswered() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--workers", "2"])
        let client = try server.client()
        for round in 0..<100 {
            if round % 10 == 0 {
                let team = SampleSite.teams[1]
                let fragment = SampleSite.fragment(team, path: "/\(round)/*")
                try site.write("example.com/teams/\(team).json", fragment)
                server.signal(SIGHUP)
            }
            try expectEqual(client.get().status, 200)
            try expectEqual(server.client().get().status, 200)
        }
        expectEqual(server.stop(), 0)
    }
}
