import CLinux
import Glibc

// Glibc's module gives some of these as enums and some as Int32; one spelling each.
let internetLevel = Int32(IPPROTO_IP)
private let tcpLevel = Int32(IPPROTO_TCP)

/// What TCP knows about a connection right now (`TCP_INFO`, tcp(7)).
package struct TCPInfo: Equatable, Sendable {
    /// The connection stands and the peer has not begun to leave. `CLOSE_WAIT` (it has) is not
    /// alive in this sense.
    package let isEstablished: Bool
    /// Time since the last data segment came in, the time in kernel queues included: the true age
    /// of an unread request.
    package let sinceLastData: Duration
    /// Time since the last segment with an acknowledgement came in, a FIN included: of a client
    /// that has left, when it did.
    package let sinceLastSegment: Duration
    /// Smoothed round-trip time.
    package let roundTrip: Duration
    /// Data waits in the kernel, nothing is in flight, and it was the peer's window that held data
    /// back: the peer has not read what it was sent. On a full link something is always in flight.
    package let isWindowClosed: Bool
}

extension Socket {
    @discardableResult
    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
        if FaultInjection.take(.setsockopt) != nil { return false }
        var value = value
        return setsockopt(raw, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Small writes leave at once (TCP_NODELAY): we gather them ourselves.
    package func disableNagle() { setOption(tcpLevel, TCP_NODELAY, 1) }

    /// Acknowledges now what was received, instead of waiting up to 40 ms for something to send
    /// along (TCP_QUICKACK, tcp(7)). A client that uses Nagle's algorithm holds its next small
    /// write back until then.
    package func acknowledgeAtOnce() { setOption(tcpLevel, TCP_QUICKACK, 1) }

    /// Bounds what a slow reader can park in the kernel. The kernel doubles the value for its
    /// bookkeeping (socket(7)).
    package func setSendBuffer(bytes: Int) {
        setOption(SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes))
    }

    /// Bounds what the kernel takes in before we read.
    package func setReceiveBuffer(bytes: Int) {
        setOption(SOL_SOCKET, SO_RCVBUF, Int32(clamping: bytes))
    }

    /// Ends the connection when what was sent is not acknowledged, or the peer's window stays
    /// closed, for so long (TCP_USER_TIMEOUT, tcp(7)), also after `close`.
    package func setUserTimeout(_ timeout: Duration) {
        setOption(tcpLevel, TCP_USER_TIMEOUT, Int32(clamping: timeout.inNanoseconds / 1_000_000))
    }

    /// Makes `close` send RST and forget the connection at once. For a peer that shall get nothing
    /// more (clients in tests, floods).
    package func abortOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(raw, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    /// For a descriptor that was handed in, whose flags are not ours.
    package func setNonBlocking() throws(SystemError) {
        let flags = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_GETFL) }
        _ = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Whether the descriptor survives exec: an upgrade hands listeners to the next program.
    package func setInheritable(_ inheritable: Bool) throws(SystemError) {
        _ = try Syscall.call("fcntl", .fcntl) { fcntl(raw, F_SETFD, inheritable ? 0 : FD_CLOEXEC) }
    }

    /// `nil` when the kernel does not say (the socket is not TCP).
    package var tcpInfo: TCPInfo? {
        if FaultInjection.take(.getsockopt) != nil { return nil }
        var info = CLinux_tcp_info()
        guard CLinux_getsockopt_TCP_INFO(raw, &info) == 0 else { return nil }
        return TCPInfo(
            isEstablished: info.state == 1,
            sinceLastData: .milliseconds(Int64(info.last_data_recv_ms)),
            sinceLastSegment: .milliseconds(Int64(info.last_ack_recv_ms)),
            roundTrip: .microseconds(Int64(info.rtt_us)),
            isWindowClosed: info.unacked == 0 && info.notsent_bytes > 0
                && info.rwnd_limited_us > 0)
    }

    /// Whether bytes of the peer wait to be read (SIOCINQ).
    package var hasUnreadBytes: Bool { CLinux_ioctl_SIOCINQ(raw) > 0 }

    /// Bytes the peer has not acknowledged yet (SIOCOUTQ); 0 when the kernel does not say.
    package var unacknowledgedBytes: Int { max(0, Int(CLinux_ioctl_SIOCOUTQ(raw))) }
}
