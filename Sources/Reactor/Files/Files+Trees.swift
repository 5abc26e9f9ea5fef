import CLinux
import Glibc

/// Folders that are written completely and then activated by a link.
extension Files {
    /// Writes a new file. It is on disk after ``syncFileSystem(of:)``.
    ///
    /// - Parameters:
    ///   - mode: exactly these permissions; nil: 0600 less the umask.
    ///   - owner: who owns it before the first byte is written; nil: this user.
    /// - Throws: also if the name exists. Then nothing is left.
    package static func create(
        _ path: String, with bytes: [UInt8], mode: UInt32? = nil, owner: Owner? = nil
    ) throws(FileError) {
        let file = try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, "writing")
        let raw = file.raw
        do throws(FileError) {
            if let mode { try call("writing", path, "fchmod") { fchmod(raw, mode_t(mode)) } }
            if let owner {
                try call("writing", path, "fchown") { fchown(raw, owner.user, owner.group) }
            }
            try write(bytes, to: raw, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Forces everything written to the file system of a folder to disk (syncfs(2)): one wait for a
    /// thousand files.
    package static func syncFileSystem(of folder: String) throws(FileError) {
        let file = try open(folder, O_RDONLY | O_DIRECTORY, "writing")
        let raw = file.raw
        try call("writing", folder, "syncfs", .fsync) { CLinux_syncfs(raw) }
    }

    /// The bytes of all files below a folder, by their path in it; what cannot be read is omitted.
    ///
    /// - Parameters:
    ///   - limit: maximum of bytes per file, and of entries per folder.
    ///   - depth: maximum of nested folders.
    package static func contents(
        of folder: String, limit: Int, depth: Int = 8
    ) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for entry in (try? entries(of: folder, limit: limit)) ?? [] {
            let place = "\(folder)/\(entry.name)"
            if entry.kind != .folder {
                contents[entry.name] = try? read(place, limit: limit)
            } else if depth > 0 {
                for (path, bytes) in self.contents(of: place, limit: limit, depth: depth - 1) {
                    contents["\(entry.name)/\(path)"] = bytes
                }
            }
        }
        return contents
    }

    /// Points the link `path` to `target` atomically: readers see the old or the new target.
    package static func replaceLink(_ path: String, to target: String) throws(FileError) {
        let temporary = "\(folder(of: path))/.aasa-\(getpid())-link.tmp"
        unlink(temporary)
        try call("linking", path, "symlink") { symlink(target, temporary) }
        do throws(FileError) {
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        sync(folder: folder(of: path))
    }

    /// The target of a link; nil if there is no link.
    package static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
