// Covers: Socket.swift, SocketOptions.swift, ListeningSocket.swift, Poller.swift, Syscall.swift
// Covers: FaultInjection.swift, SystemError.swift
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
        #expect(receive(server, 10) == .wouldBlock)

        let poller = try Poller()
        try poller.add(server.raw, [.read, .edge], token: 77)
        let hello = Array("hello".utf8)
        #expect(hello.withUnsafeBytes { client.send($0) } == .bytes(5))
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        #expect(poller.event(0).token == 77)
        #expect(poller.event(0).readiness.allowsReading)
        // Edge-triggered: told once.
        #expect(try poller.wait(timeout: .zero) == 0)
        #expect(receive(server, 10) == .bytes(5))
        #expect(client.pendingError() == nil)
        #expect(server.tcpInfo?.isEstablished == true)

        client.shutdownWrite()
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        #expect(poller.event(0).readiness.contains(.peerClosed))
        #expect(receive(server, 10) == .endOfStream)
        #expect(server.tcpInfo?.isEstablished == false)
    }

    @Test func twoPiecesGoOutAsOne() throws {
        let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        let server = try accept(listener)
        let (a, b) = (Array("ab".utf8), Array("cde".utf8))
        let sent = a.withUnsafeBytes { a in b.withUnsafeBytes { b in server.send(a, b) } }
        #expect(sent == .bytes(5))
        let poller = try Poller()
        try poller.add(client.raw, .read, token: 1)
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        #expect(receive(client, 10) == .bytes(5))
    }

    @Test func manyListenersShareAPortWhenTheySaySo() throws {
        let first = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let second = try ListeningSocket(on: first.address, backlog: 16)
        #expect(second.address == first.address)
        do throws(SystemError) {
            let third = try ListeningSocket(on: first.address, backlog: 16, sharesPort: false)
            Issue.record("a third listener on \(third.address)")
        } catch {
            #expect(error.call == "bind" && error.number == EADDRINUSE)
            #expect("\(error)".contains("another process listens there"))
            #expect("\(error)".contains(first.address.description))
        }
    }

    @Test func aRefusedConnectionSaysSo() throws {
        var listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let gone = listener.address
        listener.close()
        let client = try Socket(for: gone)
        switch client.connect(to: gone) {
        case .connected: Issue.record("connected to nobody")
        case .failed(let error): #expect(error.number == ECONNREFUSED)
        case .inProgress:
            let poller = try Poller()
            try poller.add(client.raw, .write, token: 1)
            #expect(try poller.wait(timeout: .seconds(30)) == 1)
            #expect(client.pendingError()?.number == ECONNREFUSED)
        }
    }

    @Test func aStaleUnixSocketIsReplacedAndALiveOneIsNot() throws {
        let folder = try TemporaryFolder("sock")
        let path = try #require(SocketAddress.unix(path: folder.path("s")))
        var first = try ListeningSocket(on: path, backlog: 4)
        #expect(throws: SystemError.self) { _ = try ListeningSocket(on: path, backlog: 4).raw }
        first.close()
        #expect(try ListeningSocket(on: path, backlog: 4).address == path)
    }

    @Test func theCauseOfARefusedNameFitsItsFamily() {
        func cause(_ subject: String) -> String? {
            SystemError(call: "bind", number: EACCES, subject: subject).likelyCause
        }
        #expect(cause("unix:/run/aasa/1.sock")?.contains("enter its folder") == true)
        #expect(cause("0.0.0.0:443")?.contains("1024") == true)
    }

    @Test func theQueueOfAListenerIsVisible() throws {
        let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        let poller = try Poller()
        try poller.add(listener.raw, .read, token: 1)
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        #expect(listener.queue.waiting == 1)
        _ = try accept(listener)
        #expect(listener.queue.waiting == 0)
    }

    #if DEBUG
        @Test func faultsAreInjectedInOrder() throws {
            let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
            FaultInjection.arm(.accept4, after: 2, times: 2, number: EMFILE)
            defer { FaultInjection.disarm() }
            func outcome() -> String {
                switch listener.accept() {
                case .wouldBlock: "none"
                case .exhausted(let error): error.reason
                case .accepted: "accepted"
                case .aborted: "aborted"
                case .failed: "failed"
                }
            }
            let outcomes = [outcome(), outcome(), outcome(), outcome()]
            #expect(outcomes == ["none", "Too many open files", "Too many open files", "none"])

            FaultInjection.arm(.socket, number: ENFILE)
            #expect(throws: SystemError(call: "socket", number: ENFILE)) {
                _ = try Socket(for: listener.address).raw
            }
            FaultInjection.arm(.epollCreate, number: EMFILE)
            #expect(throws: SystemError.self) { _ = try Poller().descriptor }
            FaultInjection.arm(.accept4, number: ECONNABORTED)
            if case .aborted = listener.accept() {} else { Issue.record("not aborted") }
            // Interrupted calls are repeated.
            FaultInjection.arm(.accept4, number: EINTR)
            #expect(outcome() == "none")
        }
    #endif
}
