import AppSiteAssociation
import Reactor

/// File operations for a folder store, all of them atomic.
enum StoreFiles {
    /// A record with two keys of RSA-4096 is below 16 KB. Far more than that is read, so that a
    /// file that has grown can be reported, kept aside and replaced.
    static let bytesMaximum = 16 << 20
    /// Two records for each of 50,000 hosts.
    static let entriesMaximum = 100_000

    static func failure(_ error: FileError) -> Problem {
        let remedy =
            if error.isOutOfSpace {
                "make room on the disk"
            } else if error.isReadOnly {
                "mount it writable: aasa writes certificates there"
            } else if error.isDenied {
                "give it to the server's user: chown \(CurrentProcess.user) \(error.path)"
            } else { "check what is at that path" }
        return Problem(
            place: error.path, cause: "\(error.action): \(error.cause)", remedy: remedy)
    }

    /// Performs file operations; their errors get a fix.
    static func attempt<Result>(
        _ body: () throws(FileError) -> Result
    ) throws(Problem) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    /// A file's content as JSON; nil if there is none, or if it is not JSON.
    static func json(_ bytes: [UInt8]?, name: String) -> JSONValue? {
        bytes.flatMap { try? JSONReader.read(SourceText(name: name, bytes: $0)).root }
    }

    /// Nil if the file does not exist.
    static func read(_ path: String) throws(Problem) -> [UInt8]? {
        do throws(FileError) {
            return try Files.read(path, limit: bytesMaximum)
        } catch {
            if error.isMissing { return nil }
            throw failure(error)
        }
    }

    /// After a crash the file has the old or the new content.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(Problem) {
        try attempt { () throws(FileError) in
            try Files.replace(path, with: bytes, mode: mode)
        }
    }

    /// A missing file is no error.
    static func remove(_ path: String) throws(Problem) {
        try attempt { () throws(FileError) in try Files.removeFile(path) }
        Files.sync(folder: Files.folder(of: path))
    }

    /// Creates a folder and its parents, accessible only to this user.
    static func makeFolder(_ path: String) throws(Problem) {
        try attempt { () throws(FileError) in try Files.makeFolder(path, mode: 0o700) }
    }

    /// Checks that this user may write to a folder.
    static func checkWritable(_ folder: String) throws(Problem) {
        try attempt { () throws(FileError) in try Files.checkWritableFolder(folder) }
    }

    /// Of the entry itself, also of a link; nil if there is none.
    static func status(_ path: String) throws(Problem) -> Files.Status? {
        try attempt { () throws(FileError) in try Files.entryStatus(path) }
    }

    static func names(in path: String) throws(Problem) -> [String] {
        do throws(FileError) {
            return try Files.names(in: path, limit: entriesMaximum)
        } catch {
            if error.isMissing { return [] }
            throw failure(error)
        }
    }

    /// Runs `body` while no other process on this machine uses the store.
    static func locked<Result>(
        _ folder: String, _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        do {
            return try Files.locked(folder, body)
        } catch let error as Problem {
            throw error
        } catch let error as FileError {
            throw failure(error)
        } catch {
            throw Problem(place: folder, cause: "\(error)", remedy: "check what is at that path")
        }
    }

    /// Changes the target of a link atomically.
    static func link(_ path: String, to target: String) throws(Problem) {
        try attempt { () throws(FileError) in try Files.replaceLink(path, to: target) }
    }

    /// Removes a folder of plain files; failures are ignored.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] { Files.remove("\(path)/\(name)") }
        Files.removeEmptyFolder(path)
    }
}
