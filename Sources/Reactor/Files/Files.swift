import Glibc

/// Operations on whole files and folders, each with a limit. Every call blocks: for commands, the
/// control thread and the start, never for a worker.
///
/// Reading and listing are in `Files+Reading.swift`, replacing in `Files+Writing.swift`, locking in
/// `Files+Locking.swift`, owners and permissions in `Files+Ownership.swift`, files that must lie
/// below a folder in `Files+Beneath.swift`, and how far a path leads in `Files+Way.swift`.
package enum Files {
    /// What is known of a file or folder without opening it; links are followed.
    package struct Status: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case file, folder
            /// A device, FIFO or socket, or a link that was not followed.
            case other
        }

        package let kind: Kind
        package let owner: Owner
        package let inode: UInt64
        package let size: Int
        /// The last modification of the content, in nanoseconds since 1970.
        package let modified: Int64
        /// Type and permissions, as in stat(2).
        package let mode: UInt32
        package var isSocket: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) }
        package var isFIFO: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFIFO) }
        /// True only for ``Files/entryStatus(_:)``: elsewhere links are followed.
        package var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }

        init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                default: .other
                }
            owner = Owner(user: status.st_uid, group: status.st_gid)
            inode = UInt64(status.st_ino)
            size = Int(status.st_size)
            modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            mode = UInt32(status.st_mode)
        }
    }

    /// nil if it does not exist or cannot be accessed.
    package static func status(_ path: String) -> Status? {
        var status = stat()
        return stat(path, &status) == 0 ? Status(status) : nil
    }

    /// The status of the entry itself: a link is not followed.
    ///
    /// - Returns: nil if it does not exist.
    /// - Throws: why it cannot be accessed.
    package static func entryStatus(_ path: String) throws(FileError) -> Status? {
        var status = stat()
        if lstat(path, &status) == 0 { return Status(status) }
        if errno == ENOENT { return nil }
        throw FileError("reading", path, .system(errno))
    }

    package static func isFolder(_ path: String) -> Bool { status(path)?.kind == .folder }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether no user can write there, whatever the permissions say.
    package static func isMountedReadOnly(_ path: String) -> Bool {
        access(path, W_OK) != 0 && errno == EROFS
    }

    /// Whether an entry of that name exists: also a dangling link, or one whose target this user
    /// cannot access.
    package static func hasEntry(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// - Throws: why the contents of the folder cannot be reached. Does not open it.
    package static func checkFolder(_ path: String) throws(FileError) {
        try call("reading the folder", path, "access") { access(path + "/.", X_OK) }
    }

    /// Whether this user can read it, whatever its type (also a pipe).
    package static func isReadable(_ path: String) -> Bool {
        (try? checkAccess(path, R_OK, "reading")) != nil
    }

    /// - Throws: why this user cannot list and enter a folder.
    package static func checkListable(_ path: String) throws(FileError) {
        try checkAccess(path, R_OK | X_OK, "reading the folder")
    }

    /// - Throws: why this user cannot create entries in a folder.
    package static func checkWritableFolder(_ path: String) throws(FileError) {
        try checkAccess(path, W_OK | X_OK, "writing there")
    }

    /// - Throws: why this user cannot open the file for writing, or make it. Does neither.
    package static func checkWritable(_ path: String) throws(FileError) {
        if isFolder(path) { throw FileError("writing", path, .system(EISDIR)) }
        if exists(path) { return try checkAccess(path, W_OK, "writing") }
        do throws(FileError) {
            try checkFolder(folder(of: path))
            try checkWritableFolder(folder(of: path))
        } catch {
            throw FileError("writing", path, error.reason)
        }
    }

    private static func checkAccess(
        _ path: String, _ rights: Int32, _ action: String
    ) throws(FileError) {
        try call(action, path, "access") { access(path, rights) }
    }

    /// The absolute path without links, dots and double slashes; nil if it does not exist.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// The parent folder of a path: `a/b` → `a`, `b` → `.`, `/b` → `/`.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0, _ action: String
    ) throws(FileError) -> FileDescriptor {
        FileDescriptor(
            owning: try call(action, path, "open", .open) {
                Glibc.open(path, flags | O_CLOEXEC, mode)
            })
    }

    /// Makes a system call about a file. Its failure names what was done, and to which file.
    @discardableResult
    static func call<Result: SignedInteger>(
        _ action: String, _ path: String, _ name: StaticString,
        _ fault: FaultInjection.Call? = nil, _ body: () -> Result
    ) throws(FileError) -> Result {
        do throws(SystemError) {
            return try Syscall.call(name, fault, body)
        } catch {
            throw FileError(action, path, error)
        }
    }
}
