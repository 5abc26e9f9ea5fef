import Reactor

/// The steps on files that a folder as a store needs, each whole or not at all.
enum StoreFiles {
    /// A record with two keys of RSA-4096 is below 16 KB.
    static let bytesMaximum = 1 << 20
    /// Two records for each of 50,000 hosts.
    static let entriesMaximum = 100_000

    static func failure(_ error: FileError) -> Problem {
        let remedy =
            if error.isOutOfSpace {
                "make room on the disk"
            } else if error.isReadOnly {
                "mount it for writing: certificates are written there"
            } else if error.isDenied {
                "give it to the server's user: chown \(CurrentProcess.user) \(error.path)"
            } else {
                "see what stands there"
            }
        return Problem(
            place: error.path, cause: "\(error.action): \(error.cause)", remedy: remedy)
    }

    /// Nil: there is no such file.
    static func read(_ path: String) throws(Problem) -> [UInt8]? {
        do throws(FileError) {
            return try Files.read(path, limit: bytesMaximum)
        } catch {
            if error.isMissing { return nil }
            throw failure(error)
        }
    }

    /// A crash leaves the old or the new.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(Problem) {
        do throws(FileError) {
            try Files.replace(path, with: bytes, mode: .exactly(mode))
        } catch {
            throw failure(error)
        }
    }

    /// One that is not there is fine.
    static func remove(_ path: String) throws(Problem) {
        do throws(FileError) {
            try Files.removeFile(path)
        } catch {
            throw failure(error)
        }
        Files.sync(folder: Files.folder(of: path))
    }

    /// Makes a folder for us alone, and those above it.
    static func makeFolder(_ path: String) throws(Problem) {
        do throws(FileError) {
            try Files.makeFolder(path, mode: 0o700)
        } catch {
            throw failure(error)
        }
    }

    /// Sees whether this user may write in a folder.
    static func checkWritable(_ folder: String) throws(Problem) {
        do throws(FileError) {
            try Files.checkWritableFolder(folder)
        } catch {
            throw failure(error)
        }
    }

    /// Of the entry itself, also of a link; nil: there is none.
    static func status(_ path: String) throws(Problem) -> Files.Status? {
        do throws(FileError) {
            return try Files.entryStatus(path)
        } catch {
            throw failure(error)
        }
    }

    static func names(in path: String) throws(Problem) -> [String] {
        do throws(FileError) {
            return try Files.names(in: path, limit: entriesMaximum)
        } catch {
            if error.isMissing { return [] }
            throw failure(error)
        }
    }

    /// Runs `body` while nobody else on this machine has the store.
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
            throw Problem(place: folder, cause: "\(error)", remedy: "see what stands there")
        }
    }

    /// Makes a link lead elsewhere, in one step.
    static func link(_ path: String, to target: String) throws(Problem) {
        do throws(FileError) {
            try Files.replaceLink(path, to: target)
        } catch {
            throw failure(error)
        }
    }

    /// Removes a folder of plain files; what cannot be removed stays.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] { Files.remove("\(path)/\(name)") }
        Files.removeEmptyFolder(path)
    }
}
