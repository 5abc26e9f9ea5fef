package import Reactor

/// The folder with what is kept of a site and its certificates:
///
/// ```
/// DIR/aasa-state           says that the folder is ours, and its format; its server locks it
/// DIR/current              a link to the tree that was kept last
/// DIR/kept/SHA256/         its files: a `KeptTree`; files of mode 0600 in folders of mode 0700
/// ```
///
/// A tree is written beside the others, forced to disk, renamed to its hash, and then the link is
/// moved: after a crash or with a full disk there is the old or the new tree, never half of one.
/// Files that have not changed are hard links to those of the previous tree.
/// Other programs may remove files or the whole folder meanwhile, so nothing counts as present that
/// was not checked. Used by one thread at a time.
package struct StateFolder: ~Copyable {
    package let path: String
    private let file: LockFile
    /// Whose the files are where root writes them: the server that reads them next may not be root.
    private let owner: Files.Owner?
    /// The tree that was read or written, and its name.
    private var written = KeptTree()
    private var hash: String?
    private var fingerprint: FolderFingerprint?
    /// What another process kept, and this one never loaded.
    private var foreign = KeptTree()
    /// Whether a file of the tree could not be read: it stays there, under another name.
    private var isDamaged = false

    private static let marker = "aasa-state"
    private static let markerBytesMaximum = 4096
    /// A block of most file systems: one that is full has no room for it.
    private static let probeBytes = 4096
    private static let damaged = "damaged-"

    private var current: String { path + "/current" }
    private var trees: String { path + "/kept" }

    /// Opens the folder, or makes it, and takes its lock.
    ///
    /// - Parameter owner: the user who will write there, if not this one; nil: where this is root,
    ///   the folder's owner.
    /// - Throws: `Problem`; `isBusy` if another server keeps its state there.
    package init(path: String, owner: Files.Owner? = nil) throws(Problem) {
        self.path = path
        if try !Self.makeFolder(path, owner) { try Self.check(path) }
        let file = try Self.open("\(path)/\(Self.marker)")
        let reader = CurrentProcess.user == 0 ? owner ?? Files.owner(of: path) : nil
        _ = try Self.makeFolder(path + "/kept", reader)
        if let reader, reader.user != 0 { Self.give(path, file, to: reader) }
        self.owner = reader
        self.file = file
    }

    /// Why a server could keep nothing in the folder; nil: it can, or there is no folder to be.
    /// Changes and locks nothing.
    package static func problem(_ path: String?) -> Problem? {
        guard let path else { return nil }
        let isThere = Files.hasEntry(path)
        do throws(FileError) {
            let folder = isThere ? path : Files.folder(of: path)
            try Files.checkFolder(folder)
            try Files.checkWritableFolder(folder)
        } catch {
            return .system(path, "cannot be written", error)
        }
        do throws(Problem) {
            if isThere { try check(path) }
            return nil
        } catch {
            return error
        }
    }

    /// Gives away all that root has written here for itself, at another time. What cannot be given
    /// is reported by the one who cannot write it.
    private static func give(
        _ path: String, _ file: borrowing LockFile, to owner: Files.Owner
    ) {
        file.give(to: owner)
        if Files.owner(of: path)?.user == 0, let folder = Files.resolved(path) {
            try? Files.give(folder, to: owner)
        }
        try? Files.giveTree(
            path + "/kept", to: owner, depth: 8, limit: .max, action: "giving away")
    }

    /// Another tool may have removed only the marker, and revisions of a fleet are in the same
    /// folder.
    private static func refuseForeign(_ path: String) throws(Problem) {
        let own = [marker, "lost+found", "fleet", "current", "kept"] + StateVersion1.rooms
        let names = try Problem.explaining(try Files.names(in: path, limit: .max)) {
            .system(path, "its folder cannot be read", $0)
        }
        if names.allSatisfy({ $0.hasPrefix(".") || own.contains($0) }) { return }
        throw Problem(
            place: path, cause: "the folder has other files, and no valid \(marker)",
            remedy: "name an empty folder, or one that aasa created")
    }

    /// Opens the marker and takes its lock.
    private static func open(_ marker: String) throws(Problem) -> LockFile {
        // A folder that cannot be written can still be read; a later write reports the error.
        let file = try Problem.explaining(try LockFile(marker, .writingIfAllowed(mode: 0o600))) {
            .system(marker, "cannot be opened", $0)
        }
        let isLocked = try Problem.explaining(try file.lock()) {
            .call(marker, "cannot be locked", $0)
        }
        // For a successor this lasts only moments.
        if !isLocked {
            throw Problem(
                place: marker, cause: "another server keeps its state here",
                remedy: "give each server its own state folder", kind: .busy)
        }
        return file
    }

    private static func makeFolder(
        _ path: String, _ owner: Files.Owner?
    ) throws(Problem) -> Bool {
        let isNew = try Problem.explaining(try Files.makeNewFolder(path, mode: 0o700)) {
            (error: FileError) in
            if !error.isDenied { return .system(path, "cannot be made", error) }
            let user = CurrentProcess.user
            return Problem(
                place: path, cause: "cannot be made: \(error.cause)",
                remedy: "create it for user \(user): install -d -m 700 -o \(user) \(path)")
        }
        guard isNew || Files.isFolder(path) else {
            throw Problem(
                place: path, cause: "not a folder", remedy: "move it away, or name another one")
        }
        if isNew, let owner, CurrentProcess.user == 0 { try? Files.give(path, to: owner) }
        return isNew
    }

    /// Checks what the marker says. One that says nothing, or was damaged, is written again, as
    /// long as the folder is ours.
    private static func check(_ path: String) throws(Problem) {
        let place = "\(path)/\(marker)"
        if !Files.hasEntry(place) { return try refuseForeign(path) }
        let bytes = (try? Files.read(place, limit: markerBytesMaximum)) ?? []
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        if words.isEmpty { return }
        guard words.count == 2, words[0] == marker, let version = Int(words[1]) else {
            return try refuseForeign(path)
        }
        if version > KeptArchive.version {
            throw Problem(
                place: place,
                cause:
                    "a newer aasa wrote it (format \(version), this one supports \(KeptArchive.version))",
                remedy: "name another folder with --state, or install the newer aasa again")
        }
    }

    // MARK: Reading

    /// What is kept, and what is wrong with it.
    package mutating func read() -> (tree: KeptTree, problems: [Problem]) {
        fingerprint = FolderFingerprint(of: [current])
        let (tree, problems) = Self.read(path)
        let link = Files.linkTarget(current)
        isDamaged = !problems.isEmpty && link != nil
        hash = problems.isEmpty && link == "kept/\(tree.hash)" ? tree.hash : nil
        written = tree
        return (tree, problems)
    }

    /// The same for a folder that another server has locked: a tree is whole when the link leads to
    /// it.
    package static func read(_ path: String) -> (tree: KeptTree, problems: [Problem]) {
        guard let target = target(path) else {
            let old = StateVersion1.read(path)
            return (old.tree, old.problems)
        }
        let contents = Files.contents(
            of: "\(path)/\(target)", limit: KeptTree.factsBytesMaximum)
        guard let (tree, damage) = KeptTree.read(contents) else {
            // Its server has replaced it meanwhile.
            if Self.target(path) != target { return read(path) }
            return (KeptTree(), [damage(path, target, KeptTree.factsPath)])
        }
        return (tree, damage.map { Self.damage(path, target, $0) })
    }

    /// Where the link leads. Without it, as in a copy that omits links, the one tree that is whole:
    /// its name is its hash.
    private static func target(_ path: String) -> String? {
        let link = Files.linkTarget(path + "/current")
        if let link, Files.isFolder("\(path)/\(link)") { return link }
        let names = (try? Files.names(in: path + "/kept", limit: .max)) ?? []
        let whole = names.filter { name in
            let contents = Files.contents(
                of: "\(path)/kept/\(name)", limit: KeptTree.factsBytesMaximum)
            return KeptTree.read(contents).map { $0.tree.hash == name && $0.damage.isEmpty }
                ?? false
        }
        return whole.count == 1 ? "kept/\(whole[0])" : link
    }

    private static func damage(_ path: String, _ target: String, _ file: String) -> Problem {
        Problem(
            place: "\(path)/\(target)/\(file)",
            cause: "it cannot be read, or was changed, so aasa does not use it",
            remedy: "let the server's user read it, or remove it")
    }

    /// Keeps what is there as well: the folder is opened late, and its tree was never loaded here.
    package mutating func keepWhatIsForeign() { foreign = read().tree }

    // MARK: Writing

    /// Whether the path still leads to the folder that was opened, and locked.
    package var isThere: Bool { file.isAt("\(path)/\(Self.marker)") }

    /// Whether the folder still holds all that was written.
    package var isWhole: Bool {
        isThere && Files.isFolder(trees) && fingerprint == FolderFingerprint(of: [current])
    }

    /// Writes a block and removes it: a full disk and rights that were lost are known before there
    /// is something to keep.
    private func probe() throws(Problem) {
        Files.remove("\(trees)/.probe")
        let block = [UInt8](repeating: 0, count: Self.probeBytes)
        try Problem.explaining(try Files.create("\(trees)/.probe", with: block)) {
            .system(trees, "cannot be written", $0)
        }
        Files.remove("\(trees)/.probe")
    }

    /// Makes the folder hold this tree, and looks whether it takes more.
    package mutating func write(_ kept: KeptTree) throws(Problem) {
        _ = try Self.makeFolder(trees, owner)
        let tree = kept.adding(&foreign)
        if hash != nil, tree == written, isWhole { return try probe() }
        let next = tree.hash
        do throws(FileError) {
            let draft = try FolderDraft("\(trees)/.new", owner: owner)
            // Most files stay as they are from load to load. Nobody has touched what is linked: it
            // would be damaged in both trees.
            let last = fingerprint == FolderFingerprint(of: [current]) ? hash : nil
            for (file, bytes) in tree.contents {
                if let last, written.files[file] == bytes,
                    draft.link("\(trees)/\(last)/\(file)", to: file)
                {
                    continue
                }
                try draft.write(bytes, to: file)
            }
            try Files.syncFileSystem(of: trees)
            let old = Files.linkTarget(current)?.split(separator: "/").last.map(String.init)
            try draft.finish(as: "\(trees)/\(next)")
            Files.sync(folder: trees)
            // Of a copy that followed the link.
            if old == nil, Files.isFolder(current) {
                let aside = "\(trees)/\(Self.damaged)current"
                Files.removeTree(aside)
                try Files.rename(current, to: aside)
            }
            try Files.replaceLink(current, to: "kept/\(next)")
            if isDamaged, let old, old != next, Files.isFolder("\(trees)/\(old)") {
                var aside = "\(trees)/\(Self.damaged)\(old)"
                while Files.hasEntry(aside) { aside += "+" }
                try Files.rename("\(trees)/\(old)", to: aside)
            }
        } catch {
            Files.removeTree("\(trees)/.new")
            throw .system(trees, "cannot be written", error)
        }
        let marker = "\(path)/\(Self.marker)"
        let words = Array("\(Self.marker) \(KeptArchive.version)\n".utf8)
        try Problem.explaining(try file.write(words)) { .call(marker, "cannot be written", $0) }
        (written, hash) = (tree, next)
        isDamaged = false
        fingerprint = FolderFingerprint(of: [current])
        for name in (try? Files.names(in: trees, limit: .max)) ?? []
        where name != next && !name.hasPrefix(Self.damaged) { Files.removeTree("\(trees)/\(name)") }
        StateVersion1.remove(from: path)
    }
}

extension Problem {
    fileprivate static func call(
        _ place: String, _ what: String, _ error: SystemError
    ) -> Problem {
        system(place, what, FileError("writing", place, .system(error.number)))
    }

    fileprivate static func system(
        _ place: String, _ what: String, _ error: FileError
    ) -> Problem {
        Problem(
            place: place, cause: "\(what): \(error.cause)",
            remedy: error.remedyForWriting(or: "name another folder with --state"))
    }
}
