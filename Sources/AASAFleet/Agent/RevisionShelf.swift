import OpenSSL
package import Reactor

/// The revisions on a machine's disk:
///
/// ```
/// DIR/current                     a link to the one that is served
/// DIR/revisions/41-9f86d081/      site/ and certs/: ordinary folders
///                          /record.json, list-0.json, …   what they have to be
/// ```
///
/// A revision is built beside the others, forced to disk, and activated by moving the link
/// atomically. The last ones are kept: a rollback needs no store, and readers of an old revision
/// are not disturbed.
package struct RevisionShelf: Sendable {
    /// The served revision, the previous one, and one more for a load that still reads.
    package static let keptMaximum = 3
    private static let entriesMaximum = 1000

    package let path: String
    /// The user who must be able to write here, if not this one.
    private let owner: Files.Owner?
    /// Whether certificates of the fleet are stored here, for which a machine needs the key.
    private let holdsSecrets: Bool

    package init(
        path: String, holdsSecrets: Bool, owner: Files.Owner? = nil
    ) {
        self.path = path
        self.holdsSecrets = holdsSecrets
        self.owner = owner
    }

    /// The link to the served revision; readers resolve it once.
    package var currentLink: String { path + "/current" }

    package func folder(of id: RevisionID) -> String { "\(path)/revisions/\(id.folderName)" }

    /// Creates what is missing.
    package func prepare() throws(FleetError) {
        try wrapped { () throws(FileError) in
            for folder in missing(path + "/revisions").reversed() {
                try Files.makeFolder(folder, mode: 0o700)
                try give(folder)
            }
            for name in try Files.names(in: path + "/revisions", limit: Self.entriesMaximum)
            where name.hasPrefix(".") { Files.removeTree("\(path)/revisions/\(name)") }
        }
    }

    /// The missing folders of a path.
    private func missing(_ folder: String) -> [String] {
        var missing: [String] = []
        var folder = folder
        while !folder.isEmpty, !Files.exists(folder) {
            missing.append(folder)
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = String(folder[..<slash])
        }
        return missing
    }

    // MARK: Reading

    /// The revision to start with: the one that the link points to or, if that is damaged, the
    /// newest intact one.
    package func best() throws(FleetError) -> RevisionID? {
        if let current = current() { return current }
        let names =
            (try? Files.names(in: path + "/revisions", limit: Self.entriesMaximum)) ?? []
        for name in names.sorted(by: { modified($0) > modified($1) }) where !name.hasPrefix(".") {
            if let found = intact("\(path)/revisions/\(name)") {
                try swap(to: found)
                return found
            }
        }
        return nil
    }

    /// The revision that the link points to, if it is intact.
    package func current() -> RevisionID? {
        guard let target = Files.linkTarget(currentLink),
            let name = target.split(separator: "/").last
        else { return nil }
        return intact("\(path)/revisions/\(name)")
    }

    /// Whether there is an intact revision with this identity.
    package func has(_ id: RevisionID) -> Bool { intact(folder(of: id)) == id }

    /// The revision in a folder; nil if there is none or it is damaged.
    private func intact(_ folder: String) -> RevisionID? {
        guard let (record, id, list) = read(folder), folder == self.folder(of: id) else {
            return nil
        }
        for file in list.files where holdsSecrets || !file.isSecret {
            // Decrypted files have another hash; the loader checks them.
            guard
                let bytes = try? Files.read(
                    "\(folder)/\(file.path)", limit: FileList.fileBytesMaximum)
            else { return nil }
            if !file.isSecret, hexadecimal(sha256(bytes)) != file.hash { return nil }
        }
        return record.number == id.number ? id : nil
    }

    /// Record and list of a folder.
    func read(_ folder: String) -> (RevisionRecord, RevisionID, FileList)? {
        guard let bytes = try? Files.read(folder + "/record.json", limit: 1 << 20) else {
            return nil
        }
        let hash = hexadecimal(sha256(bytes))
        guard let record = try? RevisionRecord(decoding: bytes, place: folder) else { return nil }
        var parts: [[UInt8]] = []
        for index in record.parts.indices {
            guard let part = try? Files.read("\(folder)/list-\(index).json", limit: 2 << 20)
            else { return nil }
            parts.append(part)
        }
        guard let list = try? FileList(parts: parts, of: record, place: folder) else {
            return nil
        }
        return (record, RevisionID(number: record.number, hash: hash), list)
    }

    /// Files on disk by hash, which a new revision need not fetch.
    package func known() -> [String: String] {
        guard let target = Files.linkTarget(currentLink),
            let name = target.split(separator: "/").last,
            let (_, _, list) = read("\(path)/revisions/\(name)")
        else { return [:] }
        var known: [String: String] = [:]
        for file in list.files where !file.isSecret {
            known[file.hash] = "\(path)/revisions/\(name)/\(file.path)"
        }
        return known
    }

    // MARK: Writing

    /// A revision under construction, not visible to readers.
    package struct Draft: Sendable {
        fileprivate let folder: String
        fileprivate var folders: Set<String> = []
    }

    package func begin(_ id: RevisionID) throws(FleetError) -> Draft {
        let folder = "\(path)/revisions/.new-\(CurrentProcess.id)-\(id.folderName)"
        Files.removeTree(folder)
        var draft = Draft(folder: folder)
        try wrapped { () throws(FileError) in try makeFolder(folder, &draft) }
        return draft
    }

    /// - Parameter file: its path must pass `RevisionFile.isSafe`.
    package func write(
        _ bytes: [UInt8], as file: RevisionFile, to draft: inout Draft
    ) throws(FleetError) {
        var draft = draft
        try wrapped { () throws(FileError) in
            var folder = draft.folder
            for part in file.path.split(separator: "/").dropLast() {
                folder += "/\(part)"
                try makeFolder(folder, &draft)
            }
            let target = "\(draft.folder)/\(file.path)"
            try Files.create(target, with: bytes, mode: file.isSecret ? 0o600 : 0o644)
            try give(target)
        }
    }

    private func makeFolder(_ folder: String, _ draft: inout Draft) throws(FileError) {
        guard draft.folders.insert(folder).inserted else { return }
        try Files.makeFolder(folder, mode: 0o700)
        try give(folder)
    }

    /// The folder of the draft, for a trial.
    package func trialFolder(_ draft: Draft) -> String { draft.folder }

    package func discard(_ draft: Draft) { Files.removeTree(draft.folder) }

    /// Forces the draft to disk and renames it.
    package func finish(
        _ draft: Draft, _ record: RevisionRecord, _ list: FileList, _ id: RevisionID
    ) throws(FleetError) {
        try wrapped { () throws(FileError) in
            let files =
                [("record.json", record.encoded)]
                + list.parts.enumerated().map { ("list-\($0.offset).json", $0.element) }
            for (name, bytes) in files {
                try Files.create("\(draft.folder)/\(name)", with: bytes, mode: 0o600)
                try give("\(draft.folder)/\(name)")
            }
            try Files.syncFileSystem(of: draft.folder)
            let target = folder(of: id)
            // A damaged one that is no longer served.
            if Files.exists(target) { Files.removeTree(target) }
            try Files.rename(draft.folder, to: target)
        }
    }

    /// Activates this revision.
    package func swap(to id: RevisionID) throws(FleetError) {
        try wrapped { () throws(FileError) in
            try Files.replaceLink(currentLink, to: "revisions/\(id.folderName)")
            try give(currentLink)
        }
    }

    /// Deletes old revisions.
    ///
    /// - Parameter kept: never deleted; the newest of the others are kept up to ``keptMaximum``.
    package func tidy(keeping kept: [RevisionID]) {
        guard
            let names = try? Files.names(in: path + "/revisions", limit: Self.entriesMaximum)
        else { return }
        let held = Set(kept.map(\.folderName))
        let rest = names.filter { !$0.hasPrefix(".") && !held.contains($0) }.sorted {
            modified($0) > modified($1)
        }
        for name in rest.dropFirst(max(0, Self.keptMaximum - held.count)) {
            Files.removeTree("\(path)/revisions/\(name)")
        }
    }

    private func modified(_ name: String) -> Int64 {
        Files.status("\(path)/revisions/\(name)")?.modified ?? 0
    }

    private func give(_ path: String) throws(FileError) {
        guard let owner, CurrentProcess.user == 0 else { return }
        try Files.give(path, to: owner)
    }

    private func wrapped(_ body: () throws(FileError) -> Void) throws(FleetError) {
        do throws(FileError) {
            try body()
        } catch {
            throw FleetError(
                place: error.path, cause: "\(error.action): \(error.cause)",
                remedy: error.isOutOfSpace
                    ? "make room on the disk of --state"
                    : "the server's user has to be able to write there (--state)")
        }
    }
}
