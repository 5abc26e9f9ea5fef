import Glibc

/// A small file that a process holds open and can lock (flock(2)). The lock always ends with the
/// process, so a free lock proves that its last holder is gone. It is advisory.
package struct LockFile: ~Copyable, Sendable {
    package enum Opening: Sendable {
        case reading
        /// Reading and writing; a missing file is created with these permissions, less the umask.
        case writing(mode: UInt32)
        /// The same, but read-only if this user may not write or the disk is read-only. A link of
        /// this name is an error.
        case writingIfAllowed(mode: UInt32)
        /// Writing; the name must not exist.
        case new(mode: UInt32)
    }

    private let file: FileDescriptor

    package init(_ path: String, _ opening: Opening) throws(FileError) {
        switch opening {
        case .reading: file = try Files.open(path, O_RDONLY, "opening")
        case .writing(let mode):
            file = try Files.open(path, O_RDWR | O_CREAT, mode: mode, "opening")
        case .writingIfAllowed(let mode): file = try Self.openIfAllowed(path, mode)
        case .new(let mode):
            file = try Files.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode, "opening")
        }
    }

    private static func openIfAllowed(
        _ path: String, _ mode: UInt32
    ) throws(FileError) -> FileDescriptor {
        do throws(FileError) {
            return try Files.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode, "opening")
        } catch let error where [.system(EROFS), .system(EACCES)].contains(error.reason) {
            return try Files.open(path, O_RDONLY | O_NOFOLLOW, "opening")
        }
    }

    /// Takes the lock, unless another process holds it.
    ///
    /// - Parameter isShared: whether others may hold a shared lock too.
    /// - Returns: false if another process holds it.
    package func lock(isShared: Bool = false) throws(SystemError) -> Bool {
        try Files.lock(file.raw, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
    }

    /// The same, and waits until no other process holds it.
    package func waitForLock() throws(SystemError) { _ = try Files.lock(file.raw, LOCK_EX) }

    /// Writes at offset 0 with one call; a longer old content keeps its end.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        let count = pwrite(file.raw, bytes, bytes.count, 0)
        guard count == bytes.count else {
            throw SystemError(call: "pwrite", number: count < 0 ? errno : EIO)
        }
    }

    /// Whether the path still leads to it: another process may have removed it, or put another one
    /// there.
    package func isAt(_ path: String) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(file.raw, &own) == 0 && stat(path, &found) == 0
            && own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    /// Makes it empty.
    package func truncate() throws(SystemError) {
        _ = try Syscall.call("ftruncate") { ftruncate(file.raw, 0) }
    }

    /// Changes the owner, if permitted.
    package func give(to owner: Files.Owner) { _ = fchown(file.raw, owner.user, owner.group) }

    /// Keeps it open, and locked if it is, until the process ends.
    package consuming func keepUntilExit() {
        var file = file
        _ = file.release()
    }
}
