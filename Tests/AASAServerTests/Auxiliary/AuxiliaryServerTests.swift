import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AuxiliaryServerTests {
    private struct Hello: AuxiliaryService {
        mutating func answer(
            _ request: RequestView, question: inout (any Sendable)?
        ) -> AuxiliaryAnswer? {
            AuxiliaryAnswer(message: Array("hello".utf8), isLast: true)
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
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: 8, backlog: 8,
            service: Hello())
        #expect(try ask(address) == "hello")
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
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: 8, backlog: 8,
            service: Hello())
        #expect(server != nil)
        #expect(try ask(address) == "hello")
        server = nil
        #expect(try ask(address).isEmpty)
    }
}
