import OpenSSL
package import Reactor

/// The revisions on a machine's disk:
///
/// ```
/// DIR/current                     a link to the one that is served
/// DIR/revisions/41-9f86d081/      site/ and certs/: ordinary folders
///                          /record.json, list-0.json, …   what they have to be
///                          /opened.json                   and what was decrypted
/// ```
///
/// A revision is built beside the others, forced to disk, and activated by moving the link
/// atomically. The last ones are kept: a rollback needs no store, and readers of an old revision
/// are not disturbed.
package struct RevisionDirectory: Sendable {
    /// The served revision, the previous one, and one more for a load that still reads.
    package static let keptMaximum = 3
    private static let entriesMaximum = 1000

    static let recordName = "record.json"
    /// Hashes of what was decrypted, by path.
    static let openedName = "opened.json"
    static func partName(_ index: Int) -> String { "list-\(index).json" }

    package let path: String
    /// The user who must be able to write here, if root makes the files.
    let owner: Files.Owner?
    /// Whether certificates of the fleet are stored here, for which a machine needs the key.
    private let holdsSecrets: Bool

    package init(
        path: String, holdsSecrets: Bool, owner: Files.Owner? = nil
    ) {
        self.path = path
        self.holdsSecrets = holdsSecrets
        self.owner = CurrentProcess.user == 0 ? owner : nil
    }

    /// The link to the served revision; readers resolve it once.
    package var currentLink: String { path + "/current" }

    package func folder(of id: RevisionID) -> String { "\(path)/revisions/\(id.folderName)" }

    /// Creates what is missing, and removes what interrupted fetches left.
    package func prepare() throws(FleetError) {
        try wrapped { () throws(FileError) in
            try Files.makeFolder(path + "/revisions", mode: 0o700, owner: owner)
            for name in try Files.names(in: path + "/revisions", limit: Self.entriesMaximum)
            where name.hasPrefix(".") && !Self.isBeingFetched(name) {
                Files.removeTree("\(path)/revisions/\(name)")
            }
        }
    }

    // MARK: Reading

    /// What a machine starts with.
    package struct Start: Sendable, Equatable {
        /// Nil: none is whole.
        package var serving: RevisionID?
        /// Why it is not the one that was served last; nil: it is.
        package var damage: RevisionDamage?
    }

    /// What there is to start with: the revision that the link leads to, or where that is damaged
    /// another, to which the link is moved: an older one if there is one.
    ///
    /// What the fleet took back is not kept (``tidy(serving:after:)``). So what is newer than the
    /// served one and damaged is what should be served.
    ///
    /// - Throws: ``FleetError`` where the link cannot be moved.
    package func best() throws(FleetError) -> Start {
        let link = Files.linkTarget(currentLink)?.split(separator: "/").last.map(String.init)
        let number = link.map(Self.number(of:)) ?? .max
        let names = names()
        let older = names.filter { Self.number(of: $0) < number }
        let newer = names.filter { Self.number(of: $0) >= number && $0 != link }
        var start = Start()
        for name in (link.map { [$0] } ?? []) + older + newer.reversed()
        where start.serving == nil {
            do throws(RevisionDamage) { start.serving = try examine(name) } catch {
                if name == link { start.damage = error }
            }
        }
        for name in newer where start.damage == nil {
            do throws(RevisionDamage) { _ = try examine(name) } catch { start.damage = error }
        }
        if let serving = start.serving, serving.folderName != link { try swap(to: serving) }
        return start
    }

    /// A revision of this identity that lies here whole.
    package func has(_ id: RevisionID) -> Bool { (try? examine(id.folderName)) == id }

    /// The revision in a folder.
    private func examine(_ name: String) throws(RevisionDamage) -> RevisionID {
        func damaged(_ reason: String) -> RevisionDamage {
            RevisionDamage(revision: Self.number(of: name), reason: reason)
        }
        let folder = "\(path)/revisions/\(name)"
        if !Files.isFolder(folder) { throw damaged("its folder is missing") }
        let (id, list): (RevisionID, FileList)
        do throws(FleetError) { (_, id, list) = try read(folder) } catch {
            throw damaged("\(error.problem.place): \(error.problem.cause)")
        }
        if name != id.folderName {
            throw damaged("\(Self.recordName): it differs from the published one")
        }
        let opened = openedHashes(folder)
        for file in list.files where holdsSecrets || !file.isSecret {
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try Files.read("\(folder)/\(file.path)", limit: FileList.fileBytesMaximum)
            } catch {
                throw damaged("\(file.path): \(error.cause)")
            }
            // What was decrypted on the way here has a hash of its own. Releases that did not keep
            // it leave such a file to the loader.
            let hash = file.isSecret ? opened[file.path] : file.hash
            guard let hash, hexadecimal(sha256(bytes)) != hash else { continue }
            throw damaged(
                file.isSecret || bytes.count == file.size
                    ? "\(file.path): its bytes were changed"
                    : "\(file.path): \(bytes.count) bytes instead of \(file.size)")
        }
        return id
    }

    /// Record and list of a folder.
    ///
    /// - Throws: ``FleetError`` with the file's name in the folder as its place.
    private func read(
        _ folder: String
    ) throws(FleetError) -> (RevisionRecord, RevisionID, FileList) {
        func bytes(_ name: String, _ limit: Int) throws(FleetError) -> [UInt8] {
            let place = "\(folder)/\(name)"
            do throws(FileError) { return try Files.read(place, limit: limit) } catch {
                throw .damaged(name, error.cause)
            }
        }
        let encoded = try bytes(Self.recordName, 1 << 20)
        let record = try RevisionRecord(decoding: encoded, place: Self.recordName)
        var parts: [[UInt8]] = []
        for index in record.parts.indices { parts.append(try bytes(Self.partName(index), 2 << 20)) }
        let list = try FileList(parts: parts, of: record, place: Self.partName(0))
        let id = RevisionID(number: record.number, hash: hexadecimal(sha256(encoded)))
        return (record, id, list)
    }

    private func openedHashes(_ folder: String) -> [String: String] {
        guard let bytes = try? Files.read("\(folder)/\(Self.openedName)", limit: 2 << 20),
            let value = try? FieldReader(bytes, place: Self.openedName).value["files"]
        else { return [:] }
        var hashes: [String: String] = [:]
        for member in value.members ?? [] { hashes[member.key] = member.value.string }
        return hashes
    }

    /// Files on disk by hash, which a new revision need not fetch.
    package func known() -> [String: String] {
        guard let target = Files.linkTarget(currentLink),
            let name = target.split(separator: "/").last,
            let (_, _, list) = try? read("\(path)/revisions/\(name)")
        else { return [:] }
        var known: [String: String] = [:]
        for file in list.files where !file.isSecret {
            known[file.hash] = "\(path)/revisions/\(name)/\(file.path)"
        }
        return known
    }

    // MARK: Moving

    /// Activates this revision.
    package func swap(to id: RevisionID) throws(FleetError) {
        try wrapped { () throws(FileError) in
            try Files.replaceLink(currentLink, to: "revisions/\(id.folderName)")
            if let owner { try Files.give(currentLink, to: owner) }
        }
    }

    /// Deletes what is not served any more but for the last ones, so that what stays was served in
    /// the order of its numbers: what the fleet took back never stands in for another.
    ///
    /// - Parameter before: was served until now. It goes as well if it is newer.
    package func tidy(serving id: RevisionID, after before: RevisionID?) {
        let earlier = before.flatMap { $0.number < id.number ? $0 : nil }
        let kept = [id.folderName] + (earlier.map { [$0.folderName] } ?? [])
        let least = earlier?.number ?? id.number
        let rest = names().filter { !kept.contains($0) }
        let older = rest.filter { Self.number(of: $0) < least }
            .prefix(Self.keptMaximum - kept.count)
        for name in rest where !older.contains(name) {
            Files.removeTree("\(path)/revisions/\(name)")
        }
    }

    /// The folders of revisions, the newest first.
    private func names() -> [String] {
        let names = try? Files.names(in: path + "/revisions", limit: Self.entriesMaximum)
        return (names ?? []).filter { !$0.hasPrefix(".") }
            .sorted { Self.number(of: $0) > Self.number(of: $1) }
    }

    /// Of a folder (``RevisionID/folderName``); 0: it has none.
    private static func number(of name: String) -> Int64 {
        Int64(name.prefix { $0 != "-" }) ?? 0
    }

    func wrapped<Result>(
        _ body: () throws(FileError) -> Result
    ) throws(FleetError) -> Result {
        do throws(FileError) { return try body() } catch {
            throw FleetError(
                place: error.path, cause: "\(error.action): \(error.cause)",
                remedy: error.isOutOfSpace
                    ? "make room on the disk of --state"
                    : "let the server's user write there (--state)")
        }
    }
}
