import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AuxiliaryServerTests {
    private struct Hello: AuxiliaryService {
        mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
            .message(Array("hello".utf8), isLast: true)
        }
    }

    private func ask(_ address: SocketAddress) throws -> String {
        var socket = try Socket(for: address)
        _ = socket.connect(to: address)
        let descriptor = socket.release()
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, 0)
        let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        guard Glibc.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return ""
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// As at an upgrade, where both processes hold the socket.
    @Test func whoHasLeftAnswersNobody() throws {
        let loopback = try #require(SocketAddress(parsing: "127.0.0.1:0"))
        var listener = try ListeningSocket(on: loopback, backlog: 8)
        let address = listener.address
        let server = try AuxiliaryServer(
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: 8,
            service: Hello())
        try expectEqual(ask(address), "hello")
        server.leave()
        #expect(try eventually { try ask(address) != "hello" })
        #expect(try ask(address).isEmpty)
        server.stop()
    }

    /// As a process that fails before it serves.
    @Test func whoIsLetGoLeavesNothingBehind() throws {
        let loopback = try #require(SocketAddress(parsing: "127.0.0.1:0"))
        var listener = try ListeningSocket(on: loopback, backlog: 8)
        let address = listener.address
        var server: AuxiliaryServer? = try AuxiliaryServer(
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: 8,
            service: Hello())
        #expect(server != nil)
        try expectEqual(ask(address), "hello")
        server = nil
        #expect(try ask(address).isEmpty)
    }

    // MARK: The site without TLS

    private func serve(
        _ address: SocketAddress, access: (any AccessSink)? = nil, replaces: Bool = false,
        owner: Files.Owner? = nil
    ) throws -> AuxiliaryServer {
        let publisher = SnapshotPublisher(
            Publication(snapshot: TestEndpoint.snapshot(), contexts: []))
        return try AuxiliaryServer(
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
        expectEqual(whole, TestEndpoint.document)
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
        try expectEqual(curl(status[0], status[1], status[2], status[3], base + "/x"), "404 ")
        // A host without a document.
        try expectEqual(
            curl(
                status[0], status[1], status[2], status[3], "-H", "Host: other.example",
                base + TestEndpoint.path), "503 ")
    }

    @Test func `A front keeps its connection`() throws {
        let server = try serve(try #require(SocketAddress(parsing: "127.0.0.1:0")))
        defer { server.stop() }
        let target = "http://\(server.addresses[0])\(TestEndpoint.path)"
        let shown = try curl(
            "-w", "%{num_connects} ", "-H", "Host: example.com", target, target)
        expectEqual(shown, "\(TestEndpoint.document)1 \(TestEndpoint.document)0 ")
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
        try expectEqual(curl(words[0], words[1], words[2]), TestEndpoint.document)
        let second = try serve(address, replaces: true)
        try second.takeNames()
        first.stop()
        try expectEqual(curl(words[0], words[1], words[2]), TestEndpoint.document)
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
        expectEqual(shown.status, 0, "\(shown)")
    }
}
