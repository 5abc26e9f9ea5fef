import Glibc

/// Datagrams to Unix sockets (unix(7)).
package enum LocalDatagram {
    /// How long a full queue at the other end is waited for.
    private static let secondsMaximum = 1

    /// Sends one datagram; failures are ignored, also that no process reads for a second.
    ///
    /// - Parameter name: a path, or `@name` in the abstract namespace.
    package static func send(_ bytes: [UInt8], to name: String) {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return }
        defer { close(descriptor) }
        // A peer that does not read holds the sender no longer than this. A busy manager gets the
        // time.
        limitWaits(of: descriptor, SO_SNDTIMEO, seconds: secondsMaximum)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        // The length delimits an abstract name: no terminating zero.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }
}
