import AppSiteAssociation
import OpenSSL

/// One host's folder on disk, and what is kept of the host → what is built. The only fallback,
/// beside `HostBuilder`'s for what cannot be built: whatever falls back is served from its kept
/// bytes.
///
/// 1. A fragment, a sibling or a folder below `well-known/` that vanished alone was removed on
///    purpose.
/// 2. `host.json`, and what vanished together with `teams/`, with `well-known/` or with the host's
///    whole document, is lost. It stays until all of it is there again, or until a loss that was
///    reported is confirmed.
/// 3. What cannot be read is lost.
/// 4. A tree that is whole loses nothing.
struct HostReconciler {
    let source: HostSource
    let kept: KeptHost
    /// Everything was put there at once, as a revision is.
    let isWhole: Bool
    /// Losses that were reported, and that the operator confirms.
    let confirmed: Set<Loss>

    private var tree: HostTree { source.tree }

    /// A missing document beside other files is an accident: the folder was emptied, and
    /// whatever is missing in it is lost. Such a loss is never confirmed: an operator who wants the
    /// host to be gone removes its folder.
    private var isBare: Bool {
        kept.groups.contains(.document) && !tree.shows(.document) && tree.unread["teams"] == nil
    }

    func reconciled() -> HostSource {
        let isAllThere = kept.files.keys.allSatisfy { tree.files[$0] != nil }
        if isAllThere, !source.problems.all.hasErrors { return source }
        var why: [HostTree.Group: [Diagnostic]] = [:]
        var missing: [HostTree.Group: Set<String>] = [:]
        // Good settings that were none, too.
        for group in kept.groups.union([.settings]) {
            let found = problems(of: group)
            let gone = missingFiles(of: group)
            if gone.isEmpty, !found.hasErrors { continue }
            why[group] = found
            missing[group] = gone.isEmpty ? nil : gone
        }
        for (code, lost) in Dictionary(grouping: missing.keys, by: \.codeOfLoss) {
            let finding = finding(code, Set(lost.flatMap { missing[$0] ?? [] }).sorted())
            for group in lost { why[group]?.append(finding) }
        }
        let lost = why.keys.filter { missing[$0] != nil || !tree.shows($0) }
        return source.fallingBack(why, to: kept, lost: Set(lost))
    }

    /// What is wrong with the files of a group, and with the folders that hide them.
    private func problems(of group: HostTree.Group) -> [Diagnostic] {
        switch group {
        case .settings: return source.problems.settings
        case .document: return source.problems.document
        case .sibling(let name):
            let files = Set(kept.files(of: group).keys)
            let folders = Set(files.compactMap(tree.barrier)).subtracting(files)
            return source.problems.siblings[name, default: []]
                + folders.sorted().compactMap { tree.unread[$0] }
        }
    }

    /// The kept files of a group that are not there and were not removed on purpose; of a document
    /// that comes back, the teams.
    private func missingFiles(of group: HostTree.Group) -> Set<String> {
        let wasLost = kept.lost.contains(group)
        let isConfirmed = confirmed.contains(.group(host: source.name, group)) && !isBare
        if isWhole || isConfirmed { return [] }
        let files = Set(kept.files(of: group).keys)
        let gone = files.filter { tree.files[$0] == nil && tree.barrier(to: $0) == nil }
        switch group {
        case .document:
            // The copying is not finished: until all files exist, the last good version stays.
            return wasLost && tree.shows(group)
                ? kept.tree(name: "", place: "").teams.subtracting(tree.teams) : []
        case .settings:
            return kept.tree(name: "", place: "").saysSomething ? gone : []
        case .sibling(let name):
            if SiblingCatalog.isChallenge(name) { return [] }
            // Nothing of it is left, and something else is there: that was put there on purpose.
            if tree.shows(group), gone.count == files.count { return [] }
            return wasLost || isBare || gone.contains(where: isPlaceGone) ? gone : []
        }
    }

    /// Whether the folder of a sibling's file is missing, or something else has taken the place.
    private func isPlaceGone(_ file: String) -> Bool {
        tree.folders.contains(file) || tree.files.keys.contains { file.hasPrefix($0 + "/") }
            || !tree.folders.contains(file.hasPrefix("teams/") ? "teams" : "well-known")
    }

    private func finding(_ code: String, _ names: [String]) -> Diagnostic {
        Diagnostic(
            code: code, severity: .error,
            message: "missing: \(listed(names)); the last good version stays in service",
            remedy: isBare
                ? "restore the host's files; to remove the host, delete \(source.place)"
                : "restore it; if you removed it on purpose, run aasa reload", file: source.place)
    }
}

extension HostTree.Group {
    fileprivate var codeOfLoss: String {
        switch self {
        case .settings: "site-settings-gone"
        case .document: "site-teams-gone"
        case .sibling: "site-siblings-gone"
        }
    }
}

extension HostTree {
    /// Whether there are settings that differ from none at all.
    fileprivate var saysSomething: Bool { HostSource(self).settings != HostSettings() }

    /// The teams of the document's files, even of those that cannot be read.
    fileprivate var teams: Set<String> {
        let names = (Array(files.keys) + unread.keys).compactMap { path in
            Group(path: path) == .document
                ? TeamFileName(String(path.dropFirst("teams/".count)))?.team : nil
        }
        guard let bytes = files["apple-app-site-association"] else { return Set(names) }
        let json = CMSVerifier.looksSigned(bytes) ? CMSVerifier.payload(of: bytes) : bytes
        let file = json.flatMap {
            try? AssociationFile(reading: SourceText(name: "the document", bytes: $0))
        }
        let apps = file.map(HostDocument.applicationIdentifiers) ?? []
        return Set(names + apps.map { String($0.prefix { $0 != "." }) })
    }
}

extension HostSource {
    /// The host with kept bytes in the place of some groups.
    ///
    /// - Parameter why: the findings about what is on disk, by group: what is wrong with kept bytes
    ///   is no news.
    func fallingBack(
        _ why: [HostTree.Group: [Diagnostic]], to kept: KeptHost,
        lost: Set<HostTree.Group> = []
    ) -> HostSource {
        if why.isEmpty { return self }
        var tree = tree
        for group in why.keys { tree.replace(group, with: kept.files(of: group)) }
        var source = HostSource(tree)
        if why[.settings] == nil { source.settings = settings }
        source.problems.names = problems.names
        source.kept = self.kept.union(why.keys)
        source.lost = self.lost.union(lost)
        for group in source.kept {
            switch group {
            case .settings: source.problems.settings = why[group] ?? problems.settings
            case .document: source.problems.document = why[group] ?? problems.document
            case .sibling(let name):
                let found = why[group] ?? problems.siblings[name] ?? []
                source.problems.siblings[name] = found.isEmpty ? nil : found
            }
        }
        return source
    }

    /// A host whose folder cannot be read: all that is kept of it is served.
    ///
    /// - Parameter withSite: whether the host vanished together with the whole site.
    static func lost(
        _ name: String, place: String, kept: KeptHost, because finding: Diagnostic,
        withSite: Bool = false
    ) -> HostSource {
        var source = HostSource(kept.tree(name: name, place: place))
        source.problems = HostProblems()
        source.kept = kept.groups.union([.settings, .document])
        source.lost = kept.groups
        source.lostBecause = finding
        source.isLostWithSite = withSite
        return source
    }
}
