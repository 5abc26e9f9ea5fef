import AASAServer
import AppSiteAssociation
import Reactor

/// One edit of a host's files: read, edit, check, replace, all under the lock of the teams' folder,
/// so that two edits at once both end up in the files.
struct HostEdit {
    let host: HostInput
    let options: AppCommand.EditOptions
    /// Whether a team may get its first file.
    var startsTeams = false
    /// Whether warnings keep no edit from being written.
    var allowsWarnings = false

    private var folder: String { "\(host.path)/teams" }

    /// - Parameter edit: changes the files and says what it did, such as "added X to applinks".
    func run(_ edit: (inout HostFiles) throws -> String) throws {
        try requireEditable(host.source)
        let isNew: Bool
        do throws(FileError) {
            isNew = try Files.makeNewFolder(folder, mode: 0o777)
        } catch {
            throw CommandError(
                "cannot be made: \(error.cause)", place: folder,
                remedy: error.remedyForWriting(or: "name another host's folder"))
        }
        // A folder that stays empty is taken away again; one with files cannot be.
        defer { if isNew { Files.removeEmptyFolder(folder) } }
        func perform() throws -> [String] {
            // Read again now that no other process edits: what was read before may be old.
            let current = HostFolder.read(name: host.name, path: host.path)
            try requireEditable(current)
            var files = HostFiles(current, folder: folder, startsTeams: startsTeams)
            let done = try edit(&files)
            let changes = files.changes
            try requireUnclaimed(changes)
            try check(files, changes, against: current)
            try write(changes)
            return [sentence(done, changes)] + files.notes(on: changes)
                + (try forgetTeams(changes, current))
        }
        let notes = try options.dryRun ? perform() : FileReplacement.locked(folder, perform)
        for note in notes { Terminal.note(note) }
    }

    /// - Throws: where the document is none of fragments, or cannot be told to be.
    private func requireEditable(_ source: HostSource) throws(CommandError) {
        if case .readyMade(let source) = source.document {
            throw CommandError(
                "the host serves a ready-made document, which is not edited", place: source.name,
                remedy: "move its parts into \(folder)/TEAMID.json, one file per team")
        }
        // A team's own file keeps only edits of that team.
        let problem = (source.problems.settings + source.problems.document).first {
            ["site-unreadable", "site-two-documents"].contains($0.code) && $0.severity == .error
                && !$0.file.hasPrefix(folder + "/")
        }
        if let problem { throw CommandError(problem) }
    }

    /// What was not read is not overwritten, whatever kept it from being read.
    private func requireUnclaimed(_ changes: [HostFiles.Change]) throws(CommandError) {
        for change in changes where change.isNew && Files.hasEntry(change.path) {
            throw CommandError(
                "a file exists that aasa could not read, and aasa does not replace it",
                place: change.path,
                remedy: "edit again; aasa app list \(host.path) says whether it can be read")
        }
    }

    private func sentence(_ done: String, _ changes: [HostFiles.Change]) -> String {
        let places = changes.map(\.path).joined(separator: " and ")
        return options.dryRun ? "would have \(done) in \(places)" : "\(done) in \(places)"
    }

    private func write(_ changes: [HostFiles.Change]) throws(CommandError) {
        if options.dryRun {
            for change in changes {
                if changes.count > 1 { Terminal.note(change.path) }
                if let bytes = change.bytes { Terminal.writeExactly(bytes) }
            }
            return
        }
        // What comes first, then what goes: a crash between the two loses no app.
        for change in changes {
            if let bytes = change.bytes { try FileReplacement.replace(change.path, with: bytes) }
        }
        for change in changes where change.bytes == nil {
            do throws(FileError) {
                try Files.removeFile(change.path)
            } catch {
                throw CommandError(
                    "cannot be removed: \(error.cause)", place: change.path,
                    remedy: error.remedyForWriting(or: "remove it by hand"))
            }
        }
    }

    /// Takes the teams whose files go out of "order" in host.json: the loader would warn of them.
    private func forgetTeams(
        _ changes: [HostFiles.Change], _ current: HostSource
    ) throws(CommandError) -> [String] {
        let gone = Set(changes.filter { $0.bytes == nil }.map(\.path))
        guard let source = current.settingsSource,
            let order = (try? JSONReader.read(source))?.root["order"], let teams = order.array
        else { return [] }
        let indices = teams.indices.filter {
            gone.contains("\(folder)/\(teams[$0].string ?? "").json")
        }
        guard !indices.isEmpty,
            let edits = JSONTextEditor.removals(of: Set(indices), from: order),
            let bytes = TextEdit.apply(edits, to: source.bytes)
        else { return [] }
        if !options.dryRun { try FileReplacement.replace(source.name, with: bytes) }
        let names = indices.compactMap { teams[$0].string }.joined(separator: ", ")
        return [
            "\(options.dryRun ? "would have removed" : "removed") \(names) from \"order\" in \(source.name)"
        ]
    }

    // MARK: Check

    /// An edit may not bring findings that were not there: what was wrong before is for its owner
    /// to fix, and must not keep others from, for example, removing an app.
    private func check(
        _ files: HostFiles, _ changes: [HostFiles.Change], against current: HostSource
    ) throws(CommandError) {
        let before = Self.findings(of: current)
        let after = Self.findings(of: files.source(with: changes, of: current))
        // That such a file names no app is said in the note on it.
        let inert = Set(changes.filter(\.isInert).map(\.path))
        let new = Self.added(before, after).filter {
            $0.code != "details-empty" || !inert.contains($0.file)
        }
        let blocking = allowsWarnings || options.allowWarnings ? Severity.error : .warning
        let refused = new.filter { $0.severity >= blocking }
        FindingNotes.print(refused.isEmpty ? new : refused, documents: max(1, changes.count))
        guard let worst = refused.map(\.severity).max() else {
            if let first = after.first(where: { $0.severity == .error }) {
                Terminal.note(
                    "note: the host is not served as its files are: \(first.file): \(first.message)"
                        + ". aasa lint \(host.path) lists every error")
            }
            return
        }
        let failsTest = refused.allSatisfy { $0.code == "link-test-failed" }
        throw CommandError(
            failsTest
                ? "not changed: link tests would fail"
                : worst == .error
                    ? "not changed: the document could not be published any more"
                    : "not changed: the linter would warn",
            place: changes.first?.path ?? folder,
            remedy: worst == .error
                ? "fix the problems above, and edit again"
                : "fix the problems above, or accept them with --allow-warnings",
            status: .findings)
    }

    private static func findings(of source: HostSource) -> [Diagnostic] {
        HostReview(source).findings + LinkTests.findings(of: source)
    }

    /// Two errors are the same if their texts are, apart from sizes and numbers. Of other findings
    /// only their number in a file counts, because an edit changes names and numbers in the texts
    /// about its neighbours.
    private static func added(_ before: [Diagnostic], _ after: [Diagnostic]) -> [Diagnostic] {
        func key(_ finding: Diagnostic) -> [String] {
            [finding.code, finding.file]
                + (finding.severity == .error ? [finding.message.filter { !$0.isNumber }] : [])
        }
        var left = Dictionary(grouping: before, by: key).mapValues(\.count)
        var new: [Diagnostic] = []
        for finding in after {
            let known = left[key(finding), default: 0]
            if known > 0 { left[key(finding)] = known - 1 } else { new.append(finding) }
        }
        return new
    }
}
