import AASAServer
import AppSiteAssociation

/// The files of a host's teams while an edit changes them; nothing is written from here.
struct HostFiles {
    /// What becomes of one file.
    struct Change {
        let path: String
        /// Nil: the file goes.
        var bytes: [UInt8]?
        /// No such file was read.
        let isNew: Bool
        /// The document is kept though it names no app.
        var isInert = false
    }

    private let folder: String
    private let startsTeams: Bool
    /// There is no document: no fragment, neither one that can be read nor another.
    private let isEmpty: Bool
    private let old: [String: SourceText]
    /// Why a file of the teams that is there could not be read, by its path.
    private let unreadable: [String: CommandError]
    /// Paths in the order in which they were read or made.
    private var paths: [String]
    private var edited: [String: [UInt8]] = [:]
    private var broken: [String] = []

    init(_ host: HostSource, folder: String, startsTeams: Bool) {
        self.folder = folder
        self.startsTeams = startsTeams
        isEmpty = host.problems.document.contains { $0.code == "site-no-document" }
        var sources: [SourceText] = []
        if case .fragments(let found) = host.document { sources = found }
        sources += host.siblingParts.map(\.source)
        paths = sources.map(\.name)
        let old = Dictionary(sources.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.old = old
        let lost = host.problems.document + host.problems.siblings.values.joined()
        unreadable = Dictionary(
            lost.filter {
                $0.severity == .error && $0.file.hasPrefix(folder + "/") && old[$0.file] == nil
            }.map { ($0.file, CommandError($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The teams that have a fragment, whether it can be read or not.
    var teams: [String] {
        (paths + unreadable.keys.sorted()).compactMap { team(ofFragment: $0) }
    }

    private func team(ofFragment path: String) -> String? {
        Self.name(of: path).flatMap { $0.role == .fragment ? $0.team : nil }
    }

    private static func name(of path: String) -> TeamFileName? {
        path.split(separator: "/").last.flatMap { TeamFileName(String($0)) }
    }

    /// The teams in whose fragments an app is listed. A fragment that cannot be read is passed
    /// over, and said.
    mutating func teams(listing app: String) -> [String] {
        teams.filter { team in
            if let error = unreadable[path(of: team)] {
                broken.append("\(path(of: team)): not checked: \(error.problem.cause)")
                return false
            }
            do throws(JSONError) {
                let source = source(path(of: team))
                let file = try AssociationFile(reading: source)
                return !FragmentEditor(file.document).services(of: app).isEmpty
            } catch {
                broken.append(
                    "\(path(of: team)):\(error.position): not checked: \(error.message)")
                return false
            }
        }
    }

    /// - Throws: where the team's fragment does not list the app.
    mutating func require(_ app: String, in team: String) throws(CommandError) {
        if !teams(listing: app).contains(team) { throw missing(app) }
    }

    /// An app that no file lists, and the one that was perhaps meant; or the file that might list
    /// it, where that cannot be read.
    func missing(_ app: String) -> CommandError {
        if let error = unreadable[path(of: AppCommand.team(of: app))] { return error }
        let bundle = app.drop { $0 != "." }
        let known = teams.compactMap { try? AssociationFile(reading: source(path(of: $0))) }
            .flatMap { HostDocument.applicationIdentifiers(in: $0) }.sorted()
        let near =
            known.first { $0.hasSuffix(bundle) } ?? Spelling.correction(of: app, among: known)
        return CommandError(
            "\(app) is listed nowhere in this host's files", place: folder,
            remedy: near.map { "did you mean \($0)?" }, status: .findings)
    }

    private func path(of team: String) -> String { "\(folder)/\(team).json" }

    private func source(_ path: String, or empty: [UInt8] = FragmentEditor.empty) -> SourceText {
        edited[path].map { SourceText(name: path, bytes: $0) } ?? old[path]
            ?? SourceText(name: path, bytes: empty)
    }

    // MARK: Fragments

    /// Changes the fragment of a team.
    /// - Throws: where it cannot be read, or would be the first of a team that was not asked for.
    mutating func edit<Value>(
        team: String, _ edit: (inout FragmentEditor) throws -> Value
    ) throws -> Value {
        let path = path(of: team)
        if let error = unreadable[path] { throw error }
        if old[path] == nil, edited[path] == nil { try require(team, among: teams) }
        var editor = FragmentEditor(try InputFile.json(source(path)))
        let value = try edit(&editor)
        keep(editor.bytes, path)
        return value
    }

    /// - Throws: where the team is new on this host, and new ones were not asked for.
    private func require(_ team: String, among known: [String]) throws(CommandError) {
        if startsTeams || known.isEmpty || known.contains(team) { return }
        let near = Spelling.correction(of: team, among: known)
        throw CommandError(
            "team \(team) has no file here yet; there are \(known.joined(separator: ", "))",
            place: path(of: team),
            remedy: (near.map { "did you mean \($0)? " } ?? "")
                + "--new-team starts a file for \(team)", status: .usage)
    }

    private mutating func keep(_ bytes: [UInt8], _ path: String) {
        if !paths.contains(path) { paths.append(path) }
        edited[path] = bytes
    }

    // MARK: Android

    /// Changes a team's part of `assetlinks.json` or `webauthn`.
    mutating func edit(
        _ kind: SiblingPart.Kind, team: String,
        _ edit: (inout SiblingPartEditor) throws -> Void
    ) throws {
        let path = "\(folder)/\(team)\(kind.ending)"
        if let error = unreadable[path] { throw error }
        let source = source(path, or: SiblingPartEditor.empty(kind))
        var editor = SiblingPartEditor(kind, try InputFile.json(source))
        try edit(&editor)
        keep(editor.bytes, path)
        // Siblings alone are no host: devices that ask for the document would be told 503.
        if isEmpty, teams.isEmpty { keep(FragmentEditor.inert, self.path(of: team)) }
    }

    /// The team that a part of a sibling belongs to: as said, or the host's only one.
    func teamOfSibling(named team: String?) throws(CommandError) -> String {
        let names = (paths + unreadable.keys).compactMap(Self.name)
        let known = Set(names.filter { $0.role != .links }.map(\.team)).sorted()
        if let team {
            try require(team, among: known)
            return team
        }
        if known.count == 1 { return known[0] }
        throw CommandError(
            known.isEmpty
                ? "no team has a file here yet"
                : "several teams have files here: \(known.joined(separator: ", "))",
            place: folder, remedy: "say whose it is: --team TEAM", status: .usage)
    }

    /// Removes something from every team's part of `assetlinks.json` or `webauthn` that has it.
    ///
    /// - Parameters:
    ///   - removal: throws where a part does not have it.
    ///   - refusal: what to say if none has.
    mutating func remove(
        from kind: SiblingPart.Kind, refusal: String,
        _ removal: (inout SiblingPartEditor) throws -> Void
    ) throws {
        let teams = paths.compactMap { path -> String? in
            guard let name = Self.name(of: path), name.role == .sibling(kind),
                let document = try? JSONReader.read(source(path))
            else { return nil }
            var trial = SiblingPartEditor(kind, document)
            return (try? removal(&trial)) == nil ? nil : name.team
        }
        if teams.isEmpty {
            throw CommandError(
                refusal, place: folder,
                remedy: "edit a file in well-known/ by hand: aasa does not",
                status: .findings)
        }
        for team in teams { try edit(kind, team: team, removal) }
    }

    // MARK: Outcome

    /// The files that are not what they were. A fragment that names no app any more goes, unless it
    /// is the host's only one: without any the host would have no document.
    var changes: [Change] {
        var remaining = Set(paths.filter { team(ofFragment: $0) != nil })
        var changes: [Change] = []
        for path in paths {
            guard let bytes = edited[path], old[path]?.bytes != bytes,
                let document = try? JSONReader.read(SourceText(name: path, bytes: bytes))
            else { continue }
            var change = Change(path: path, bytes: bytes, isNew: old[path] == nil)
            if team(ofFragment: path) == nil {
                if SiblingPartEditor.isEmpty(document) { change.bytes = nil }
            } else if FragmentEditor(document).isInert {
                change.isInert = remaining.count == 1
                change.bytes = change.isInert ? FragmentEditor.inert : nil
                remaining.remove(path)
            }
            changes.append(change)
        }
        return changes
    }

    /// What is to be said besides the edit itself.
    func notes(on changes: [Change]) -> [String] {
        changes.compactMap { change in
            if change.bytes == nil {
                return "removed \(change.path): nothing is left in it"
            }
            if change.isInert, change.isNew {
                return "started \(change.path), which names no app yet: without any such file "
                    + "the host would have no document"
            }
            return change.isInert
                ? "kept \(change.path), which names no app now: it is the host's only file, and "
                    + "without any the host would have no document" : nil
        } + broken
    }

    /// The host as it would be read afterwards.
    func source(with changes: [Change], of current: HostSource) -> HostSource {
        var tree = current.tree
        tree.folders.insert("teams")
        for change in changes {
            let path = "teams" + change.path.dropFirst(folder.count)
            tree.files[path] = change.bytes
            tree.unread[path] = nil
        }
        return HostSource(tree)
    }
}
