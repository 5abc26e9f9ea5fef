import CLinux
import Glibc

/// Owns one non-blocking, close-on-exec stream socket.
package struct Socket: ~Copyable, Sendable {
    private var file: FileDescriptor

    /// Takes ownership of `raw`, which must be a non-blocking socket (call `setNonBlocking()` for
    /// an inherited one).
    package init(owning raw: Int32) { file = FileDescriptor(owning: raw) }

    /// No socket.
    package init() { file = FileDescriptor() }

    /// A new unconnected TCP or Unix stream socket of `address`' family.
    package init(for address: SocketAddress) throws(SystemError) {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        do throws(SystemError) {
            file = FileDescriptor(
                owning: try Syscall.call("socket", .socket) {
                    Glibc.socket(address.family, type, 0)
                })
        } catch { throw error.about(address.description) }
    }

    package var raw: Int32 { file.raw }
    package var isOpen: Bool { file.isOpen }
    package mutating func close() { file.close() }
    package mutating func release() -> Int32 { file.release() }

    // MARK: Reading and writing

    /// Reads available bytes. A result smaller than the buffer means that the kernel's buffer is
    /// empty (epoll(7), question 9).
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome {
        if let kernel = Kernel.simulated { return kernel.receive(file.raw, into: buffer) }
        return Syscall.transfer("recv", .recv, emptyIsEnd: true) {
            recv(file.raw, buffer.baseAddress, buffer.count, 0)
        }
    }

    /// Reads available bytes without consuming them (MSG_PEEK, recv(2)).
    package func peek(into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome {
        Syscall.transfer("recv", .recv, emptyIsEnd: true) {
            recv(file.raw, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
        }
    }

    /// Writes as much as the kernel accepts (send(2)).
    package func send(_ bytes: UnsafeRawBufferPointer) -> IOOutcome {
        if bytes.isEmpty { return .bytes(0) }
        if let kernel = Kernel.simulated { return kernel.send(file.raw, bytes) }
        return Syscall.transfer("send", .send, emptyIsEnd: false) {
            Glibc.send(file.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Closes our sending direction: the peer reads everything sent so far, then end of stream. It
    /// fails after a reset by the peer, which does not matter.
    package func shutdownWrite() {
        if let kernel = Kernel.simulated { return kernel.shutdownWrite(file.raw) }
        if FaultInjection.take(.shutdown) != nil { return }
        _ = Glibc.shutdown(file.raw, Int32(SHUT_WR))
    }

    // MARK: Connecting

    package enum ConnectOutcome: Equatable, Sendable {
        case connected
        /// Wait for writability, then call ``pendingError()``.
        case inProgress
        case failed(SystemError)
    }

    /// Starts a connection, optionally from `source` (loopback aliases give a load test more
    /// ports).
    package func connect(to address: SocketAddress, from source: SocketAddress? = nil)
        -> ConnectOutcome
    {
        do throws(SystemError) {
            if let source {
                // connect() chooses the port by the four-tuple. If bind() chose it, there would be
                // only 28,000 ports.
                setOption(internetLevel, IP_BIND_ADDRESS_NO_PORT, 1)
                try bind(source)
            }
            _ = try Syscall.call("connect", .connect) {
                address.withSockAddr { Glibc.connect(file.raw, $0, $1) }
            }
            return .connected
        } catch {
            // An interrupted connect continues in the background, and a repeated call returns
            // EALREADY (connect(2)).
            if error.number == EINPROGRESS || error.number == EALREADY { return .inProgress }
            if error.number == EISCONN { return .connected }
            return .failed(error.about(address.description))
        }
    }

    /// The pending error of this socket (SO_ERROR), cleared by reading it; `nil` if there is none.
    package func pendingError() -> SystemError? {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(file.raw, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else { return nil }
        return number == 0 ? nil : SystemError(call: "connect", number: number)
    }

    package func bind(_ address: SocketAddress) throws(SystemError) {
        do throws(SystemError) {
            _ = try Syscall.call("bind", .bind) {
                address.withSockAddr { Glibc.bind(file.raw, $0, $1) }
            }
        } catch { throw error.about(address.description) }
    }

    // MARK: Addresses

    /// The local address.
    package var localAddress: SocketAddress? {
        if FaultInjection.take(.getsockname) != nil { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(file.raw, $0, &length)
            }
        }
        return result == 0 ? SocketAddress(storage, length: length) : nil
    }
}
