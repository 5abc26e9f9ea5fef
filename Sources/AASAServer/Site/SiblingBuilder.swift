import AppSiteAssociation
import HTTP

/// The files under `well-known/` and their last good states → what is served of them.
///
/// A sibling that cannot be read keeps its last good bytes. So does a sibling that has to be JSON
/// and no longer is. If it never was valid, it is served as it is, with an error in the log: then
/// validators report the truth. A single missing file was removed on purpose, which is legal and
/// logged. If more is missing, `well-known/` or the host's document, the files are kept: that is
/// what a volume looks like that is not mounted, or a copy that failed. What was lost like that
/// stays until it has been seen again, as it may come back one by one, or until a load is ordered.
struct SiblingBuilder {
    private let source: HostSource
    private let previous: [String: HostState.SiblingState]
    /// Whether the host has served a document but has none on disk now.
    private let isBare: Bool
    /// Names that the last load kept although they were not on disk.
    private let lossBefore: Set<String>
    /// Merged siblings of which the parts of some teams are still missing.
    private var waiting: Set<String> = []
    private let factory: ResponseFactory
    private(set) var findings: [Diagnostic] = []
    /// The first reason why something older than on disk is served.
    private(set) var kept: Diagnostic?

    init(
        source: HostSource, previous: HostState?, lossBefore: Set<String>, factory: ResponseFactory
    ) {
        self.source = source
        self.lossBefore = lossBefore
        self.previous = previous?.siblings ?? [:]
        isBare = previous?.document != nil && source.document.isSame(as: .none)
        self.factory = factory
    }

    mutating func build(cacheControl: String) -> [String: HostState.SiblingState] {
        if source.problems.lost != nil { return previous }
        var states: [String: HostState.SiblingState] = [:]
        for (place, problems) in source.problems.siblings.sorted(by: { $0.key < $1.key }) {
            findings += problems
            guard let error = problems.first(where: { $0.severity == .error }) else { continue }
            // A dangling link that cannot be read as a file may have been a folder: keep everything
            // below it.
            let folder = place.hasSuffix("/") ? place : place + "/"
            keep(&states, because: error) { name in
                name == place || place.isEmpty || name.hasPrefix(folder)
            }
        }
        for name in source.siblingFolders.sorted() where previous[name] != nil {
            let error = Diagnostic(
                code: "site-unreadable", severity: .error,
                message: "a folder stands where a document was",
                remedy: "move the folder away and put the file back",
                file: "\(source.siblingsPlace)/\(name)")
            findings.append(error)
            keep(&states, because: error) { $0 == name }
        }
        for sibling in source.siblings {
            states[sibling.name] = state(of: sibling, cacheControl)
            keepBelow(sibling, &states)
        }
        keepWhatWasLost(&states)
        return limited(states)
    }

    /// Those that are served and not on disk: neither read, nor seen as something unreadable.
    func loss(of states: [String: HostState.SiblingState]) -> Set<String> {
        let seen = Set(source.siblings.map(\.name)).subtracting(waiting)
            .union(source.problems.siblings.keys)
        return Set(states.keys).subtracting(seen)
    }

    /// A file where a folder was.
    private mutating func keepBelow(
        _ sibling: SiblingSource, _ states: inout [String: HostState.SiblingState]
    ) {
        let folder = sibling.name + "/"
        guard previous.keys.contains(where: { $0.hasPrefix(folder) }) else { return }
        let error = Diagnostic(
            code: "site-unreadable", severity: .error,
            message: "a file stands where a folder of documents was",
            remedy: "move the file away and put the folder back",
            file: "\(source.siblingsPlace)/\(sibling.name)")
        findings.append(error)
        keep(&states, because: error) { $0.hasPrefix(folder) }
    }

    /// Keeps what vanished with `well-known/`, or with everything else of the host. To remove one
    /// file, an operator removes that file; to remove all, an operator leaves an empty folder.
    private mutating func keepWhatWasLost(_ states: inout [String: HostState.SiblingState]) {
        if source.isWhole { return }
        let areTeamsGone = source.document.isSame(as: .none) && !source.hasTeams
        let lost = previous.filter { name, known in
            states[name] == nil && !SiblingCatalog.isChallenge(name)
                && (isBare || lossBefore.contains(name)
                    || (known.isMerged ? areTeamsGone : !source.hasSiblingFolder))
        }
        if lost.isEmpty { return }
        let names = lost.keys.sorted().prefix(5).joined(separator: ", ")
        let more = lost.count > 5 ? " and \(lost.count - 5) more" : ""
        let (cause, remedy) =
            if isBare || areTeamsGone {
                (
                    "gone together with the host's document: ",
                    "put the host's files back; to remove the host, delete \(source.place)"
                )
            } else if !source.hasSiblingFolder {
                (
                    "the folder is gone with ",
                    "put it back; if nothing of it is to be served, leave an empty folder there "
                        + "and order aasa reload"
                )
            } else {
                (
                    "still missing since more was: ",
                    "put it back; if it is not to come back, order aasa reload"
                )
            }
        let error = Diagnostic(
            code: "site-siblings-gone", severity: .error,
            message: cause + names + more + "; what was served stays in service", remedy: remedy,
            file: source.siblingsPlace)
        findings.append(error)
        keep(&states, because: error) { lost[$0] != nil }
    }

    private mutating func keep(
        _ states: inout [String: HostState.SiblingState], because error: Diagnostic,
        _ isMeant: (String) -> Bool
    ) {
        for (name, known) in previous where isMeant(name) { states[name] = known }
        // A file that was never served is not kept, but the host's problem is shown.
        if kept == nil { kept = error }
    }

    private mutating func state(
        of sibling: SiblingSource, _ cacheControl: String
    ) -> HostState.SiblingState {
        let known = previous[sibling.name]
        if let known, let missing = teamsStillMissing(sibling, known) {
            findings.append(missing)
            if kept == nil { kept = missing }
            waiting.insert(sibling.name)
            return known
        }
        if let known, known.source.isSame(as: sibling.source),
            known.mediaType == sibling.mediaType, known.cacheControl == cacheControl,
            known.isMerged == sibling.isMerged, known.teams == sibling.teams
        {
            findings += known.findings
            return known
        }
        var found: [Diagnostic] = []
        if let fault = fault(of: sibling, known) {
            if let known, known.findings.isEmpty {
                findings.append(fault)
                if kept == nil { kept = fault }
                return known
            }
            found = [fault]
        }
        findings += found
        return HostState.SiblingState(
            source: sibling.source, mediaType: sibling.mediaType, cacheControl: cacheControl,
            name: sibling.name, isMerged: sibling.isMerged, teams: sibling.teams, factory: factory,
            findings: found)
    }

    /// A merged sibling that was lost comes back team by team.
    private func teamsStillMissing(
        _ sibling: SiblingSource, _ known: HostState.SiblingState
    ) -> Diagnostic? {
        guard sibling.isMerged, known.isMerged, lossBefore.contains(sibling.name) else {
            return nil
        }
        let missing = known.teams.subtracting(sibling.teams)
        if missing.isEmpty { return nil }
        return Diagnostic(
            code: "site-siblings-gone", severity: .error,
            message: "the parts of teams are still missing since all of them were: "
                + missing.sorted().joined(separator: ", ") + "; what was served stays in service",
            remedy: "put them back; if they are not to come back, order aasa reload",
            file: sibling.source.name)
    }

    /// Why no client could use the file.
    private func fault(
        of sibling: SiblingSource, _ known: HostState.SiblingState?
    ) -> Diagnostic? {
        // A full disk leaves empty files, and so does an interrupted editor.
        if let known, !known.source.bytes.isEmpty, sibling.source.bytes.isEmpty {
            return Diagnostic(
                code: "site-sibling-empty", severity: .error,
                message: "the file is empty and was not; what it held stays in service",
                remedy: "write it again, or delete it if it is not to be served",
                file: sibling.source.name)
        }
        guard sibling.mediaType == "application/json" || sibling.mediaType.hasSuffix("+json")
        else { return nil }
        do {
            _ = try JSONReader.read(sibling.source)
            return nil
        } catch {
            return error.diagnostic
        }
    }

    /// If there are too many, those that are served already have priority, then the order of names.
    private mutating func limited(
        _ states: [String: HostState.SiblingState]
    ) -> [String: HostState.SiblingState] {
        guard states.count > SiteLimits.siblingsMaximum else { return states }
        let order = states.keys.sorted {
            (previous[$0] == nil ? 1 : 0, $0) < (previous[$1] == nil ? 1 : 0, $1)
        }
        let left = order.dropFirst(SiteLimits.siblingsMaximum)
        findings.append(
            Diagnostic(
                code: "site-too-many-siblings", severity: .error,
                message: "\(states.count) files; at most \(SiteLimits.siblingsMaximum) are served, "
                    + "those known first; not served: "
                    + left.prefix(5).joined(separator: ", ")
                    + (left.count > 5 ? " and \(left.count - 5) more" : ""),
                remedy: "take away what nobody asks for", file: source.siblingsPlace))
        return states.filter { !left.contains($0.key) }
    }
}
