import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SocketOptionsTests {
    private let tcp = Int32(IPPROTO_TCP)

    private func option(_ raw: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        expectEqual(getsockopt(raw, level, name, &value, &length), 0)
        return value
    }

    /// Both ends of a connection over loopback.
    private struct Connection: ~Copyable {
        let client: Socket
        let server: Socket

        init() throws {
            let listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 4)
            let connecting = try Socket(for: listener.address)
            _ = connecting.connect(to: listener.address)
            _ = Waiting.wait([.init(listener.raw)], until: .now() + .seconds(30))
            guard case .accepted(let accepted, _) = listener.accept() else {
                throw SystemError(call: "accept4", number: EAGAIN)
            }
            client = connecting
            server = accepted
        }
    }

    @Test func `Options reach the kernel`() throws {
        let socket = try Socket(for: .v4(0x7F00_0001, port: 0))
        expectEqual(option(socket.raw, tcp, TCP_NODELAY), 0)
        socket.disableNagle()
        expectEqual(option(socket.raw, tcp, TCP_NODELAY), 1)
        // The kernel doubles them.
        socket.setSendBuffer(bytes: 30_000)
        expectEqual(option(socket.raw, SOL_SOCKET, SO_SNDBUF), 60_000)
        socket.setUserTimeout(.milliseconds(1500))
        expectEqual(option(socket.raw, tcp, TCP_USER_TIMEOUT), 1500)
        socket.setUserTimeout(.seconds(1 << 40))
        expectEqual(option(socket.raw, tcp, TCP_USER_TIMEOUT), .max)
    }

    @Test func `Acknowledgements can be sent at once`() throws {
        let connection = try Connection()
        var off: Int32 = 0
        setsockopt(connection.server.raw, tcp, TCP_QUICKACK, &off, 4)
        expectEqual(option(connection.server.raw, tcp, TCP_QUICKACK), 0)
        connection.server.acknowledgeAtOnce()
        expectEqual(option(connection.server.raw, tcp, TCP_QUICKACK), 1)
    }

    @Test func `An aborted connection is reset`() throws {
        var raw: Int32 = -1
        do {
            let connection = try Connection()
            connection.server.abortOnClose()
            raw = try FileDescriptor.duplicate(connection.client.raw)
        }
        let client = Socket(owning: raw)
        var byte: UInt8 = 0
        let outcome = withUnsafeMutableBytes(of: &byte) { client.receive(into: $0) }
        expectEqual(outcome, .failed(SystemError(call: "recv", number: ECONNRESET)))
    }

    @Test func `A descriptor that was handed in keeps its other flags`() throws {
        let socket = try Socket(for: .v4(0x7F00_0001, port: 0))
        expectEqual(fcntl(socket.raw, F_SETFL, O_APPEND), 0)
        try socket.setNonBlocking()
        expectEqual(fcntl(socket.raw, F_GETFL) & (O_APPEND | O_NONBLOCK), O_APPEND | O_NONBLOCK)
        try socket.setInheritable(true)
        expectEqual(fcntl(socket.raw, F_GETFD), 0)
        try socket.setInheritable(false)
        expectEqual(fcntl(socket.raw, F_GETFD), FD_CLOEXEC)
    }

    // MARK: What the kernel tells

    @Test func `A connection stands until its peer begins to leave`() throws {
        let connection = try Connection()
        expectEqual(connection.server.tcpInfo?.isEstablished, true)
        expectEqual(connection.server.tcpInfo?.isWindowClosed, false)
        connection.client.shutdownWrite()
        _ = Waiting.wait([.init(connection.server.raw)], until: .now() + .seconds(30))
        expectEqual(connection.server.tcpInfo?.isEstablished, false)
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let near = Socket(owning: ends[0])
        #expect(near.tcpInfo == nil)
        close(ends[1])
    }

    @Test func `Bytes that nobody has read are seen on their way`() throws {
        let connection = try Connection()
        expectEqual(connection.server.hasUnreadBytes, false)
        let bytes: [UInt8] = [1, 2, 3]
        expectEqual(bytes.withUnsafeBytes { connection.client.send($0) }, .bytes(3))
        _ = Waiting.wait([.init(connection.server.raw)], until: .now() + .seconds(30))
        expectEqual(connection.server.hasUnreadBytes, true)
        let outcome = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) {
            connection.server.receive(into: $0)
        }
        expectEqual(outcome, .bytes(3))
        expectEqual(connection.server.hasUnreadBytes, false)
    }

    @Test func `A peer that reads nothing closes its window`() throws {
        let connection = try Connection()
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        var sent = 0
        // Until the kernel takes no more for a while that is long on loopback.
        repeat {
            while case .bytes(let count) = bytes.withUnsafeBytes({ connection.client.send($0) }) {
                sent += count
            }
        } while Waiting.wait(
            [.init(connection.client.raw, .writing)], until: .now() + .milliseconds(20)) == [true]
        #expect(connection.client.unacknowledgedBytes > 0)
        #expect(connection.client.unacknowledgedBytes <= sent)
        #expect(eventually { connection.client.tcpInfo?.isWindowClosed == true })
        expectEqual(connection.server.tcpInfo?.isWindowClosed, false)
        expectEqual(connection.server.unacknowledgedBytes, 0)
    }

    #if FAULT_INJECTION
        @Test func `What the kernel refuses is told to whoever asks`() throws {
            let connection = try Connection()
            defer { FaultInjection.disarm() }
            FaultInjection.arm(.setsockopt, number: ENOBUFS)
            expectEqual(connection.client.setOption(tcp, TCP_NODELAY, 1), false)
            expectEqual(connection.client.setOption(tcp, TCP_NODELAY, 1), true)
            expectEqual(connection.client.setOption(tcp, -1, 1), false)
            FaultInjection.arm(.getsockopt, number: ENOBUFS)
            #expect(connection.client.tcpInfo == nil)
            for step in 1...2 as ClosedRange<UInt32> {
                FaultInjection.arm(.fcntl, after: step, number: EINVAL)
                #expect(throws: SystemError(call: "fcntl", number: EINVAL)) {
                    try connection.client.setNonBlocking()
                }
            }
        }
    #endif
}
