import Glibc
import Synchronization

extension Files {
    /// Permissions of a replaced file.
    package enum Mode: Sendable, Hashable {
        /// Mode and owner of the file that is there; a new one gets 0666 less the umask.
        case kept
        /// Exactly these, set before the first byte is written.
        case exactly(UInt32)
    }

    /// Writes a file so that readers see the old or the new one, never a part, and a crash leaves
    /// one of them.
    ///
    /// The content goes into a hidden file of the same folder, is forced to disk, and takes its
    /// name in one step (rename(2)); then the folder is forced to disk. A link is followed and goes
    /// on pointing to the file. What is no regular file is refused: renaming over it would take it
    /// away.
    ///
    /// - Parameter owner: set before the first byte is written; nil: as `mode` says.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: Mode = .kept, owner: Owner? = nil
    ) throws(FileError) {
        let (target, old) = try replaceable(path)
        let folder = folder(of: target)
        let temporary = temporary(in: folder)
        let isNew = mode == .kept && old == nil
        var file = try open(
            temporary, O_WRONLY | O_CREAT | O_EXCL, mode: isNew ? 0o666 : 0o600, "writing")
        do throws(SystemError) {
            switch mode {
            case .exactly(let mode):
                _ = try Syscall.call("fchmod") { fchmod(file.raw, mode_t(mode)) }
            case .kept:
                guard let old else { break }
                // The owner can only be kept by root, and need only be where it differs.
                if old.st_uid != geteuid() || old.st_gid != getegid() {
                    _ = fchown(file.raw, old.st_uid, old.st_gid)
                }
                _ = try Syscall.call("fchmod") { fchmod(file.raw, old.st_mode & 0o7777) }
            }
            if let owner {
                _ = try Syscall.call("fchown") { fchown(file.raw, owner.user, owner.group) }
            }
            try write(bytes, to: file)
            _ = try Syscall.call("fsync", .fsync) { fsync(file.raw) }
            file.close()
            _ = try Syscall.call("rename", .rename) { Glibc.rename(temporary, target) }
        } catch {
            unlink(temporary)
            throw FileError("writing", path, error)
        }
        sync(folder: folder)
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
        // Hidden: the server's reader leaves out what begins with a dot. The number keeps two
        // threads apart; a file of this name is the rest of a dead process with our id.
        let serial = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let path = "\(folder)/.aasa-\(getpid())-\(serial).tmp"
        unlink(path)
        return path
    }

    private static let serial = Atomic<UInt64>(0)

    private static func write(
        _ bytes: [UInt8], to file: borrowing FileDescriptor
    ) throws(SystemError) {
        let raw = file.raw
        var offset = 0
        while offset < bytes.count {
            offset += try Syscall.call("write", .write) {
                bytes[offset...].withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
            }
        }
    }

    /// The new name is on disk once the folder is; a file system that cannot say so is no reason to
    /// fail.
    package static func sync(folder path: String) {
        guard let folder = try? open(path, O_RDONLY | O_DIRECTORY, "writing") else { return }
        _ = fsync(folder.raw)
    }

    /// Removes a file; one that is not there is fine.
    package static func removeFile(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileError("removing", path, .system(errno))
        }
    }

    /// The same where nobody could do anything about a failure.
    package static func remove(_ path: String) { unlink(path) }

    /// Gives a file or folder another name in the same file system; one that is there goes.
    package static func rename(_ path: String, to other: String) throws(FileError) {
        do throws(SystemError) {
            _ = try Syscall.call("rename") { Glibc.rename(path, other) }
        } catch {
            throw FileError("renaming", path, error)
        }
    }

    /// Removes a folder that is empty; others stay.
    package static func removeEmptyFolder(_ path: String) { rmdir(path) }

    /// Makes one folder, whose parent is there.
    ///
    /// - Returns: false: it was there already.
    package static func makeNewFolder(_ path: String, mode: UInt32) throws(FileError) -> Bool {
        if mkdir(path, mode_t(mode)) == 0 { return true }
        if errno == EEXIST { return false }
        throw FileError("making the folder", path, .system(errno))
    }

    /// Makes a folder that only this user can enter.
    ///
    /// - Parameter prefix: the path's beginning; six characters are added.
    package static func makeTemporaryFolder(_ prefix: String) throws(FileError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileError("making the folder", prefix, .system(errno))
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes a folder with all that is in it; links are removed, never followed.
    ///
    /// - Parameter depth: how many folders lie in each other at most; what is deeper stays.
    package static func removeTree(_ path: String, depth: Int = 32) {
        guard depth > 0, let folder = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let inner = "\(path)/\(name)"
            if entry.pointee.d_type == UInt8(DT_DIR) {
                removeTree(inner, depth: depth - 1)
            } else {
                unlink(inner)
            }
        }
        closedir(folder)
        rmdir(path)
    }

    /// Makes a folder, and those above it; one that is there is fine.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
        if mkdir(path, mode_t(mode)) == 0 { return }
        let number = errno
        if number == EEXIST {
            if isFolder(path) { return }
            throw FileError("making the folder", path, .system(ENOTDIR))
        }
        let parent = folder(of: path)
        guard number == ENOENT, parent != path, parent != "." else {
            throw FileError("making the folder", path, .system(number))
        }
        try makeFolder(parent, mode: mode)
        guard mkdir(path, mode_t(mode)) == 0 || errno == EEXIST else {
            throw FileError("making the folder", path, .system(errno))
        }
    }
}
