internal import Glibc

/// Why a file could not be read or written: the call, the file and the reason.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let action: String
    package let path: String
    package let code: Int32

    init(_ action: String, _ path: String) {
        self.action = action
        self.path = path
        code = errno
    }

    package var description: String { "\(action) \(path): \(String(cString: strerror(code)))" }
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    package var isDenied: Bool { code == EACCES || code == EPERM }
}

/// The few operations on files that certificates need. Not for data paths: they block.
package enum FileAccess {
    /// A certificate folder holds files of a few kilobytes; anything beyond 4 MB is not one.
    static let greatest = 4 * 1024 * 1024

    /// The whole file.
    package static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("reading", path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError("reading", path)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > greatest {
                errno = EFBIG
                throw FileError("reading", path)
            }
        }
    }

    /// Writes a file so that readers see the old or the new one, never a part, and a crash leaves
    /// one of them. The mode is set before the first byte is written.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32
    ) throws(FileError) {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw FileError("writing", temporary) }
        var done = false
        defer { if !done { unlink(temporary) } }
        do {
            defer { close(descriptor) }
            guard fchmod(descriptor, mode_t(mode)) == 0 else { throw FileError("writing", path) }
            var offset = 0
            while offset < bytes.count {
                let count = bytes.withUnsafeBytes {
                    write(descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset)
                }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw FileError("writing", path)
                }
                offset += count
            }
            guard fsync(descriptor) == 0 else { throw FileError("writing", path) }
        }
        guard rename(temporary, path) == 0 else { throw FileError("writing", path) }
        done = true
    }

    /// Makes a folder, and those above it; one that is there is fine.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
        if mkdir(path, mode_t(mode)) == 0 || errno == EEXIST {
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
                errno = ENOTDIR
                throw FileError("making the folder", path)
            }
            return
        }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw FileError("making the folder", path)
        }
        try makeFolder(String(path[..<slash]), mode: mode)
        if mkdir(path, mode_t(mode)) != 0 && errno != EEXIST {
            throw FileError("making the folder", path)
        }
    }

    /// The names in a folder, sorted, without those that begin with a dot.
    package static func names(in folder: String) throws(FileError) -> [String] {
        guard let handle = opendir(folder) else { throw FileError("reading the folder", folder) }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.utf8.starts(with: ".".utf8) { names.append(name) }
        }
        return names.sorted()
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether others than the owner may read the file; `nil` when it cannot be told.
    package static func isPrivate(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o004 == 0
    }

    /// Seconds since 1970 by the machine's clock, for commands.
    package static func wallClock() -> Int64 { Int64(time(nil)) }
}
