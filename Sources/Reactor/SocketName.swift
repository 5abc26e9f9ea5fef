import Glibc

/// The file name of a listening Unix socket, and whether it is still ours.
package struct SocketName: Sendable {
    private let path: String
    /// The inode of the bound file; a different one at the same path belongs to a successor.
    private let inode: UInt64?

    /// Binds a Unix socket.
    ///
    /// - Parameters:
    ///   - mode: who may connect, as for chmod(2).
    ///   - replaces: a predecessor may listen at this path: its name is replaced atomically
    ///     (rename(2)); clients in its queue stay there.
    /// - Returns: the listening descriptor, owned by the caller.
    /// - Throws: `SystemError` about the address, also if another server listens there.
    package static func listen(
        _ path: String, backlog: Int32, mode: UInt32, replaces: Bool
    ) throws(SystemError) -> (descriptor: Int32, name: SocketName) {
        let isTakenOver = replaces && Files.status(path)?.isSocket == true
        let bound = isTakenOver ? "\(path).\(getpid())" : path
        guard let address = SocketAddress.unix(path: bound) else {
            throw SystemError(call: "bind", number: ENAMETOOLONG, subject: "unix:\(bound)")
        }
        var socket = try ListeningSocket(on: address, backlog: backlog)
        do throws(SystemError) {
            _ = try Syscall.call("chmod") { chmod(bound, mode) }
            if isTakenOver { _ = try Syscall.call("rename") { rename(bound, path) } }
        } catch {
            unlink(bound)
            throw error.about("unix:\(path)")
        }
        return (socket.release(), SocketName(path: path, inode: Files.status(path)?.inode))
    }

    /// Removes the file, unless it belongs to a successor.
    package func remove() {
        guard let inode, Files.status(path)?.inode == inode else { return }
        Files.remove(path)
    }
}
