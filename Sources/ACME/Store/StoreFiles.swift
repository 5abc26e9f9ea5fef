import Glibc

/// The steps on files that a folder as a store needs, each whole or not at all.
enum StoreFiles {
    /// A record with two keys of RSA-4096 is below 16 KB.
    static let bytesMaximum = 1 << 20

    static func failure(_ path: String, _ call: String) -> StoreError {
        let code = errno
        let remedy =
            switch code {
            case ENOSPC, EDQUOT: "make room on the disk"
            case EROFS: "mount it for writing: certificates are written there"
            case EACCES, EPERM: "give it to the server's user (\(geteuid())), mode 0700"
            default: "see what stands there"
            }
        return StoreError(
            place: path, cause: "\(call): \(String(cString: strerror(code)))", remedy: remedy)
    }

    /// Nil: there is no such file.
    static func read(_ path: String) throws(StoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure(path, "cannot be read")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= bytesMaximum {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure(path, "cannot be read") }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        errno = EFBIG
        throw failure(path, "cannot be read")
    }

    /// Written beside, synced, renamed, and the rename synced: a crash leaves the old or the new.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600
    ) throws(StoreError) {
        let temporary = "\(path).\(getpid()).new"
        try write(temporary, bytes, mode)
        guard rename(temporary, path) == 0 else {
            let error = failure(path, "cannot be written")
            unlink(temporary)
            throw error
        }
        sync(folderOf(path))
    }

    /// A new file, synced; removed again where it cannot be written whole.
    static func write(_ path: String, _ bytes: [UInt8], _ mode: mode_t) throws(StoreError) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path, "cannot be written") }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            offset += count
        }
        let isWhole = offset == bytes.count && fsync(descriptor) == 0
        let error = isWhole ? nil : failure(path, "cannot be written")
        close(descriptor)
        if let error {
            unlink(path)
            throw error
        }
    }

    static func remove(_ path: String) throws(StoreError) {
        if unlink(path) != 0, errno != ENOENT { throw failure(path, "cannot be removed") }
        sync(folderOf(path))
    }

    /// Makes a folder for us alone, and those above it.
    static func makeFolder(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/"), folderOf(path) != path else {
            throw failure(path, "cannot be made")
        }
        try makeFolder(folderOf(path))
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(path, "cannot be made") }
    }

    static func names(in path: String) throws(StoreError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw failure(path, "cannot be read")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Where a link leads, as it is written; nil: no link.
    static func target(of path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            return readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Makes a link lead elsewhere, in one step.
    static func link(_ path: String, to target: String) throws(StoreError) {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        guard symlink(target, temporary) == 0 else { throw failure(path, "cannot be linked") }
        guard rename(temporary, path) == 0 else {
            let error = failure(path, "cannot be linked")
            unlink(temporary)
            throw error
        }
        sync(folderOf(path))
    }

    /// Removes a folder of plain files; what cannot be removed stays.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    static func folderOf(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A rename is on the disk when its folder is.
    static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }
}
