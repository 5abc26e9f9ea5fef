import Glibc

/// Datagrams to Unix sockets (unix(7)).
package enum LocalDatagram {
    /// How long a full queue at the other end is waited for.
    private static let secondsMaximum = 1

    /// Sends one datagram; failures are ignored, also that no process reads for a second.
    ///
    /// - Parameter name: a path, or `@name` in the abstract namespace.
    package static func send(_ bytes: [UInt8], to name: String) {
        let file = FileDescriptor(
            owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        let path = name.hasPrefix("@") ? "\0" + name.dropFirst() : name
        guard file.isOpen, let address = SocketAddress.unix(path: path) else { return }
        // A peer that does not read holds the sender no longer than this. A busy manager gets the
        // time.
        limitWaits(of: file.raw, SO_SNDTIMEO, seconds: secondsMaximum)
        _ = address.withSockAddr {
            sendto(file.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
        }
    }
}
