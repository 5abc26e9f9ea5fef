import Glibc

/// A blocking connection to a Unix stream socket (unix(7)): for commands, which send one request
/// and wait for its response. Event loops use ``Socket``.
package struct LocalConnection: ~Copyable {
    private let socket: Socket

    /// Connects.
    ///
    /// - Parameter seconds: how long to wait while the queue at the other end is full: the process
    ///   that listens may have stopped.
    /// - Throws: `isWouldBlock` after that time.
    package init(to path: String, within seconds: Int) throws(SystemError) {
        let address = try SocketAddress.requireUnix(path: path, for: "connect")
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Socket(
            owning: try Syscall.call("socket", .socket) { Glibc.socket(AF_UNIX, type, 0) })
        let raw = socket.raw
        limitWaits(of: raw, SO_SNDTIMEO, seconds: seconds)
        do throws(SystemError) {
            _ = try Syscall.call("connect", .connect) {
                address.withSockAddr { connect(raw, $0, $1) }
            }
        } catch { throw error.about(path) }
        self.socket = socket
    }

    /// The peer's credentials from the kernel.
    package var peer: PeerIdentity? { PeerIdentity(of: socket.raw) }

    /// Limits every future wait for bytes (SO_RCVTIMEO).
    package func limitWait(seconds: Int) {
        limitWaits(of: socket.raw, SO_RCVTIMEO, seconds: seconds)
    }

    /// Sends with one call, which may accept only a part.
    package func send(_ bytes: [UInt8]) -> IOOutcome {
        bytes.withUnsafeBytes { socket.send($0) }
    }

    /// Waits for bytes; `wouldBlock` after the time limit.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome {
        socket.receive(into: buffer)
    }
}

/// Limits every future wait of a blocking socket.
///
/// - Parameter option: `SO_SNDTIMEO` or `SO_RCVTIMEO`.
func limitWaits(of raw: Int32, _ option: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(raw, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
}
