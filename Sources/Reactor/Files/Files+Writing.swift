import Glibc
import Synchronization

extension Files {
    /// What a file is to become.
    package struct Replacement: Sendable {
        package let path: String
        package let bytes: [UInt8]
        /// Set before the first byte is written; nil: mode and owner of the existing file, and
        /// 0666 less the umask for a new one.
        package let mode: UInt32?
        /// Set before the first byte is written; nil: according to `mode`.
        package let owner: Owner?

        package init(path: String, bytes: [UInt8], mode: UInt32? = nil, owner: Owner? = nil) {
            self.path = path
            self.bytes = bytes
            self.mode = mode
            self.owner = owner
        }
    }

    /// Replaces a file atomically: readers see the old or the new content, never a part, and a
    /// crash leaves one of them.
    ///
    /// The content is written to a hidden file in the same folder, forced to disk and renamed
    /// (rename(2)); then the folder is forced to disk. A link is followed and keeps pointing to the
    /// file. What is not a regular file is rejected, as renaming over it would remove it.
    ///
    /// - Parameters:
    ///   - mode: as in ``Replacement/mode``.
    ///   - owner: set before the first byte is written; nil: according to `mode`.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32? = nil, owner: Owner? = nil
    ) throws(FileError) {
        try replace([Replacement(path: path, bytes: bytes, mode: mode, owner: owner)])
    }

    /// Replaces files that belong together: each atomically, in this order, and none before all are
    /// on disk under another name, so that a full disk leaves all of them as they were.
    package static func replace(_ files: [Replacement]) throws(FileError) {
        var staged: [(temporary: String, target: String)] = []
        do throws(FileError) {
            for file in files { staged.append(try stage(file)) }
            for (file, names) in zip(files, staged) {
                try call("writing", file.path, "rename", .rename) {
                    Glibc.rename(names.temporary, names.target)
                }
            }
        } catch {
            for names in staged { unlink(names.temporary) }
            throw error
        }
        for place in Set(staged.map { folder(of: $0.target) }) { sync(folder: place) }
    }

    /// Writes a file's new content beside it.
    private static func stage(
        _ file: Replacement
    ) throws(FileError) -> (temporary: String, target: String) {
        let (target, old) = try replaceable(file.path)
        let temporary = temporary(in: folder(of: target))
        let isNew = file.mode == nil && old == nil
        var opened = try open(
            temporary, O_WRONLY | O_CREAT | O_EXCL, mode: isNew ? 0o666 : 0o600, "writing")
        let raw = opened.raw
        do throws(FileError) {
            if let mode = file.mode {
                try call("writing", file.path, "fchmod") { fchmod(raw, mode_t(mode)) }
            } else if let old {
                // The owner can only be kept by root, and need only be where it differs.
                if old.st_uid != geteuid() || old.st_gid != getegid() {
                    _ = fchown(raw, old.st_uid, old.st_gid)
                }
                try call("writing", file.path, "fchmod") { fchmod(raw, old.st_mode & 0o7777) }
            }
            if let owner = file.owner {
                try call("writing", file.path, "fchown") {
                    fchown(raw, owner.user, owner.group)
                }
            }
            try write(file.bytes, to: raw, file.path)
            try call("writing", file.path, "fsync", .fsync) { fsync(raw) }
            opened.close()
        } catch {
            unlink(temporary)
            throw error
        }
        return (temporary, target)
    }

    /// Whether ``replace(_:with:mode:owner:)`` can be expected to work, told before long work whose
    /// outcome is to be written; changes nothing.
    package static func checkReplaceable(_ path: String) throws(FileError) {
        let (target, _) = try replaceable(path)
        let temporary = temporary(in: folder(of: target))
        _ = try open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, "writing")
        unlink(temporary)
    }

    /// Where a link leads to, and the file that stands there.
    private static func replaceable(_ path: String) throws(FileError) -> (String, stat?) {
        let target = resolved(path) ?? path
        var old = stat()
        guard stat(target, &old) == 0 else { return (target, nil) }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw FileError("writing", path, .notRegular)
        }
        return (target, old)
    }

    private static func temporary(in folder: String) -> String {
        // Hidden: the server's reader skips names that begin with a dot. The number keeps two
        // threads apart; a file of this name is the rest of a dead process with our id.
        let serial = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let path = "\(folder)/.aasa-\(getpid())-\(serial).tmp"
        unlink(path)
        return path
    }

    private static let serial = Atomic<UInt64>(0)

    static func write(_ bytes: [UInt8], to raw: Int32, _ path: String) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try call("writing", path, "write", .write) {
                bytes[offset...].withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Forces the new name to disk with its folder. A file system that cannot do this is not an
    /// error.
    package static func sync(folder path: String) {
        guard let folder = try? open(path, O_RDONLY | O_DIRECTORY, "writing") else { return }
        _ = fsync(folder.raw)
    }

    /// Removes a file; a missing one is no error.
    package static func removeFile(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileError("removing", path, .system(errno))
        }
    }

    /// The same, ignoring failures that no caller could handle.
    package static func remove(_ path: String) { unlink(path) }

    /// Renames a file or folder in the same file system; an existing target is replaced.
    package static func rename(_ path: String, to other: String) throws(FileError) {
        try call("renaming", path, "rename") { Glibc.rename(path, other) }
    }

    /// Removes a folder if it is empty.
    package static func removeEmptyFolder(_ path: String) { rmdir(path) }

    /// Creates one folder; its parent must exist.
    ///
    /// - Returns: false if it existed already.
    package static func makeNewFolder(_ path: String, mode: UInt32) throws(FileError) -> Bool {
        if mkdir(path, mode_t(mode)) == 0 { return true }
        if errno == EEXIST { return false }
        throw FileError("making the folder", path, .system(errno))
    }

    /// Creates a folder that only this user can enter.
    ///
    /// - Parameter prefix: the beginning of the path; six characters are added.
    package static func makeTemporaryFolder(_ prefix: String) throws(FileError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        try call("making the folder", prefix, "mkdtemp") { mkdtemp(&template) == nil ? -1 : 0 }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes a folder with its contents; links are removed, never followed.
    ///
    /// - Parameter depth: maximum of nested folders; deeper ones are kept.
    package static func removeTree(_ path: String, depth: Int = 32) {
        guard unlink(path) != 0, depth > 0, linkTarget(path) == nil else { return }
        for name in (try? names(in: path, limit: .max)) ?? [] {
            removeTree("\(path)/\(name)", depth: depth - 1)
        }
        rmdir(path)
    }

    /// Creates a folder and its parents; an existing one is no error.
    ///
    /// - Parameter owner: the owner of what is created; nil: this user.
    package static func makeFolder(
        _ path: String, mode: UInt32 = 0o755, owner: Owner? = nil
    ) throws(FileError) {
        let parent = folder(of: path)
        if !hasEntry(parent) { try makeFolder(parent, mode: mode, owner: owner) }
        if try makeNewFolder(path, mode: mode) {
            if let owner { try give(path, to: owner) }
        } else if !isFolder(path) {
            throw FileError("making the folder", path, .system(ENOTDIR))
        }
    }
}
