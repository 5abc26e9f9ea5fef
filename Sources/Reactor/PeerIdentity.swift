import Glibc

/// The credentials of the peer of a Unix socket, from the kernel (unix(7), SO_PEERCRED).
package struct PeerIdentity: Sendable, Equatable {
    /// 0 for a process of another PID namespace.
    package let process: ProcessID
    package let user: UserID

    /// Nil if the descriptor is not a connected Unix socket.
    package init?(of descriptor: Int32) {
        // struct ucred, which <sys/socket.h> hides: three 32-bit numbers.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        guard
            getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            length == 12
        else { return nil }
        process = ProcessID(bitPattern: credentials[0])
        user = credentials[1]
    }
}
