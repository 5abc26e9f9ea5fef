import Glibc

extension Files {
    /// The bytes of the regular file at `path`, at most `limit`; links are followed.
    ///
    /// A FIFO, a device or a folder is rejected without blocking.
    package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        // O_NONBLOCK: opening a FIFO would block until a writer opens it.
        try read(regular: open(path, readingFlags, "reading"), path, limit)
    }

    /// The same, from a file, a pipe or a terminal; nil is standard input. Reads to the end.
    ///
    /// A FIFO is waited for until a process opens it for writing.
    package static func readInput(_ path: String?, limit: Int) throws(FileError) -> [UInt8] {
        guard let path else { return try readAll(STDIN_FILENO, "standard input", limit, 0) }
        let file = try open(path, O_RDONLY | O_NOCTTY, "reading")
        let status = try status(of: file.raw, path)
        if status.kind == .folder { throw FileError("reading", path, .system(EISDIR)) }
        if status.kind == .file, status.size > limit {
            throw FileError("reading", path, .tooLarge(size: status.size, limit: limit))
        }
        return try readAll(file.raw, path, limit, status.size)
    }

    static let readingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY

    /// Reads an open file after a check that it is a regular one.
    static func read(
        regular file: borrowing FileDescriptor, _ path: String, _ limit: Int
    ) throws(FileError) -> [UInt8] {
        let status = try status(of: file.raw, path)
        guard status.kind == .file else { throw FileError("reading", path, .notRegular) }
        guard status.size <= limit else {
            throw FileError("reading", path, .tooLarge(size: status.size, limit: limit))
        }
        return try readAll(file.raw, path, limit, status.size)
    }

    static func status(of raw: Int32, _ path: String) throws(FileError) -> Status {
        var status = stat()
        try call("reading", path, "fstat") { fstat(raw, &status) }
        return Status(status)
    }

    /// - Parameter expected: the size from stat(2); a file that grew since is read to its end.
    private static func readAll(
        _ raw: Int32, _ path: String, _ limit: Int, _ expected: Int
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(expected, limit))
        var piece = [UInt8](repeating: 0, count: min(max(expected + 1, 4096), 65_536))
        while true {
            let count = try call("reading", path, "read", .read) {
                Glibc.read(raw, &piece, piece.count)
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: piece[..<count])
            if bytes.count > limit {
                throw FileError("reading", path, .tooLarge(size: bytes.count, limit: limit))
            }
        }
    }

    /// The names in a folder, sorted bytewise, so that every machine sees the same order. Without
    /// `.` and `..`.
    ///
    /// - Parameters:
    ///   - limit: maximum of names; more is an error, so that a folder given by mistake (`/proc`)
    ///     does not block.
    ///   - isWanted: whether to include a name.
    package static func names(
        in path: String, limit: Int, where isWanted: (String) -> Bool = { _ in true }
    ) throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            throw FileError("reading the folder", path, .system(errno))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            let injected = FaultInjection.take(.readdir)
            guard injected == nil, let entry = readdir(folder) else {
                // A failing disk or file server is an error, not an end: entries that it did not
                // list still exist.
                let number = injected ?? errno
                if number != 0 { throw FileError("reading the folder", path, .system(number)) }
                return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            let name = name(of: entry)
            guard name != ".", name != "..", isWanted(name) else { continue }
            guard names.count < limit else {
                throw FileError("reading the folder", path, .tooManyEntries(limit: limit))
            }
            names.append(name)
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// The same, with the kind of each entry.
    package static func entries(
        of path: String, limit: Int, where isWanted: (String) -> Bool = { _ in true }
    ) throws(FileError) -> [FolderEntry] {
        try names(in: path, limit: limit, where: isWanted).map { name in
            FolderEntry(name: name, kind: status("\(path)/\(name)")?.kind)
        }
    }
}

/// One entry of a folder; links are followed.
package struct FolderEntry: Sendable, Equatable {
    package let name: String
    /// Nil for a dangling link, which is an entry too: its reader reports the error.
    package let kind: Files.Status.Kind?

    package init(name: String, kind: Files.Status.Kind?) {
        self.name = name
        self.kind = kind
    }
}
