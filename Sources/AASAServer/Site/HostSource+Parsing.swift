import AppSiteAssociation

/// The bytes of a host's folder → its settings, the sources of its document and its siblings, and
/// what is wrong with them. Pure: kept bytes are read as those on disk are.
extension HostSource {
    /// What the bytes of a host's folder mean.
    package init(_ tree: HostTree) {
        self.tree = tree
        if let lost = tree.unread[""] {
            problems.settings.append(lost)
            return
        }
        readSettings()
        for name in tree.strangers where !name.contains("/") { warnAboutUnknown(name) }
        for name in ["links.csv", "links.json"] { readLinks(name, team: nil) }
        document = readDocument()
        readSiblings()
        mergeSiblings()
    }

    /// Nil: it is not there, or cannot be read, which is then among the problems.
    private func text(_ path: String, _ problems: inout [Diagnostic]) -> SourceText? {
        if let problem = tree.unread[path] { problems.append(problem) }
        return tree.files[path].map { SourceText(name: "\(tree.place)/\(path)", bytes: $0) }
    }

    private mutating func readSettings() {
        guard let source = text("host.json", &problems.settings) else { return }
        settingsSource = source
        let found: [Diagnostic]
        (settings, found) = HostSettingsReader.read(source)
        problems.settings += found
    }

    private mutating func warnAboutUnknown(_ name: String) {
        let known = [
            "host.json", "teams", "well-known", "apple-app-site-association", "links.csv",
            "links.json",
        ]
        if name.uppercased().hasPrefix("README") { return }
        let near = Spelling.correction(of: name, among: known)
        problems.document.add(
            "site-unknown-entry", as: .warning,
            "\"\(name)\" is not part of a host's folder and is not served",
            remedy: near.map { "is it meant to be \"\($0)\"?" }
                ?? "a host has host.json, teams/, well-known/ and apple-app-site-association",
            at: "\(tree.place)/\(name)")
    }

    // MARK: The document

    private mutating func readDocument() -> DocumentSource {
        let file = "apple-app-site-association"
        let hasFile = tree.files[file] != nil || tree.unread[file] != nil
        let hasTeams = tree.folders.contains("teams") || tree.unread["teams"] != nil
        if hasFile, hasTeams {
            problems.document.add(
                "site-two-documents", "the folder has both a ready-made document and fragments",
                remedy:
                    "keep one of the two: aasa merges teams/, or serves apple-app-site-association unchanged",
                at: "\(tree.place)/\(file)",
                related: [.init(message: "the fragments are here", file: "\(tree.place)/teams")])
        }
        let fragments = readTeams()
        if hasFile {
            let document = text(file, &problems.document)
            return hasTeams ? .none : document.map { .readyMade($0) } ?? .none
        }
        if hasTeams { return inOrder(fragments) }
        problems.document.add(
            "site-no-document", "the host has no association document",
            remedy: "put one file per team into \(tree.place)/teams/, such as D3KQX62K1A.json",
            at: tree.place)
        return .none
    }

    /// The teams' fragments; what else is in their folder is put where it belongs.
    private mutating func readTeams() -> [SourceText] {
        if let problem = tree.unread["teams"] { problems.document.append(problem) }
        var sources: [SourceText] = []
        for path in paths(below: "teams/") {
            let file = String(path.dropFirst("teams/".count))
            guard let name = TeamFileName(file) else {
                problems.document.add(
                    "site-not-a-fragment", as: .warning,
                    "not read: a team's fragment is called PREFIX.json",
                    remedy: "rename it, or remove it", at: "\(tree.place)/\(path)")
                continue
            }
            switch name.role {
            case .fragment:
                if let source = text(path, &problems.document) { sources.append(source) }
            case .links: readLinks(path, team: name.team)
            case .sibling(let kind):
                if let source = text(path, &problems.siblings[kind.rawValue, default: []]) {
                    siblingParts.append(SiblingPart(kind: kind, team: name.team, source: source))
                }
            }
        }
        problems.siblings = problems.siblings.filter { !$0.value.isEmpty }
        return sources
    }

    private mutating func inOrder(_ sources: [SourceText]) -> DocumentSource {
        if sources.isEmpty, !problems.document.hasErrors {
            problems.document.add(
                "site-no-document", "there is no fragment in the folder",
                remedy: "put one file per team there, such as D3KQX62K1A.json",
                at: "\(tree.place)/teams")
        }
        let teams = Set(sources.map(DocumentBuilder.team))
        for team in settings.order where !teams.contains(team.value) {
            guard let file = settingsSource else { continue }
            problems.settings.append(
                Diagnostic(
                    code: "host-order-unknown-team", severity: .warning,
                    message: "\"order\" names team \(team.value), which has no file in teams/",
                    remedy: "remove it, or correct it", source: file, range: team.range))
        }
        if sources.isEmpty { return .none }
        return .fragments(
            FragmentOrder.sorted(sources, by: settings.order, team: DocumentBuilder.team))
    }

    /// Everything below a folder, whether it could be read or not, by name.
    private func paths(below folder: String) -> [String] {
        (Array(tree.files.keys) + tree.unread.keys + tree.strangers)
            .filter { $0.hasPrefix(folder) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Link tests are not served: one that cannot be read is only worth a warning.
    private mutating func readLinks(_ path: String, team: String?) {
        var found: [Diagnostic] = []
        if let source = text(path, &found) { links.append(LinkSource(source: source, team: team)) }
        problems.document += found.map {
            Diagnostic(
                code: $0.code, severity: .warning, message: $0.message, remedy: $0.remedy,
                file: $0.file)
        }
    }

    // MARK: Siblings

    private mutating func readSiblings() {
        if let problem = tree.unread["well-known"] { problems.siblings[""] = [problem] }
        for path in paths(below: "well-known/") {
            var name = String(path.dropFirst("well-known/".count))
            // The name of a folder stands for everything below it.
            if tree.unread[path] != nil, tree.folders.contains(path) { name += "/" }
            var found: [Diagnostic] = []
            if let source = text(path, &found) { add(name, source, &found) }
            if !found.isEmpty { problems.siblings[name, default: []] += found }
        }
    }

    private mutating func add(_ name: String, _ source: SourceText, _ found: inout [Diagnostic]) {
        if let refusal = SiblingCatalog.refusal(of: name, bytes: source.bytes) {
            found.add(
                "site-sibling-refused", refusal.cause, remedy: refusal.remedy, at: source.name)
            return
        }
        siblings.append(
            SiblingSource(
                name: name, source: source, mediaType: mediaType(of: name, source.bytes)))
        if let near = SiblingCatalog.correction(of: name) {
            problems.document.add(
                "site-unknown-entry", as: .warning,
                "no client requests \"\(name)\", which aasa serves",
                remedy: "rename it to \"\(near)\"", at: source.name)
        }
    }

    func mediaType(of name: String, _ bytes: [UInt8]) -> String {
        settings.types[name] ?? SiblingCatalog.mediaType(of: name, bytes: bytes)
    }
}
