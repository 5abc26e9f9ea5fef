import Glibc

/// The file name of a listening Unix socket, and whether it is still ours.
///
/// Where a predecessor may listen, the socket has a name of its own beside the path until
/// ``take()``: a successor that fails before it serves must leave the predecessor its name.
package struct SocketName: Sendable {
    private let path: String
    /// Where it is bound.
    private let bound: String
    /// The inode of the bound file; a different one at the same path belongs to a successor.
    private let inode: UInt64?

    /// Binds a Unix socket.
    ///
    /// - Parameters:
    ///   - mode: who may connect, as for chmod(2).
    ///   - replaces: a predecessor may listen at this path: ``take()`` replaces its name.
    /// - Returns: the listening descriptor, owned by the caller.
    /// - Throws: `SystemError` about the address, also if another server listens there.
    package static func listen(
        _ path: String, backlog: Int32, mode: UInt32, replaces: Bool
    ) throws(SystemError) -> (descriptor: Int32, name: SocketName) {
        // Always the same name: the leftover of a successor that was killed is removed by the next.
        let bound = replaces && Files.status(path)?.isSocket == true ? "\(path).next" : path
        var socket = try ListeningSocket(on: .requireUnix(path: bound), backlog: backlog)
        do throws(SystemError) {
            _ = try Syscall.call("chmod") { chmod(bound, mode) }
        } catch {
            unlink(bound)
            throw error.about("unix:\(path)")
        }
        return (
            socket.release(),
            SocketName(path: path, bound: bound, inode: Files.status(bound)?.inode)
        )
    }

    /// Takes the path from a predecessor, in one step (rename(2)); clients in its queue stay there.
    /// Does nothing where the socket has the path already.
    package func take() throws(SystemError) {
        guard bound != path, isOurs(bound) else { return }
        do throws(SystemError) {
            _ = try Syscall.call("rename") { rename(bound, path) }
        } catch { throw error.about("unix:\(path)") }
    }

    /// Removes the file, unless it belongs to a successor.
    package func remove() {
        leave()
        if isOurs(path) { Files.remove(path) }
    }

    /// Removes the name beside the path, if the path was never taken.
    package func leave() {
        if bound != path, isOurs(bound) { Files.remove(bound) }
    }

    private func isOurs(_ name: String) -> Bool {
        inode != nil && Files.status(name)?.inode == inode
    }
}
