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
/// full disk there is the old or the new record, never half of one. Others may remove files or the
/// whole folder meanwhile, so nothing is believed to be there that was not looked at. Used by one
/// thread at a time.
package struct StateFolder: ~Copyable {
    package let path: String
    private let file: LockFile
    /// Whose the files are where root writes them: the server that reads them next may not be root.
    private let owner: Files.Owner?
    /// What the folder holds, by place: only differences are written.
    private var known: [String: Mark] = [:]
    /// Places whose record could not be read: it may hold a good document, which one without a
    /// document does not replace.
    private var unread: Set<String> = []
    /// Places whose record another process wrote and this one never loaded. The same, and they are
    /// not removed.
    private var foreign: Set<String> = []

    /// A record as it was last read or written.
    private struct Mark {
        /// Of its fields; nil: not known, so that it is replaced or removed at the next write.
        let hash: Int?
        let status: Files.Status?

        /// Whether the place is as it was left.
        func isAt(_ place: String) -> Bool { status != nil && status == Files.status(place) }
    }

    private static let marker = "aasa-state"
    /// Up to so many files are synced one by one; for more, the whole file system is synced once. A
    /// file takes a few milliseconds, and a first start has thousands.
    private static let syncedSinglyMaximum = 32
    /// A block of most file systems: one that is full has no room for it.
    private static let probeBytes = 4096

    /// Opens the folder, or makes it, and takes its lock.
    ///
    /// - Parameter owner: the user who will write there, if not this one; nil: where this is root,
    ///   the folder's owner.
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
            var own: Set<String> = ["lost+found", "fleet"]
            // Somebody may have taken the marker alone, or begun to remove the folder while we
            // wrote: the records tell whose it is.
            if Self.holdsNothingElse(path) { own.formUnion(Self.rooms.map(\.folder)) }
            guard isNew || names.allSatisfy({ $0.hasPrefix(".") || own.contains($0) }) else {
                throw Problem(
                    place: path, cause: "there are other files in it, and no \(Self.marker)",
                    remedy: "name an empty folder, or one that aasa made")
            }
        }
        let file = try Self.open(marker)
        try Self.check(file, marker)
        let reader = CurrentProcess.user == 0 ? owner ?? Files.owner(of: path) : nil
        try Self.makeRooms(path, reader)
        if let reader, reader.user != 0 { Self.give(path, file, to: reader) }
        self.owner = reader
        self.file = file
    }

    /// Whether the folders of records are empty, or a record of ours lies in them.
    private static func holdsNothingElse(_ path: String) -> Bool {
        rooms.allSatisfy { room in
            let folder = "\(path)/\(room.folder)"
            let names = try? Files.names(in: folder, limit: .max, where: { !$0.hasPrefix(".") })
            guard let names, !names.isEmpty else { return true }
            return names.contains { name in
                let bytes = try? FileReading.bytes(
                    at: "\(folder)/\(name)", maximum: StateRecord.bytesMaximum)
                return bytes.flatMap { try? StateRecord(decoding: $0) } != nil
            }
        }
    }

    private static func makeRooms(
        _ path: String, _ owner: Files.Owner?
    ) throws(Problem) {
        for room in rooms { _ = try makeFolder("\(path)/\(room.folder)", owner) }
    }

    /// Gives away all that root has written here for itself, at another time.
    private static func give(
        _ path: String, _ file: borrowing LockFile, to owner: Files.Owner
    ) {
        file.give(to: owner)
        if Files.owner(of: path)?.user == 0, let folder = Files.resolved(path) {
            try? Files.give(folder, to: owner)
        }
        // What cannot be given is reported by the one who cannot write it.
        for room in rooms {
            try? Files.giveTree(
                "\(path)/\(room.folder)", to: owner, depth: 1, limit: .max, action: "giving away")
        }
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
            if error.isDenied {
                let user = CurrentProcess.user
                throw Problem(
                    place: path, cause: "cannot be made: \(error.cause)",
                    remedy: "make it for user \(user): install -d -m 700 -o \(user) \(path)")
            }
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
        let looked = Self.look(in: path)
        var problems = looked.problems
        for found in looked.found {
            switch found.content {
            case .success(let record):
                known[found.place] = Mark(hash: record.fields.hashValue, status: found.status)
                records.append(record)
            case .failure(let problem):
                // Whatever is at this place is replaced or removed at the next write.
                known[found.place] = Mark(hash: nil, status: found.status)
                unread.insert(found.place)
                problems.append(problem)
            }
        }
        return (records, problems)
    }

    /// Treats every record found as another process's: it is opened late, and what is here was
    /// never loaded.
    package mutating func keepWhatIsForeign() { foreign = Set(known.keys) }

    // MARK: Writing

    /// Whether the path still leads to the folder that was opened, and locked.
    package var isThere: Bool { file.isAt("\(path)/\(Self.marker)") }

    /// Whether the folder still holds all that was written.
    ///
    /// - Throws: why nothing more can be written there.
    package func isWhole() throws(Problem) -> Bool {
        guard isThere, Self.rooms.allSatisfy({ Files.isFolder("\(path)/\($0.folder)") }),
            known.allSatisfy({
                unread.contains($0.key) || foreign.contains($0.key) || $0.value.isAt($0.key)
            })
        else { return false }
        try probe()
        return true
    }

    /// Writes a block and removes it: a full disk and rights that were lost are known before there
    /// is something to keep.
    private func probe() throws(Problem) {
        for room in Self.rooms {
            let place = "\(path)/\(room.folder)"
            Files.remove("\(place)/.probe")
            do throws(FileError) {
                try Files.create(
                    "\(place)/.probe", with: [UInt8](repeating: 0, count: Self.probeBytes))
            } catch {
                throw .system(place, "cannot be written", error)
            }
            Files.remove("\(place)/.probe")
        }
    }

    /// Makes the folder hold these records and no others.
    ///
    /// - Throws: the first write error; the other records are written nevertheless.
    package mutating func write(_ records: [StateRecord]) throws(Problem) {
        try Self.makeRooms(path, owner)
        var failure: Problem?
        var wanted: Set<String> = []
        var changed: [(record: StateRecord, place: String, hash: Int)] = []
        for record in records {
            guard let room = Self.rooms.first(where: { $0.kind == record.kind }) else { continue }
            let place = "\(path)/\(room.folder)/\(StateRecord.escaped(record.name))"
            wanted.insert(place)
            if unread.contains(place) || foreign.contains(place), !record.hasDocument { continue }
            let hash = record.fields.hashValue
            if let mark = known[place], mark.hash == hash, mark.isAt(place) {
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
                let temporary = try write(record, beside: place, syncs: isSyncedSingly)
                written.append((temporary, place, hash))
            } catch {
                failure = failure ?? error
            }
        }
        if !isSyncedSingly {
            do throws(SystemError) {
                try file.syncFileSystem()
            } catch {
                // Nothing that may be torn replaces what is whole.
                for (temporary, _, _) in written { Files.remove(temporary) }
                written = []
                failure = failure ?? .system(path, "cannot be forced to disk", error)
            }
        }
        for (temporary, place, hash) in written {
            do throws(FileError) {
                try Files.rename(temporary, to: place)
                known[place] = Mark(hash: hash, status: Files.status(place))
                unread.remove(place)
                foreign.remove(place)
            } catch {
                failure = failure ?? .system(place, "cannot be replaced", error)
                Files.remove(temporary)
            }
        }
        // A certificate that could not be read may be the only copy of its key.
        let unreadKeys = unread.filter { $0.hasPrefix("\(path)/certificates/") }
        for place in known.keys
        where !wanted.contains(place) && !foreign.contains(place) && !unreadKeys.contains(place) {
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
        if changed.isEmpty { try probe() }
    }

    private func write(
        _ record: StateRecord, beside place: String, syncs: Bool
    ) throws(Problem) -> String {
        let slash = place.lastIndex(of: "/") ?? place.startIndex
        let temporary = "\(place[...slash]).\(place[place.index(after: slash)...]).new"
        Files.remove(temporary)
        do throws(FileError) {
            try Files.create(
                temporary, with: record.encoded(),
                owner: CurrentProcess.user == 0 ? owner : nil, syncs: syncs)
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
        system(place, what, FileError("writing", place, .system(error.number)))
    }

    static func system(
        _ place: String, _ what: String, _ error: FileError
    ) -> Problem {
        Problem(
            place: place, cause: "\(what): \(error.cause)",
            remedy: error.remedyForWriting(or: "name another folder with --state"))
    }
}
