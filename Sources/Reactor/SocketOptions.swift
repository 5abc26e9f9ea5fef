import CLinux
import Glibc

// Glibc's module declares some of these as enums and some as Int32; these are all Int32.
let internetLevel = Int32(IPPROTO_IP)
private let tcpLevel = Int32(IPPROTO_TCP)

/// TCP's current state of a connection (`TCP_INFO`, tcp(7)).
package struct TCPInfo: Equatable, Sendable {
    /// The connection is established and the peer has not sent FIN. `CLOSE_WAIT` (it has) does not
    /// count.
    package let isEstablished: Bool
    /// Time since the last data segment arrived, including the time in kernel queues: the true age
    /// of an unread request.
    package let sinceLastData: Duration
    /// Time since the last segment with an acknowledgement arrived, including a FIN: for a client
    /// that has left, the time since it left.
    package let sinceLastSegment: Duration
    /// Data is queued in the kernel, nothing is in flight, and the peer's window limited sending:
    /// the peer does not read. On a full link something is always in flight.
    package let isWindowClosed: Bool

    package init(
        isEstablished: Bool, sinceLastData: Duration, sinceLastSegment: Duration,
        isWindowClosed: Bool
    ) {
        self.isEstablished = isEstablished
        self.sinceLastData = sinceLastData
        self.sinceLastSegment = sinceLastSegment
        self.isWindowClosed = isWindowClosed
    }
}

extension Socket {
    @discardableResult
    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
        if Kernel.simulated != nil { return true }
        if FaultInjection.take(.setsockopt) != nil { return false }
        var value = value
        return setsockopt(raw, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Sends small writes at once (TCP_NODELAY): we coalesce them ourselves.
    package func disableNagle() { setOption(tcpLevel, TCP_NODELAY, 1) }

    /// Acknowledges received data now, instead of up to 40 ms later with outgoing data
    /// (TCP_QUICKACK, tcp(7)). A client that uses Nagle's algorithm delays its next small write
    /// until then.
    package func acknowledgeAtOnce() { setOption(tcpLevel, TCP_QUICKACK, 1) }

    /// Limits what a slow reader can leave in the kernel. The kernel doubles the value for its
    /// bookkeeping (socket(7)).
    package func setSendBuffer(bytes: Int) {
        setOption(SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes))
    }

    /// Ends the connection when sent data is not acknowledged, or the peer's window stays closed,
    /// for this long (TCP_USER_TIMEOUT, tcp(7)), also after `close`.
    package func setUserTimeout(_ timeout: Duration) {
        setOption(tcpLevel, TCP_USER_TIMEOUT, Int32(clamping: timeout.inNanoseconds / 1_000_000))
    }

    /// Makes `close` send RST and drop the connection at once: for a peer that must not get more
    /// data (clients in tests, floods).
    package func abortOnClose() {
        if let kernel = Kernel.simulated { return kernel.abortOnClose(raw) }
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(raw, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    /// For an inherited descriptor, whose flags are unknown.
    package func setNonBlocking() throws(SystemError) {
        let flags = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_GETFL) }
        _ = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Whether the descriptor survives exec: an upgrade passes listeners to the next program.
    package func setInheritable(_ inheritable: Bool) throws(SystemError) {
        _ = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_SETFD, inheritable ? 0 : FD_CLOEXEC) }
    }

    /// `nil` if the kernel does not tell (the socket is not TCP).
    package var tcpInfo: TCPInfo? {
        if let kernel = Kernel.simulated { return kernel.tcpInfo(raw) }
        if FaultInjection.take(.getsockopt) != nil { return nil }
        var info = CLinux_tcp_info()
        guard CLinux_getsockopt_TCP_INFO(raw, &info) == 0 else { return nil }
        return TCPInfo(
            isEstablished: info.state == 1,
            sinceLastData: .milliseconds(Int64(info.last_data_recv_ms)),
            sinceLastSegment: .milliseconds(Int64(info.last_ack_recv_ms)),
            isWindowClosed: info.unacked == 0 && info.notsent_bytes > 0
                && info.rwnd_limited_us > 0)
    }

    /// Whether received bytes are unread (SIOCINQ).
    package var hasUnreadBytes: Bool {
        if let kernel = Kernel.simulated { return kernel.hasUnreadBytes(raw) }
        return CLinux_ioctl_SIOCINQ(raw) > 0
    }

    /// Bytes that the peer has not acknowledged yet (SIOCOUTQ); 0 if unknown.
    package var unacknowledgedBytes: Int {
        if let kernel = Kernel.simulated { return kernel.unacknowledgedBytes(raw) }
        return max(0, Int(CLinux_ioctl_SIOCOUTQ(raw)))
    }
}
