import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct PlainHTTPServerTests {
    private func serve(
        _ address: SocketAddress, access: (any AccessSink)? = nil, replaces: Bool = false,
        owner: Files.Owner? = nil
    ) throws -> PlainHTTPServer {
        let publisher = SnapshotPublisher(
            Publication(snapshot: TestEndpoint.snapshot(), contexts: []))
        return try PlainHTTPServer(
            on: [address], name: "aasa-plain",
            service: DocumentService(publisher: publisher, access: access), replaces: replaces,
            owner: owner)
    }

    private func curl(_ arguments: String...) throws -> String {
        try Tool.run("curl", ["-sS", "--max-time", "60"] + arguments).stdout
    }

    @Test func `The site is answered as on the public listeners`() throws {
        let server = try serve(try #require(SocketAddress(parsing: "127.0.0.1:0")))
        defer { server.stop() }
        let base = "http://\(server.addresses[0])"
        let host = ["-H", "Host: example.com"]
        let whole = try curl(host[0], host[1], base + TestEndpoint.path)
        #expect(whole == TestEndpoint.document)
        let status = ["-o", "/dev/null", "-w", "%{http_code} "]
        for (words, expected) in [
            (["-I"], "200 "), (["-X", "POST", "-d", "x=1"], "200 "),
            (["-H", "Range: bytes=0-9"], "200 "), (["-H", "If-None-Match: *"], "200 "),
        ] {
            let shown = try Tool.run(
                "curl",
                ["-sS", "--max-time", "60"] + status + host + words
                    + [base + TestEndpoint.path])
            #expect(shown.stdout.hasSuffix(expected), "\(words): \(shown)")
        }
        #expect(try curl(status[0], status[1], status[2], status[3], base + "/x") == "404 ")
        // A host without a document.
        #expect(
            try curl(
                status[0], status[1], status[2], status[3], "-H", "Host: other.example",
                base + TestEndpoint.path) == "503 ")
    }

    @Test func `A front keeps its connection`() throws {
        let server = try serve(try #require(SocketAddress(parsing: "127.0.0.1:0")))
        defer { server.stop() }
        let target = "http://\(server.addresses[0])\(TestEndpoint.path)"
        let shown = try curl(
            "-w", "%{num_connects} ", "-H", "Host: example.com", target, target)
        #expect(shown == "\(TestEndpoint.document)1 \(TestEndpoint.document)0 ")
    }

    @Test func `A successor takes the name of a Unix socket, and keeps it`() throws {
        let folder = try TemporaryFolder("plain")
        let path = folder.path("s")
        let address = try #require(SocketAddress.unix(path: path))
        let first = try serve(address)
        #expect(throws: SystemError.self) { try serve(address) }
        let words = ["--unix-socket", path, "http://example.com" + TestEndpoint.path]
        // One that fails before it serves has taken nothing.
        _ = try serve(address, replaces: true)
        #expect(try curl(words[0], words[1], words[2]) == TestEndpoint.document)
        let second = try serve(address, replaces: true)
        try second.takeNames()
        first.stop()
        #expect(try curl(words[0], words[1], words[2]) == TestEndpoint.document)
        second.stop()
        #expect(!Files.exists(path))
        #expect(try Files.names(in: folder.path, limit: 10).isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives sockets away"))
    func `A successor shares the port as another user`() throws {
        let nobody = try Privileges.named("nobody")
        let server = try serve(
            try #require(SocketAddress(parsing: "127.0.0.1:0")), owner: nobody)
        defer { server.stop() }
        let script = """
            import os, socket
            os.setuid(\(nobody.user))
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            s.bind(("127.0.0.1", \(server.addresses[0].port)))
            s.listen()
            """
        let shown = try Tool.run("python3", ["-c", script])
        #expect(shown.status == 0, "\(shown)")
    }
}
