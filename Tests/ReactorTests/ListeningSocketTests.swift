import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct ListeningSocketTests {
    private func address(_ text: String) throws -> SocketAddress {
        try #require(SocketAddress(parsing: text))
    }

    private func option(_ raw: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        expectEqual(getsockopt(raw, level, name, &value, &length), 0)
        return value
    }

    /// The next client, once it has come.
    private func accept(
        _ listener: borrowing ListeningSocket
    ) throws -> (raw: Int32, peer: SocketAddress?) {
        _ = Waiting.wait([.init(listener.raw)], until: .now() + .seconds(30))
        guard case .accepted(var socket, let peer) = listener.accept() else {
            throw SystemError(call: "accept4", number: EAGAIN)
        }
        return (socket.release(), peer)
    }

    private func outcome(_ listener: borrowing ListeningSocket) -> String {
        switch listener.accept() {
        case .accepted: "accepted"
        case .wouldBlock: "none"
        case .aborted: "aborted"
        case .exhausted(let error): "exhausted \(error.number)"
        case .failed(let error): "failed \(error.number)"
        }
    }

    // MARK: Binding

    @Test func manyListenersShareAPortWhenTheySaySo() throws {
        let first = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        #expect(first.address.port != 0)
        let second = try ListeningSocket(on: first.address, backlog: 16)
        expectEqual(second.address, first.address)
        do throws(SystemError) {
            let third = try ListeningSocket(on: first.address, backlog: 16, sharesPort: false)
            Issue.record("a third listener on \(third.address)")
        } catch {
            #expect(error.call == "bind" && error.number == EADDRINUSE)
            #expect("\(error)".contains("another process listens there"))
            #expect("\(error)".contains(first.address.description))
        }
    }

    /// Connections of the process that was there before are still in TIME_WAIT.
    @Test func `A port is taken again although old connections have not been forgotten`() throws {
        let any = try address("127.0.0.1:0")
        var first = try ListeningSocket(on: any, backlog: 16, sharesPort: false)
        let place = first.address
        var client = try Socket(for: place)
        _ = client.connect(to: place)
        // Who closes first waits.
        FileDescriptor.close(try accept(first).raw)
        client.close()
        first.close()
        // Another test's program may hold it until its exec; TIME_WAIT lasts for a minute (tcp(7)).
        #expect(
            eventually(within: 5) {
                (try? ListeningSocket(on: place, backlog: 16, sharesPort: false).address) == place
            })
    }

    @Test func `A listener for IPv6 takes IPv4 only where it is told to`() throws {
        let own = try ListeningSocket(on: try address("[::]:0"), backlog: 16, sharesPort: false)
        expectEqual(option(own.raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY), 1)
        let four = SocketAddress.v4(0x7F00_0001, port: own.address.port)
        let refused = try Socket(for: four)
        let result = refused.connect(to: four)
        let isRefused =
            result == .inProgress ? refused.pendingError()?.isRefused : result != .connected
        expectEqual(isRefused, true)

        let both = try ListeningSocket(on: try address("[::]:0"), backlog: 16, takesIPv4: true)
        let place = SocketAddress.v4(0x7F00_0001, port: both.address.port)
        let client = try Socket(for: place)
        _ = client.connect(to: place)
        let (raw, peer) = try accept(both)
        FileDescriptor.close(raw)
        expectEqual(peer?.bits?.low, 0xFFFF_7F00_0001)
    }

    @Test func aStaleUnixSocketIsReplacedAndALiveOneIsNot() throws {
        let folder = try TemporaryFolder("sock")
        let path = try #require(SocketAddress.unix(path: folder.path("s")))
        var first = try ListeningSocket(on: path, backlog: 4)
        #expect(throws: SystemError(call: "bind", number: EADDRINUSE, subject: "\(path)")) {
            _ = try ListeningSocket(on: path, backlog: 4).raw
        }
        // It is still there.
        let client = try Socket(for: path)
        expectEqual(client.connect(to: path), .connected)
        first.close()
        #expect(LocalConnection.isGone(listenerAt: folder.path("s")))
        try expectEqual(ListeningSocket(on: path, backlog: 4).address, path)
    }

    /// A busy listener refuses nobody: its queue is full (EAGAIN, connect(2)).
    @Test func `A Unix socket whose queue is full is in use`() throws {
        let folder = try TemporaryFolder("sock")
        let path = try #require(SocketAddress.unix(path: folder.path("s")))
        let first = try ListeningSocket(on: path, backlog: 0)
        let client = try Socket(for: path)
        expectEqual(client.connect(to: path), .connected)
        #expect(throws: SystemError.self) { _ = try ListeningSocket(on: path, backlog: 4).raw }
        FileDescriptor.close(try accept(first).raw)
    }

    @Test func `A file that is no socket stays`() throws {
        let folder = try TemporaryFolder("sock")
        let file = try folder.write("s", "kept")
        let path = try #require(SocketAddress.unix(path: file))
        #expect(throws: SystemError(call: "bind", number: EADDRINUSE, subject: "\(path)")) {
            _ = try ListeningSocket(on: path, backlog: 4).raw
        }
        try expectEqual(folder.read("s"), Array("kept".utf8))
    }

    #if FAULT_INJECTION
        @Test func `Whoever cannot listen says where`() throws {
            let place = try address("127.0.0.1:0")
            FaultInjection.arm(.listen, number: EOPNOTSUPP)
            defer { FaultInjection.disarm() }
            #expect(
                throws: SystemError(call: "listen", number: EOPNOTSUPP, subject: "127.0.0.1:0")
            ) { _ = try ListeningSocket(on: place, backlog: 4).raw }
        }
    #endif

    // MARK: Taking over

    @Test func `A socket that was handed in is made one of ours`() throws {
        var first = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        let place = first.address
        let raw = first.release()
        #expect(fcntl(raw, F_SETFL, 0) == 0 && fcntl(raw, F_SETFD, 0) == 0)
        var off: Int32 = 0
        setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &off, 4)
        let taken = try ListeningSocket(adopting: raw)
        expectEqual(taken.raw, raw)
        expectEqual(taken.address, place)
        expectEqual(outcome(taken), "none", "it waits for no peer")
        #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        expectEqual(option(raw, Int32(IPPROTO_TCP), TCP_NODELAY), 1)
    }

    @Test func `What is no socket is named by its number`() throws {
        let null = open("/dev/null", O_RDONLY)
        let raw = try FileDescriptor.duplicate(null, from: 950)
        close(null)
        #expect(
            throws: SystemError(call: "getsockname", number: EINVAL, subject: "descriptor \(raw)")
        ) { _ = try ListeningSocket(adopting: raw).raw }
        #expect(fcntl(raw, F_GETFD) < 0, "it was ours to close")
    }

    // MARK: What accepted connections inherit

    @Test func `A connection is ready for the loop when it is accepted`() throws {
        let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        listener.setSendBuffer(bytes: 20_000)
        listener.setUserTimeout(.milliseconds(7_500))
        listener.deferAccept(seconds: 0)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        let (raw, peer) = try accept(listener)
        defer { FileDescriptor.close(raw) }
        expectEqual(peer, client.localAddress)
        #expect(fcntl(raw, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        expectEqual(option(raw, Int32(IPPROTO_TCP), TCP_NODELAY), 1)
        expectEqual(option(raw, SOL_SOCKET, SO_SNDBUF), 40_000)
        expectEqual(option(raw, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT), 7500)
    }

    @Test func `Clients that say nothing can be kept out, where there is TCP`() throws {
        let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        expectEqual(option(listener.raw, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT), 0)
        listener.deferAccept(seconds: 3)
        #expect(option(listener.raw, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT) >= 3)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        expectEqual([1].withUnsafeBytes { client.send($0) }, .bytes(8))
        FileDescriptor.close(try accept(listener).raw)
    }

    /// They send their SYN again, and so come to the listener that shares the port by then.
    @Test func `Clients of a listener that drops them wait for another one`() throws {
        var silent = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        ListeningSocket.refuseNewClients(silent.raw)
        let client = try Socket(for: silent.address)
        _ = client.connect(to: silent.address)
        expectEqual(outcome(silent), "none")
        let listener = try ListeningSocket(on: silent.address, backlog: 16)
        silent.close()
        FileDescriptor.close(try accept(listener).raw)
        #expect(client.pendingError() == nil)
    }

    // MARK: The queue

    private func queue(_ listener: borrowing ListeningSocket) -> [Int] {
        let (waiting, bound) = listener.queue
        return [waiting, bound]
    }

    @Test func theQueueOfAListenerIsVisible() throws {
        let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
        expectEqual(queue(listener), [0, 16])
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        let other = try Socket(for: listener.address)
        _ = other.connect(to: listener.address)
        _ = Waiting.wait([.init(other.raw, .writing)], until: .now() + .seconds(30))
        expectEqual(queue(listener), [2, 16])
        FileDescriptor.close(try accept(listener).raw)
        expectEqual(queue(listener), [1, 16])
        listener.setBacklog(9)
        expectEqual(queue(listener), [1, 9])
        // The kernel cuts it; the cast alone must not end the process.
        listener.setBacklog(.max)
        #expect(listener.queue.bound > 9)
        let folder = try TemporaryFolder("sock")
        let path = try #require(SocketAddress.unix(path: folder.path("s")))
        expectEqual(queue(try ListeningSocket(on: path, backlog: 4)), [0, 0])
    }

    #if FAULT_INJECTION
        @Test func `Each failure of accept has its consequence`() throws {
            let listener = try ListeningSocket(on: try address("127.0.0.1:0"), backlog: 16)
            defer { FaultInjection.disarm() }
            func outcome(_ number: Int32) -> String {
                FaultInjection.arm(.accept4, number: number)
                return self.outcome(listener)
            }
            expectEqual(outcome(EAGAIN), "none")
            let network = [
                ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH, EPERM, ETIMEDOUT,
            ]
            for number in network { expectEqual(outcome(number), "aborted", "\(number)") }
            for number in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
                expectEqual(outcome(number), "exhausted \(number)")
            }
            expectEqual(outcome(EINVAL), "failed \(EINVAL)")
            // Interrupted calls are repeated.
            expectEqual(outcome(EINTR), "none")
        }
    #endif
}
