import Glibc

/// A descriptor that another program opened before it started this one. Only its number is known,
/// and may be wrong: check the kind before use.
package struct InheritedDescriptor: Sendable {
    private let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// What it is; nil if it is closed.
    package var status: Files.Status? {
        var status = stat()
        return fstat(number, &status) == 0 ? Files.Status(status) : nil
    }

    /// Whether it is a stream socket, not a datagram one.
    package var isStream: Bool { option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) }

    /// Whether it is a listening socket.
    package var isListening: Bool { option(SO_ACCEPTCONN) == 1 }

    /// Whether it is an IPv4 or IPv6 socket.
    package var isInternet: Bool {
        let family = option(SO_DOMAIN)
        return family == AF_INET || family == AF_INET6
    }

    private func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// Writes with one call; the rest is lost.
    package func write(_ bytes: [UInt8]) { _ = Glibc.write(number, bytes, bytes.count) }

    package func close() { FileDescriptor.close(number) }
}
