import Glibc

/// Changes files so that nobody ever sees half of one and no two edits lose each other.
///
/// The new content goes into a hidden file beside the old one, is forced to disk, and takes its
/// name in one step (rename(2)); a crash leaves the old or the new file, whole. The folder is
/// locked meanwhile with flock(2): the next edit waits, then reads what this one wrote.
enum FileReplacement {
    /// Holds the lock of a folder while `body` reads, decides and writes.
    ///
    /// The lock is on the folder's own descriptor: nothing is left behind, and it ends with the
    /// process whatever becomes of it.
    static func locked<Value>(
        _ folder: String, _ body: () throws -> Value
    ) throws -> Value {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("the folder cannot be opened", folder) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("the folder cannot be locked", folder) }
        }
        return try body()
    }

    /// Puts `bytes` in the place of the file at `path`, or makes it. Mode and owner of an existing
    /// file stay; a link is followed, so that it goes on pointing to the file.
    static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
        let target = resolved(path) ?? path
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let directory =
            target.hasPrefix("/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : folder
        // Hidden: the server's reader leaves out what begins with a dot.
        let temporary = "\(directory)/.\(parts.last ?? "").\(getpid()).tmp"

        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            throw CommandError(
                "this is no regular file, and replacing it would take it away", place: path,
                remedy: "write to stdout and redirect it")
        }
        unlink(temporary)
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(exists ? 0o600 : 0o666))
        guard descriptor >= 0 else { throw failure("cannot be written", path) }
        var isDone = false
        defer { if !isDone { unlink(temporary) } }
        do {
            defer { close(descriptor) }
            if exists {
                // The owner can only be kept by root, and need only be where it differs.
                if status.st_uid != geteuid() || status.st_gid != getegid() {
                    _ = fchown(descriptor, status.st_uid, status.st_gid)
                }
                guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else {
                    throw failure("its mode cannot be kept", path)
                }
            }
            try write(bytes, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw failure("cannot be forced to disk", path) }
        }
        guard rename(temporary, target) == 0 else { throw failure("cannot be replaced", path) }
        isDone = true
        syncFolder(directory)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String
    ) throws(CommandError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("cannot be written", path)
            }
            offset += count
        }
    }

    /// The new name is on disk once the folder is; a file system that cannot say so is no reason to
    /// fail.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private static func failure(_ what: String, _ path: String) -> CommandError {
        let number = errno
        let remedy: String? =
            switch number {
            case EACCES, EPERM, EROFS: "run it as a user who may write there"
            case ENOSPC, EDQUOT: "make room on the disk; nothing was changed"
            default: nil
            }
        return CommandError(
            "\(what): \(String(cString: strerror(number)))", place: path, remedy: remedy)
    }
}
