import Glibc

/// A file or folder that could not be read: what, why, and what to do about it. The reasons are the
/// kernel's words; the remedies are ours.
package struct FileReadingError: Error, Equatable {
    package let path: String
    package let cause: String
    package let remedy: String
    /// Nothing is there (ENOENT, ENOTDIR): the one cause that callers tell apart.
    package let isMissing: Bool

    package init(path: String, cause: String, remedy: String, isMissing: Bool = false) {
        self.path = path
        self.cause = cause
        self.remedy = remedy
        self.isMissing = isMissing
    }

    static func system(_ code: Int32, path: String, folder: Bool) -> FileReadingError {
        let what = folder ? "folder" : "file"
        switch code {
        case ENOENT, ENOTDIR:
            return FileReadingError(
                path: path, cause: "no such \(what)",
                remedy: "make it, or name another (see aasa serve --help)", isMissing: true)
        case EACCES, EPERM:
            return FileReadingError(
                path: path, cause: "not readable for user \(geteuid()) (permission denied)",
                remedy: folder
                    ? "let that user list it: chmod a+rx \(path)"
                    : "let that user read it (chown, or chmod g+r with the user in the group)")
        case ELOOP:
            return FileReadingError(
                path: path, cause: "symbolic links that lead in a circle",
                remedy: "replace the link by a file or by a link to one")
        case EMFILE, ENFILE:
            return FileReadingError(
                path: path, cause: "out of file descriptors",
                remedy: "raise the limit: ulimit -n 65536, or LimitNOFILE= in the unit")
        default:
            return FileReadingError(
                path: path, cause: String(cString: strerror(code)),
                remedy: "see whether the disk and the file system are well")
        }
    }
}

/// Reads whole files and lists folders, with limits. Blocking: called on the reloader's thread
/// only.
package enum FileReading {
    /// The bytes of the regular file at `path`, at most `maximum` of them; links are followed.
    package static func bytes(
        at path: String, maximum: Int
    ) throws(FileReadingError) -> [UInt8] {
        // O_NONBLOCK: a FIFO put there by mistake must not hold the reloader for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 { throw .system(errno, path: path, folder: false) }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw .system(errno, path: path, folder: false) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileReadingError(
                path: path, cause: "not a regular file",
                remedy: "put a file (or a link to one) there")
        }
        if status.st_size > off_t(maximum) { throw tooLarge(path, Int(status.st_size), maximum) }
        // One byte more than the size: a file that grows meanwhile is noticed.
        return try read(descriptor, path: path, expected: Int(status.st_size), maximum: maximum)
    }

    private static func read(
        _ descriptor: Int32, path: String, expected: Int, maximum: Int
    ) throws(FileReadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected)
        var chunk = [UInt8](repeating: 0, count: min(max(expected + 1, 512), 65_536))
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno, path: path, folder: false)
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > maximum { throw tooLarge(path, bytes.count, maximum) }
        }
    }

    private static func tooLarge(_ path: String, _ size: Int, _ maximum: Int) -> FileReadingError {
        FileReadingError(
            path: path, cause: "\(size) bytes; at most \(maximum) are read",
            remedy: "is this the right file?")
    }

    /// What a folder holds, sorted by name bytes so that every machine sees the same order; hidden
    /// entries and what editors leave behind are left out.
    package static func entries(
        of path: String, maximum: Int
    ) throws(FileReadingError) -> [FolderEntry] {
        guard let folder = opendir(path) else { throw .system(errno, path: path, folder: true) }
        defer { closedir(folder) }
        var entries: [FolderEntry] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if FolderEntry.isIgnored(name) { continue }
            var status = stat()
            // A link to nothing is an entry too: its reader says what is wrong with it.
            let kind: FolderEntry.Kind =
                stat("\(path)/\(name)", &status) != 0
                ? .missing
                : status.st_mode & S_IFMT == S_IFDIR
                    ? .folder : status.st_mode & S_IFMT == S_IFREG ? .file : .other
            entries.append(FolderEntry(name: name, kind: kind))
            if entries.count > maximum {
                throw FileReadingError(
                    path: path, cause: "more than \(maximum) entries",
                    remedy: "remove what does not belong there")
            }
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The path without links, dots and double slashes; nil: nothing is there.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

/// One entry of a folder.
package struct FolderEntry: Sendable, Equatable {
    package enum Kind: Sendable {
        case file, folder
        /// A device, FIFO or socket.
        case other
        /// A link that leads nowhere.
        case missing
    }

    package let name: String
    package let kind: Kind

    /// Hidden entries (which covers `..data` and `..2026_…` of Kubernetes volumes: the visible
    /// names are links into them) and the temporary and backup files of editors and of `rename(2)`
    /// writers: `a~`, `#a#`, `a.swp`, `a.tmp`, vim's probe `4913`.
    package static func isIgnored(_ name: String) -> Bool {
        if name.hasPrefix(".") || name.hasSuffix("~") || name == "4913" { return true }
        if name.hasPrefix("#"), name.hasSuffix("#") { return true }
        return [".swp", ".swo", ".swx", ".tmp", ".temp", ".bak", ".orig", ".rej", ".part"]
            .contains { name.hasSuffix($0) } || name == "lost+found"
    }
}
