import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SocketTests {
    private func accept(_ listener: borrowing ListeningSocket) throws -> Socket {
        for _ in 0..<6000 {
            switch listener.accept() {
            case .accepted(let socket, _): return socket
            case .wouldBlock: usleep(5000)
            case .aborted: usleep(5000)
            case .exhausted(let error): throw error
            case .failed(let error): throw error
            }
        }
        throw SystemError(call: "accept4", number: EAGAIN)
    }

    private func address(_ text: String) throws -> SocketAddress {
        try #require(SocketAddress(parsing: text))
    }

    private func receive(_ socket: borrowing Socket, _ count: Int) -> IOOutcome {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { socket.receive(into: $0) }
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"]) func connectsAndMovesBytes(_ text: String) throws {
        let listener = try ListeningSocket(on: try address(text), backlog: 16)
        #expect(listener.address.port != 0)
        let client = try Socket(for: listener.address)
        if case .failed(let error) = client.connect(to: listener.address) { throw error }
        let server = try accept(listener)
        expectEqual(receive(server, 10), .wouldBlock)

        let poller = try Poller()
        try poller.add(server.raw, [.read, .edge], token: 77)
        let hello = Array("hello".utf8)
        expectEqual(hello.withUnsafeBytes { client.send($0) }, .bytes(5))
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        expectEqual(poller.event(0).token, 77)
        #expect(poller.event(0).readiness.allowsReading)
        // Edge-triggered: told once.
        try expectEqual(poller.wait(timeout: .zero), 0)
        expectEqual(receive(server, 10), .bytes(5))
        #expect(client.pendingError() == nil)
        expectEqual(server.tcpInfo?.isEstablished, true)

        client.shutdownWrite()
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        #expect(poller.event(0).readiness.contains(.peerClosed))
        expectEqual(receive(server, 10), .endOfStream)
        expectEqual(server.tcpInfo?.isEstablished, false)
    }

    @Test func aRefusedConnectionSaysSo() throws {
        var listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let gone = listener.address
        listener.close()
        let client = try Socket(for: gone)
        switch client.connect(to: gone) {
        case .connected: Issue.record("connected to nobody")
        case .failed(let error): expectEqual(error.number, ECONNREFUSED)
        case .inProgress:
            let poller = try Poller()
            try poller.add(client.raw, .write, token: 1)
            try expectEqual(poller.wait(timeout: .seconds(30)), 1)
            expectEqual(client.pendingError()?.number, ECONNREFUSED)
        }
    }

    #if FAULT_INJECTION
        @Test func `A socket that is refused is an error`() throws {
            FaultInjection.arm(.socket, number: ENFILE)
            defer { FaultInjection.disarm() }
            let error = SystemError(call: "socket", number: ENFILE, subject: "127.0.0.1:1")
            #expect(throws: error) {
                _ = try Socket(for: .v4(0x7F00_0001, port: 1)).raw
            }
        }
    #endif
}
