package import Reactor

/// The folder with the last good state of every host and certificate:
///
/// ```
/// DIR/aasa-state               says that the folder is ours, and its format; its server locks it
/// DIR/hosts/HOST               one `StateRecord` each, mode 0600
/// DIR/certificates/FOLDER
/// ```
///
/// Each record is written to a temporary file, forced to disk and renamed: after a crash or with a
/// full disk there is the old or the new record, never half of one. Used by one thread at a time.
package struct StateFolder: ~Copyable {
    package let path: String
    private let file: LockFile
    /// What the folder holds, by place: only differences are written.
    private var known: [String: Int] = [:]
    /// Places whose record could not be read: it may hold a good document, which one without a
    /// document does not replace.
    private var unread: Set<String> = []
    /// Places whose record another process wrote and this one never loaded. The same, and they are
    /// not removed.
    private var foreign: Set<String> = []

    private static let marker = "aasa-state"
    private static let rooms: [(kind: StateRecord.Kind, folder: String)] = [
        (.host, "hosts"), (.certificates, "certificates"),
    ]
    /// Up to so many files are synced one by one; for more, the whole file system is synced once. A
    /// file takes a few milliseconds, and a first start has thousands.
    private static let syncedSinglyMaximum = 32

    /// Opens the folder, or makes it, and takes its lock.
    ///
    /// - Parameter owner: the user who will write there, if not this one.
    /// - Throws: `Problem`; `isBusy` if another server keeps its state there.
    package init(
        path: String, owner: Files.Owner? = nil
    ) throws(Problem) {
        self.path = path
        let isNew = try Self.makeFolder(path, owner)
        let names = try Self.names(in: path, "its folder cannot be read")
        let marker = "\(path)/\(Self.marker)"
        if !names.contains(Self.marker) {
            // Revisions of a fleet are in the same folder, and may be there first.
            let own: Set<String> = ["lost+found", "fleet"]
            guard isNew || names.allSatisfy({ $0.hasPrefix(".") || own.contains($0) }) else {
                throw Problem(
                    place: path, cause: "there are other files in it, and no \(Self.marker)",
                    remedy: "name an empty folder, or one that aasa made")
            }
        }
        let file = try Self.open(marker)
        try Self.check(file, marker)
        if let owner, CurrentProcess.user == 0 { file.give(to: owner) }
        for room in Self.rooms { _ = try Self.makeFolder("\(path)/\(room.folder)", owner) }
        self.file = file
    }

    private static func open(_ marker: String) throws(Problem) -> LockFile {
        do throws(FileError) {
            // A folder that cannot be written can still be read; a later write reports the error.
            return try LockFile(marker, .writingIfAllowed(mode: 0o600), followsLink: false)
        } catch {
            throw .system(marker, "cannot be opened", error)
        }
    }

    private static func makeFolder(
        _ path: String, _ owner: Files.Owner?
    ) throws(Problem) -> Bool {
        let isNew: Bool
        do throws(FileError) {
            isNew = try Files.makeNewFolder(path, mode: 0o700)
        } catch {
            throw .system(path, "cannot be made", error)
        }
        guard isNew || Files.isFolder(path) else {
            throw Problem(
                place: path, cause: "not a folder", remedy: "move it away, or name another one")
        }
        if isNew, let owner, CurrentProcess.user == 0 { try? Files.give(path, to: owner) }
        return isNew
    }

    /// Checks the lock and the format.
    private static func check(_ file: borrowing LockFile, _ path: String) throws(Problem) {
        let isLocked: Bool
        do throws(SystemError) {
            isLocked = try file.lock()
        } catch {
            throw .system(path, "cannot be locked", error)
        }
        if !isLocked { throw .busy(path) }
        let bytes = file.bytes(limit: 4096) ?? []
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        if bytes.isEmpty {
            do throws(SystemError) {
                return try file.write(Array("\(marker) \(StateRecord.version)\n".utf8))
            } catch {
                throw .system(path, "cannot be written", error)
            }
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

    /// All readable records, and the problems of the others.
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
                // Whatever is at this place is replaced or removed at the next write.
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
                    unread.insert(place)
                    let cause = (error as? Problem)?.cause ?? "\(error)"
                    problems.append(
                        Problem(
                            place: place, cause: cause,
                            remedy: "it stays there until the host has a good document; let the "
                                + "server's user read it, or remove it"))
                }
            }
        }
        return (records, problems)
    }

    private static func names(
        in path: String, _ cause: String
    ) throws(Problem) -> [String] {
        do throws(FileError) {
            // No limit: entries that are not read would never be removed.
            return try Files.names(in: path, limit: .max)
        } catch {
            throw .system(path, cause, error)
        }
    }

    /// Treats every record found as another process's: it is opened late, and what is here was
    /// never loaded.
    package mutating func keepWhatIsForeign() { foreign = Set(known.keys) }

    // MARK: Writing

    /// Makes the folder hold these records and no others.
    ///
    /// - Throws: the first write error; the other records are written nevertheless.
    package mutating func write(_ records: [StateRecord]) throws(Problem) {
        var failure: Problem?
        var wanted: Set<String> = []
        var changed: [(record: StateRecord, place: String, hash: Int)] = []
        for record in records {
            guard let room = Self.rooms.first(where: { $0.kind == record.kind }) else { continue }
            let place = "\(path)/\(room.folder)/\(StateRecord.escaped(record.name))"
            wanted.insert(place)
            if unread.contains(place) || foreign.contains(place), !record.hasDocument { continue }
            let hash = record.fields.hashValue
            if known[place] == hash {
                // What a predecessor wrote is what it handed over.
                foreign.remove(place)
            } else {
                changed.append((record, place, hash))
            }
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
        if !isSyncedSingly { try? file.syncFileSystem() }
        for (temporary, place, hash) in written {
            do throws(FileError) {
                try Files.rename(temporary, to: place)
                known[place] = hash
                unread.remove(place)
                foreign.remove(place)
            } catch {
                failure = failure ?? .system(place, "cannot be replaced", error)
                Files.remove(temporary)
            }
        }
        for place in known.keys where !wanted.contains(place) && !foreign.contains(place) {
            do throws(FileError) {
                try Files.removeFile(place)
                known[place] = nil
            } catch {
                failure = failure ?? .system(place, "cannot be removed", error)
            }
        }
        // The new names are on disk only after the folder is synced.
        for room in Self.rooms where !changed.isEmpty {
            Files.sync(folder: "\(path)/\(room.folder)")
        }
        if let failure { throw failure }
    }

    private static func write(
        _ record: StateRecord, beside place: String, syncs: Bool
    ) throws(Problem) -> String {
        let slash = place.lastIndex(of: "/") ?? place.startIndex
        let temporary = "\(place[...slash]).\(place[place.index(after: slash)...]).new"
        Files.remove(temporary)
        do throws(FileError) {
            try Files.create(temporary, with: record.encoded(), syncs: syncs)
        } catch {
            let what = error.isSyncFailure ? "cannot be forced to disk" : "cannot be written"
            throw .system(place, what, error)
        }
        return temporary
    }
}

extension Problem {
    /// For a successor this lasts only moments.
    fileprivate static func busy(_ place: String) -> Problem {
        Problem(
            place: place, cause: "another server keeps its state here",
            remedy: "give each server a state folder of its own", kind: .busy)
    }

    fileprivate static func system(
        _ place: String, _ what: String, _ error: SystemError
    ) -> Problem {
        system(place, what, FileError("", place, .system(error.number)))
    }

    fileprivate static func system(
        _ place: String, _ what: String, _ error: FileError
    ) -> Problem {
        let remedy =
            if error.isOutOfSpace {
                "make room on the disk"
            } else if error.isReadOnly {
                "mount it writable, or name another folder with --state"
            } else if error.isNoSuchFile {
                "make the folder above it"
            } else {
                "let user \(CurrentProcess.user) write there, or name another folder with --state"
            }
        return Problem(place: place, cause: "\(what): \(error.cause)", remedy: remedy)
    }
}
