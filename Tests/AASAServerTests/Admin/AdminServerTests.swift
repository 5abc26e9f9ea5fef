import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AdminServerTests {
    /// A server that serves one host.
    private func server(on address: SocketAddress? = nil) throws -> AdminServer {
        let board = StatusBoard(version: "1.0.0")
        var sources = StatusBoard.Sources()
        sources.publisher = SnapshotPublisher(
            Publication(snapshot: ServedSnapshot.make(), contexts: []))
        board.read(sources)
        board.write { $0.phase = .serving }
        return try AdminServer(on: address ?? loopback()) {
            AdminResponder(report: board.report()).response(to: $0)
        }
    }

    private func loopback() throws -> SocketAddress {
        try #require(SocketAddress(parsing: "127.0.0.1:0"))
    }

    /// A blocking socket, connected; the caller closes it.
    private func connected(_ address: SocketAddress) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = UInt16(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A guard only: a hung server fails the test instead of hanging it.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = UInt32(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        let connected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        return descriptor
    }

    /// Sends bytes and reads to the end.
    private func exchange(_ address: SocketAddress, _ pieces: [String]) throws -> String {
        let descriptor = try connected(address)
        defer { close(descriptor) }
        for piece in pieces {
            let bytes = Array(piece.utf8)
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        var received: [UInt8] = []
        var buffer: [UInt8] = Array(repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            received += buffer[..<count]
        }
        return String(decoding: received, as: UTF8.self)
    }

    @Test func answersOneRequestPerConnection() throws {
        let server = try self.server()
        defer { server.stop() }
        #expect(server.address.port != 0)
        let ready = try exchange(
            server.address, ["GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
        #expect(ready.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(ready.hasSuffix("\r\n\r\nready\n"))
        let pieces = "GET /status.json HTTP/1.1\r\nHost: [::1]\r\n\r\n".map(String.init)
        #expect(try exchange(server.address, pieces).contains("\"health\":\"well\""))
        let page = try exchange(server.address, ["GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
        #expect(page.contains("<!doctype html>"))
        #expect(page.hasSuffix("</script>\n"))
    }

    @Test func answersNonsenseOnceAndGoesOn() throws {
        let server = try self.server()
        defer { server.stop() }
        #expect(try exchange(server.address, ["nonsense\r\n\r\n"]).hasPrefix("HTTP/1.1 400 "))
        let endless = "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 70_000)
        _ = try exchange(server.address, [endless])
        let post = "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
        #expect(try exchange(server.address, [post]).hasPrefix("HTTP/1.1 405 "))
        let ok = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try exchange(server.address, [ok]).hasPrefix("HTTP/1.1 200 "))
    }

    /// More clients than slots: the late ones wait in the queue, nobody is refused.
    @Test func servesMoreClientsThanItHasSlots() throws {
        let server = try self.server()
        defer { server.stop() }
        for _ in 0..<100 {
            let answer = try exchange(
                server.address, ["GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Twice as many as there are places, all silent: whoever asks is answered at once.
    @Test func idleConnectionsHoldUpNobody() throws {
        let server = try self.server()
        defer { server.stop() }
        var idle: [Int32] = []
        defer { for descriptor in idle { close(descriptor) } }
        for count in [40, 64] {
            for _ in 0..<count { idle.append(try connected(server.address)) }
            let answer = try exchange(
                server.address, ["GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            // Had the answer waited until the time of the silent ones was up, hardly any of the
            // places would still be held.
            var waiting = idle.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = poll(&waiting, nfds_t(waiting.count), 0)
            #expect(waiting.count { $0.revents == 0 } >= 31)
        }
    }

    @Test func listensOnAUnixSocket() throws {
        guard Tool.find("curl") != nil else { return }
        let folder = try TemporaryFolder("admin")
        let path = folder.path("s")
        let server = try self.server(on: .requireUnix(path: path))
        defer { server.stop() }
        let answer = try Tool.run(
            "curl", ["-sS", "--max-time", "60", "--unix-socket", path, "http://localhost/readyz"])
        expectEqual(answer.stdout, "ready\n", "\(answer)")
    }

    @Test func saysWhichAddressCannotBeBound() throws {
        let first = try server()
        defer { first.stop() }
        #expect(throws: SystemError.self) {
            try server(on: first.address)
        }
    }
}
