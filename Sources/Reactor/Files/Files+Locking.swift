import Glibc

/// Locks of folders.
///
/// Uses flock(2) on the folder's own descriptor: it leaves no file behind, and the lock always ends
/// with the process. OFD locks (fcntl(2)) would need a file opened for writing. Both are advisory.
extension Files {
    /// Runs `body` with the lock of a folder; others wait.
    ///
    /// - Parameter patience: how long to wait for another process. An edit takes milliseconds, and
    ///   one that is suspended may never end.
    /// - Throws: also an error that ``FileError/isBusy``.
    package static func locked<Value>(
        _ folder: String, patience: Duration = .seconds(30), _ body: () throws -> Value
    ) throws -> Value {
        let file = try open(folder, O_RDONLY | O_DIRECTORY, "locking the folder")
        let end = MonotonicInstant.now() + patience
        do throws(SystemError) {
            while try !lock(file.raw, LOCK_EX | LOCK_NB) {
                let now = MonotonicInstant.now()
                if now >= end { throw SystemError(call: "flock", number: EWOULDBLOCK) }
                _ = Waiting.wait([], until: now + .milliseconds(10))
            }
        } catch {
            throw FileError("locking the folder", folder, error)
        }
        // Keeps the descriptor, and with it the lock, until the body ends.
        defer { _ = flock(file.raw, LOCK_UN) }
        return try body()
    }

    /// Takes a lock.
    ///
    /// - Parameter operation: `LOCK_EX` or `LOCK_SH`; with `LOCK_NB` it does not wait.
    /// - Returns: false if it does not wait and another descriptor holds the lock.
    static func lock(_ raw: Int32, _ operation: Int32) throws(SystemError) -> Bool {
        while flock(raw, operation) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return false }
            throw SystemError(call: "flock", number: errno)
        }
        return true
    }
}
