import CLinux
import Glibc

/// The result of one accept(2).
package enum AcceptOutcome: ~Copyable {
    case accepted(Socket, peer: SocketAddress?)
    /// The queue is empty.
    case wouldBlock
    /// The client left while it was queued, or a network error of that client (accept(2)): try the
    /// next one.
    case aborted
    /// Out of descriptors or memory: stop accepting until something is closed. The client stays in
    /// the queue.
    case exhausted(SystemError)
    case failed(SystemError)
}

/// A listening socket.
package struct ListeningSocket: ~Copyable, Sendable {
    private var socket: Socket
    /// The bound address, with the actual port if 0 was requested.
    package let address: SocketAddress

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - backlog: maximum of the accept queue; the kernel caps it at `net.core.somaxconn`.
    ///   - sharesPort: SO_REUSEPORT, so that each worker has its own queue on the same port and the
    ///     kernel spreads connections.
    ///   - takesIPv4: whether a listener on `[::]` also accepts IPv4.
    /// - Throws: `SystemError` about the address.
    package init(
        on address: SocketAddress, backlog: Int32, sharesPort: Bool = true,
        takesIPv4: Bool = false
    ) throws(SystemError) {
        let socket = try Socket(for: address)
        if case .unix(let path) = address.storage {
            // Remove the socket file of a dead process. Connecting tells whether one is in use.
            Self.removeLeftover(at: path)
        } else {
            Self.prepare(socket, address, takesIPv4: takesIPv4)
            if sharesPort { socket.setOption(SOL_SOCKET, SO_REUSEPORT, 1) }
            // Accepted sockets inherit it on Linux: saves one call per connection.
            socket.disableNagle()
        }
        try socket.bind(address)
        do throws(SystemError) {
            _ = try Syscall.call("listen", .listen) { Glibc.listen(socket.raw, backlog) }
        } catch { throw error.about(address.description) }
        self.address = socket.localAddress ?? address
        self.socket = socket
    }

    /// Binds and lets go at once, and never listens: no client gets there, and no other process is
    /// kept from listening.
    ///
    /// - Parameter address: no Unix path: binding one makes a file.
    /// - Returns: why no socket can be bound there, also if another process listens; nil: one can.
    package static func probe(_ address: SocketAddress) -> SystemError? {
        do throws(SystemError) {
            let socket = try Socket(for: address)
            prepare(socket, address, takesIPv4: false)
            try socket.bind(address)
            return nil
        } catch {
            return error
        }
    }

    /// - Parameter takesIPv4: otherwise a separate listener on 0.0.0.0 has its own port.
    private static func prepare(
        _ socket: borrowing Socket, _ address: SocketAddress, takesIPv4: Bool
    ) {
        socket.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isIPv6 {
            socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, takesIPv4 ? 0 : 1)
        }
    }

    /// Adopts a socket that listens already (systemd's socket activation, an upgrade).
    package init(adopting raw: Int32) throws(SystemError) {
        let socket = Socket(owning: raw)
        if Kernel.simulated != nil {
            address = .v4(0x7F00_0001, port: 443)
            self.socket = socket
            return
        }
        try socket.setNonBlocking()
        try socket.setInheritable(false)
        guard let address = socket.localAddress else {
            throw SystemError(call: "getsockname", number: EINVAL, subject: "descriptor \(raw)")
        }
        if !address.isUnix { socket.disableNagle() }
        self.address = address
        self.socket = socket
    }

    /// Gives the socket to another user: the kernel shares a port (SO_REUSEPORT) among the sockets
    /// of one user only. It fails for a process that is not root and already has the right user.
    package func give(to owner: Files.Owner) { _ = fchown(raw, owner.user, owner.group) }

    package var raw: Int32 { socket.raw }
    package mutating func close() { socket.close() }
    package mutating func release() -> Int32 { socket.release() }

    /// Limits the send buffer of every future accepted connection (inherited on Linux), without a
    /// call per connection.
    package func setSendBuffer(bytes: Int) { socket.setSendBuffer(bytes: bytes) }

    /// ``Socket/setUserTimeout(_:)`` for every future accepted connection (inherited on Linux).
    package func setUserTimeout(_ timeout: Duration) { socket.setUserTimeout(timeout) }

    /// Keeps connections without data out of the queue for about this long (TCP_DEFER_ACCEPT,
    /// tcp(7)); 0 disables it. For protocols in which the client speaks first.
    package func deferAccept(seconds: Int32) {
        if !address.isUnix { socket.setOption(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, seconds) }
    }

    /// No new connection begins at this listening socket, for good and for every process that has
    /// it: the kernel drops each SYN, and the client sends it again after a second. Clients that
    /// have connected come into the queue when they speak, or when the kernel asks them again,
    /// which it does a second after their SYN (RFC 6298 section 2.1).
    package static func refuseNewClients(_ raw: Int32) {
        var socket = Socket(owning: raw)
        socket.setOption(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 0)
        _ = CLinux_setsockopt_SO_ATTACH_FILTER_without_SYN(raw)
        _ = socket.release()
    }

    /// Changes the maximum of the accept queue, capped at `net.core.somaxconn`. Connections in a
    /// longer queue stay; new ones are dropped at their SYN and retry.
    package func setBacklog(_ backlog: Int) {
        if let kernel = Kernel.simulated { return kernel.setBacklog(backlog) }
        // Fails for a socket that no longer listens; then the maximum does not matter.
        _ = Glibc.listen(socket.raw, Int32(clamping: backlog))
    }

    /// Accepts one connection, non-blocking and close-on-exec.
    package func accept() -> AcceptOutcome {
        if let kernel = Kernel.simulated {
            guard let (descriptor, peer) = kernel.accept() else { return .wouldBlock }
            return .accepted(Socket(owning: descriptor), peer: peer)
        }
        var storage = sockaddr_storage()
        var length = UInt32(MemoryLayout<sockaddr_storage>.size)
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try Syscall.call("accept4", .accept4) {
                withUnsafeMutablePointer(to: &storage) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        CLinux_accept4(
                            socket.raw, $0, &length,
                            Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
                    }
                }
            }
        } catch {
            switch error.number {
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            case ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH, EPERM, ETIMEDOUT:
                return .aborted
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(error)
            default: return .failed(error)
            }
        }
        return .accepted(Socket(owning: descriptor), peer: SocketAddress(storage, length: length))
    }

    /// The current length and the maximum of the accept queue (`TCP_INFO` of a listening socket).
    package var queue: (waiting: Int, bound: Int) {
        if let kernel = Kernel.simulated { return (kernel.queueLength, 0) }
        var info = CLinux_tcp_info()
        guard CLinux_getsockopt_TCP_INFO(socket.raw, &info) == 0 else { return (0, 0) }
        return (Int(info.unacked), Int(info.sacked))
    }

    /// Removes the socket file of a process that is gone: no process listens there. One whose queue
    /// is full belongs to a process, and what is not a socket stays.
    package static func removeLeftover(at path: String) {
        guard (try? Files.entryStatus(path))?.isSocket == true,
            let address = SocketAddress.unix(path: path), let probe = try? Socket(for: address)
        else { return }
        if case .failed(let error) = probe.connect(to: address), error.isRefused {
            Files.remove(path)
        }
    }
}
