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
/// A revision is built beside the others, forced to disk, and served by moving the link in one
/// step.
/// The last ones stay: a swap back needs no store, and whoever still reads one is not disturbed.
package struct RevisionShelf: Sendable {
    /// The one that is served, the one before it, and one more for a load that still reads.
    package static let keptMaximum = 3
    private static let entriesMaximum = 1000

    package let path: String
    /// Who has to be able to write here, where that is not this user.
    private let owner: Files.Owner?
    /// Whether certificates of the fleet are kept here, for which a machine needs the key.
    private let holdsSecrets: Bool

    package init(
        path: String, holdsSecrets: Bool, owner: Files.Owner? = nil
    ) {
        self.path = path
        self.holdsSecrets = holdsSecrets
        self.owner = owner
    }

    /// What is served: a link, to be followed once by every reader.
    package var currentLink: String { path + "/current" }

    package func folder(of id: RevisionID) -> String { "\(path)/revisions/\(id.folderName)" }

    /// Makes what is missing.
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

    /// A folder and those above it, as far as they are not there.
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

    /// What there is to start with: the revision that the link leads to, or where that is damaged
    /// the newest of the others that is whole.
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

    /// The revision that the link leads to, if it is there and is what was published.
    package func current() -> RevisionID? {
        guard let target = Files.linkTarget(currentLink),
            let name = target.split(separator: "/").last
        else { return nil }
        return intact("\(path)/revisions/\(name)")
    }

    /// A revision of this identity that lies here whole.
    package func has(_ id: RevisionID) -> Bool { intact(folder(of: id)) == id }

    /// The revision in a folder; nil: none, or some of it is not what it was.
    private func intact(_ folder: String) -> RevisionID? {
        guard let (record, id, list) = read(folder), folder == self.folder(of: id) else {
            return nil
        }
        for file in list.files where holdsSecrets || !file.isSecret {
            // What was decrypted on the way here has another hash; the loader judges it.
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

    /// Files that lie here already, by hash: what a new revision need not fetch.
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

    /// A revision that is being built; not seen by anybody.
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

    /// - Parameter file: has a path that `RevisionFile.isSafe` takes.
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

    /// The draft as it would be read: for a trial.
    package func trialFolder(_ draft: Draft) -> String { draft.folder }

    package func discard(_ draft: Draft) { Files.removeTree(draft.folder) }

    /// Forces the draft to disk and gives it its name.
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
            // One that was damaged, and is not what is served any more.
            if Files.exists(target) { Files.removeTree(target) }
            try Files.rename(draft.folder, to: target)
        }
    }

    /// From now on this one is served.
    package func swap(to id: RevisionID) throws(FleetError) {
        try wrapped { () throws(FileError) in
            try Files.replaceLink(currentLink, to: "revisions/\(id.folderName)")
            try give(currentLink)
        }
    }

    /// Takes old revisions away.
    ///
    /// - Parameter kept: stay; the newest of the rest fill up to ``keptMaximum``.
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
