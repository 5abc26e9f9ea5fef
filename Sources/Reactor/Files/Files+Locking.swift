import Glibc

/// Locks of folders.
///
/// flock(2) on the folder's own descriptor: it leaves no file behind and ends with the process,
/// whatever becomes of it. OFD locks (fcntl(2)) would need a file that is open for writing. Both
/// hold only among those who ask.
extension Files {
    /// Holds the lock of a folder while `body` reads, decides and writes; others wait.
    package static func locked<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value
    {
        let file = try open(folder, O_RDONLY | O_DIRECTORY, "locking the folder")
        while flock(file.raw, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw FileError("locking the folder", folder, .system(errno))
            }
        }
        // The descriptor lives, and the lock with it, until the body has ended.
        defer { _ = flock(file.raw, LOCK_UN) }
        return try body()
    }

    /// Takes a lock without waiting, unless another descriptor has it.
    ///
    /// - Parameter operation: `LOCK_EX` or `LOCK_SH`.
    /// - Returns: false: another has it.
    static func tryLock(_ raw: Int32, _ operation: Int32) throws(SystemError) -> Bool {
        while flock(raw, operation | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return false }
            throw SystemError(call: "flock", number: errno)
        }
        return true
    }
}

/// The lock of a folder for as long as this lives: for a process that has a folder for itself.
package final class FolderLock: Sendable {
    private let file: FileDescriptor

    /// Takes the lock; nil when another process has it.
    ///
    /// - Throws: what keeps the folder from being opened or locked.
    package init?(_ folder: String) throws(FileError) {
        file = try Files.open(folder, O_RDONLY | O_DIRECTORY, "locking the folder")
        do throws(SystemError) {
            if try !Files.tryLock(file.raw, LOCK_EX) { return nil }
        } catch {
            throw FileError("locking the folder", folder, error)
        }
    }
}
