package import Glibc
package import Reactor

/// The folder with the last good state of every host and certificate:
///
/// ```
/// DIR/aasa-state               says that the folder is ours, and its format; its server locks it
/// DIR/hosts/HOST               one `StateRecord` each, mode 0600
/// DIR/certificates/FOLDER
/// ```
///
/// Each record is written beside its old one, forced to disk and renamed: a crash or a full disk
/// leaves the old or the new one, whole. Used by one thread at a time.
package struct StateFolder: ~Copyable {
    package let path: String
    private let lock: Int32
    /// What lies there, by place: only what differs is written.
    private var known: [String: Int] = [:]

    private static let marker = "aasa-state"
    private static let rooms: [(kind: StateRecord.Kind, folder: String)] = [
        (.host, "hosts"), (.certificates, "certificates"),
    ]
    /// Up to so many files are forced to disk one by one, beyond it is the whole file system once:
    /// a file takes a few milliseconds, a first start has thousands.
    private static let syncedSinglyMaximum = 32

    /// Opens the folder, or makes it, and takes its lock.
    ///
    /// - Parameter owner: who will write there, where that is not this user.
    /// - Throws: `Problem`; `isBusy` where another server keeps its state there.
    package init(
        path: String, owner: (user: uid_t, group: gid_t)? = nil
    ) throws(Problem) {
        self.path = path
        let isNew = try Self.makeFolder(path, owner)
        let names = try Self.names(in: path, "its folder cannot be read")
        let marker = "\(path)/\(Self.marker)"
        if !names.contains(Self.marker) {
            // Revisions of a fleet lie beside the state, and may be there first.
            let own: Set<String> = ["lost+found", "fleet"]
            guard isNew || names.allSatisfy({ $0.hasPrefix(".") || own.contains($0) }) else {
                throw Problem(
                    place: path, cause: "there are other files in it, and no \(Self.marker)",
                    remedy: "name an empty folder, or one that aasa made")
            }
        }
        var descriptor = open(marker, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // What cannot be written can still be read; writing says what is wrong.
        if descriptor < 0, errno == EROFS || errno == EACCES {
            descriptor = open(marker, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        }
        guard descriptor >= 0 else { throw .system(marker, "cannot be opened") }
        do throws(Problem) {
            try Self.check(descriptor, marker)
            if let owner, geteuid() == 0 { _ = fchown(descriptor, owner.user, owner.group) }
            for room in Self.rooms { _ = try Self.makeFolder("\(path)/\(room.folder)", owner) }
        } catch {
            close(descriptor)
            throw error
        }
        lock = descriptor
    }

    deinit { close(lock) }

    private static func makeFolder(
        _ path: String, _ owner: (user: uid_t, group: gid_t)?
    ) throws(Problem) -> Bool {
        if mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw .system(path, "cannot be made") }
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Problem(
                    place: path, cause: "not a folder", remedy: "move it away, or name another one")
            }
            return false
        }
        if let owner, geteuid() == 0 { _ = chown(path, owner.user, owner.group) }
        return true
    }

    /// The lock, and the format.
    private static func check(_ descriptor: Int32, _ path: String) throws(Problem) {
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { throw .busy(path) }
            throw .system(path, "cannot be locked")
        }
        let bytes = MemoryFile.bytes(of: descriptor, maximum: 4096) ?? []
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        if bytes.isEmpty {
            let text = Array("\(marker) \(StateRecord.version)\n".utf8)
            guard pwrite(descriptor, text, text.count, 0) == text.count else {
                throw .system(path, "cannot be written")
            }
            return
        }
        guard words.count == 2, words[0] == marker, let version = Int(words[1]) else {
            throw Problem(
                place: path, cause: StateError.foreign.description,
                remedy: "name another folder with --state")
        }
        if version > StateRecord.version {
            throw Problem(
                place: path, cause: StateError.newer(version).description,
                remedy: "name another folder with --state, or install the newer aasa again")
        }
    }

    // MARK: Reading

    /// Everything that is there, and what of it cannot be used.
    package mutating func read() -> (records: [StateRecord], problems: [Problem]) {
        var records: [StateRecord] = []
        var problems: [Problem] = []
        for room in Self.rooms {
            let names: [String]
            do throws(Problem) {
                names = try Self.names(in: "\(path)/\(room.folder)", "cannot be read")
            } catch {
                problems.append(error)
                continue
            }
            for name in names.sorted().prefix(SiteLimits.hostsMaximum) where !name.hasPrefix(".") {
                let place = "\(path)/\(room.folder)/\(name)"
                // Whatever lies there is replaced or taken away with the next writing.
                known[place] = 0
                do {
                    let bytes = try FileReading.bytes(at: place, maximum: StateRecord.bytesMaximum)
                    let record = try StateRecord(decoding: bytes)
                    guard record.kind == room.kind, StateRecord.escaped(record.name) == name else {
                        throw StateError.unusable("it is the state of \(record.name)")
                    }
                    known[place] = record.fields.hashValue
                    records.append(record)
                } catch {
                    let cause = (error as? Problem)?.cause ?? "\(error)"
                    problems.append(
                        Problem(
                            place: place, cause: cause,
                            remedy: "nothing is lost while the files of the site are good"))
                }
            }
        }
        return (records, problems)
    }

    private static func names(
        in path: String, _ cause: String
    ) throws(Problem) -> [String] {
        guard let folder = opendir(path) else { throw .system(path, cause) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    // MARK: Writing

    /// Makes the folder hold these records and no others.
    ///
    /// - Throws: the first thing that could not be written; the others are written all the same.
    package mutating func write(_ records: [StateRecord]) throws(Problem) {
        var failure: Problem?
        var wanted: Set<String> = []
        var changed: [(record: StateRecord, place: String, hash: Int)] = []
        for record in records {
            guard let room = Self.rooms.first(where: { $0.kind == record.kind }) else { continue }
            let place = "\(path)/\(room.folder)/\(StateRecord.escaped(record.name))"
            wanted.insert(place)
            let hash = record.fields.hashValue
            if known[place] != hash { changed.append((record, place, hash)) }
        }
        let isSyncedSingly = changed.count <= Self.syncedSinglyMaximum
        var written: [(temporary: String, place: String, hash: Int)] = []
        for (record, place, hash) in changed {
            do throws(Problem) {
                let temporary = try Self.write(record, beside: place, syncs: isSyncedSingly)
                written.append((temporary, place, hash))
            } catch {
                failure = failure ?? error
            }
        }
        if !isSyncedSingly { try? MemoryFile.syncFileSystem(of: lock) }
        for (temporary, place, hash) in written {
            if rename(temporary, place) == 0 {
                known[place] = hash
            } else {
                failure = failure ?? .system(place, "cannot be replaced")
                unlink(temporary)
            }
        }
        for place in known.keys where !wanted.contains(place) {
            if unlink(place) == 0 || errno == ENOENT {
                known[place] = nil
            } else {
                failure = failure ?? .system(place, "cannot be removed")
            }
        }
        for room in Self.rooms where !changed.isEmpty { Self.sync("\(path)/\(room.folder)") }
        if let failure { throw failure }
    }

    private static func write(
        _ record: StateRecord, beside place: String, syncs: Bool
    ) throws(Problem) -> String {
        let slash = place.lastIndex(of: "/") ?? place.startIndex
        let temporary = "\(place[...slash]).\(place[place.index(after: slash)...]).new"
        unlink(temporary)
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(place, "cannot be written") }
        defer { close(descriptor) }
        let bytes = record.encoded()
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = Problem.system(place, "cannot be written")
                unlink(temporary)
                throw error
            }
            offset += count
        }
        guard !syncs || fsync(descriptor) == 0 else {
            let error = Problem.system(place, "cannot be forced to disk")
            unlink(temporary)
            throw error
        }
        return temporary
    }

    /// The new names are on disk once the folder is; a file system that cannot say so is no error.
    private static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

extension Problem {
    /// For a successor a matter of moments.
    fileprivate static func busy(_ place: String) -> Problem {
        Problem(
            place: place, cause: "another server keeps its state here",
            remedy: "give each server a state folder of its own", kind: .busy)
    }

    fileprivate static func system(_ place: String, _ what: String) -> Problem {
        let number = errno
        let remedy =
            switch number {
            case ENOSPC, EDQUOT: "make room on the disk"
            case EROFS: "mount it writable, or name another folder with --state"
            case ENOENT: "make the folder above it"
            default: "let user \(geteuid()) write there, or name another folder with --state"
            }
        return Problem(
            place: place, cause: "\(what): \(SystemError(call: "", number: number).reason)",
            remedy: remedy)
    }
}
