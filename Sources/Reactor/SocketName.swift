import Glibc

/// The name of a listening Unix socket in the file system, and whether it is still ours.
package struct SocketName: Sendable {
    private let path: String
    /// The file that was bound; another one at the same path is a successor's.
    private let inode: UInt64?

    /// Binds a Unix socket.
    ///
    /// - Parameters:
    ///   - mode: who may connect, as chmod(2) has it.
    ///   - replaces: a predecessor may listen at this path: its name is taken over in one step
    ///     (rename(2)), and who waits in its queue stays its own.
    /// - Returns: the listening descriptor, the caller's from here on.
    /// - Throws: `SystemError` about the address, also where another server listens there.
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

    /// Takes the name away, unless a successor has it.
    package func remove() {
        guard let inode, Files.status(path)?.inode == inode else { return }
        Files.remove(path)
    }
}
