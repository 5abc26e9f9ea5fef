package import Glibc
package import Reactor

/// The file that holds a running server's process id, locked as long as it runs: two servers cannot
/// share it, and whoever reads it can tell whether its process lives (flock(2)).
package final class PidFile: Sendable {
    package let path: String
    // Opened once, closed with the process.
    private let descriptor: Int32
    private let text: String

    /// Takes the file.
    ///
    /// - Parameter isSuccessor: the holder is the process that this one replaces, and lets go when
    ///   it ends.
    /// - Throws: where another server holds it, or its folder is missing.
    package init(
        path: String, process: pid_t, isSuccessor: Bool,
        owner: (user: uid_t, group: gid_t)? = nil
    ) throws(Problem) {
        self.path = path
        text = "\(process)\n"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard opened >= 0 else {
            let number = errno
            throw Problem(
                place: "--pid-file \(path)",
                cause: "cannot be written: \(String(cString: strerror(number)))",
                remedy: number == ENOENT
                    ? "make its folder, or name another file"
                    : "let user \(geteuid()) write there, or name another file")
        }
        if flock(opened, LOCK_EX | LOCK_NB) != 0, !isSuccessor {
            close(opened)
            let holder = StateFile(path: path).processIdentifier().map { " (process \($0))" } ?? ""
            throw Problem(
                place: "--pid-file \(path)", cause: "another server holds it\(holder)",
                remedy: "stop that server, or give this one a pid file of its own")
        }
        if let owner, geteuid() == 0 { _ = fchown(opened, owner.user, owner.group) }
        descriptor = opened
    }

    /// Writes the process id: into a new file that takes the name in one step and is locked by
    /// then; where the folder is not ours to write in, into the file itself.
    package func write() throws(Problem) {
        let temporary = "\(path).\(text.dropLast()).new"
        let bytes = Array(text.utf8)
        let made = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if made >= 0 {
            if flock(made, LOCK_EX | LOCK_NB) == 0,
                Glibc.write(made, bytes, bytes.count) == bytes.count,
                rename(temporary, path) == 0
            {
                return
            }
            unlink(temporary)
            close(made)
        }
        guard ftruncate(descriptor, 0) == 0,
            pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        else {
            throw Problem(
                place: path, cause: "cannot be written: \(String(cString: strerror(errno)))",
                remedy: "let user \(geteuid()) write into its folder")
        }
    }

    /// Removes the file if it is still ours: after an upgrade it is the successor's.
    package func remove() { StateFile(path: path).remove(ifItSays: text) }

    /// Whether the process that wrote the file still runs.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
