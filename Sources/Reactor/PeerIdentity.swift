import Glibc

/// Who is at the other end of a Unix socket, as the kernel says (unix(7), SO_PEERCRED).
package struct PeerIdentity: Sendable, Equatable {
    /// 0: a process of another PID namespace.
    package let process: ProcessID
    package let user: UserID

    /// Nil: the descriptor is no connected Unix socket.
    package init?(of descriptor: Int32) {
        // struct ucred, which <sys/socket.h> hides: three numbers of 32 bits.
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
