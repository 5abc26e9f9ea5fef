import AppSiteAssociation
import Reactor

/// Reads one host's folder. `aasa build` and `aasa serve` both use this code, so that they always
/// see the same.
package struct HostFolder {
    private let name: String
    private let path: String
    /// Real paths that a link may lead into.
    private let roots: [String]
    private var problems = HostProblems()
    private var settings = HostSettings()
    private var settingsSource: SourceText?
    private var siblingFolders: Set<String> = []
    private var hasSiblingFolder = false
    private var hasTeams = false
    private var isDocumentMissing = false
    private var siblingParts: [SiblingPart] = []
    private var links: [LinkSource] = []

    /// - Parameters:
    ///   - path: the folder, as messages name it.
    ///   - siteRoot: the real path of the site folder; nil: only the host's own folder counts.
    package static func read(name: String, path: String, siteRoot: String? = nil) -> HostSource {
        var folder = HostFolder(
            name: name, path: path,
            roots: [siteRoot, Files.resolved(path)].compactMap { $0 })
        return folder.read()
    }

    private init(name: String, path: String, roots: [String]) {
        self.name = name
        self.path = path
        self.roots = roots
    }

    private mutating func read() -> HostSource {
        let entries: [FolderEntry]
        do {
            entries = try FileReading.entries(of: path, maximum: 256)
        } catch {
            let lost = error.diagnostic
            problems.settings.append(lost)
            problems.lost = lost
            isDocumentMissing = true
            return source(.none, [])
        }
        let names = Set(entries.map(\.name))
        if names.contains("host.json") { readSettings() }
        for entry in entries { warnAboutUnknown(entry) }
        readLinks(names.intersection(["links.csv", "links.json"]).sorted(), team: nil)
        let document = readDocument(names)
        hasSiblingFolder = names.contains("well-known")
        var siblings = hasSiblingFolder ? readSiblings(below: "", depth: 1) : []
        let merged = MergedSiblings(
            siblingParts, order: settings.order, host: path, written: Set(siblings.map(\.name)),
            types: settings.types)
        siblings += merged.siblings
        problems.document += merged.warnings
        problems.siblings.merge(merged.problems) { $0 + $1 }
        return source(document, siblings)
    }

    private func source(_ document: DocumentSource, _ siblings: [SiblingSource]) -> HostSource {
        HostSource(
            name: name, settings: settings, settingsSource: settingsSource, place: path,
            document: document, siblings: siblings, siblingFolders: siblingFolders,
            hasSiblingFolder: hasSiblingFolder, problems: problems, siblingParts: siblingParts,
            links: links, hasTeams: hasTeams, isDocumentMissing: isDocumentMissing)
    }

    private mutating func readSettings() {
        switch readFile("host.json", maximum: SiteLimits.settingsBytesMaximum) {
        case .success(let source):
            let (settings, found) = HostSettingsReader.read(source)
            self.settings = settings
            settingsSource = source
            problems.settings += found
        case .failure(let error): problems.settings.append(error.diagnostic)
        }
    }

    private mutating func warnAboutUnknown(_ entry: FolderEntry) {
        let known = [
            "host.json", "teams", "well-known", "apple-app-site-association", "links.csv",
            "links.json",
        ]
        if known.contains(entry.name) || entry.name.uppercased().hasPrefix("README") { return }
        let near = NearName.nearest(to: entry.name, in: known)
        problems.document.append(
            Diagnostic(
                code: "site-unknown-entry", severity: .warning,
                message: "\"\(entry.name)\" is not part of a host's folder and is not served",
                remedy: near.map { "is it meant to be \"\($0)\"?" }
                    ?? "a host has host.json, teams/, well-known/ and apple-app-site-association",
                file: "\(path)/\(entry.name)"))
    }

    // MARK: The document

    private mutating func readDocument(_ names: Set<String>) -> DocumentSource {
        let hasFile = names.contains("apple-app-site-association")
        let hasTeams = names.contains("teams")
        if hasFile, hasTeams {
            problems.document.append(
                Diagnostic(
                    code: "site-two-documents", severity: .error,
                    message: "a ready-made document and fragments stand side by side",
                    remedy:
                        "keep one: teams/ is merged, apple-app-site-association served as it is",
                    file: "\(path)/apple-app-site-association",
                    related: [.init(message: "the fragments are here", file: "\(path)/teams")]))
            return .none
        }
        if hasFile {
            let file = readFile(
                "apple-app-site-association", maximum: SiteLimits.fragmentBytesMaximum)
            switch file {
            case .success(let source): return .readyMade(source)
            case .failure(let error):
                problems.document.append(error.diagnostic)
                return .none
            }
        }
        if hasTeams { return readFragments() }
        isDocumentMissing = true
        problems.document.append(
            Diagnostic(
                code: "site-no-document", severity: .error,
                message: "the host has no association document",
                remedy: "put one file per team into \(path)/teams/, such as D3KQX62K1A.json",
                file: path))
        return .none
    }

    private mutating func readFragments() -> DocumentSource {
        let entries: [FolderEntry]
        do {
            entries = try FileReading.entries(
                of: "\(path)/teams", maximum: SiteLimits.teamsMaximum)
        } catch {
            problems.document.append(error.diagnostic)
            isDocumentMissing = true
            return .none
        }
        hasTeams = true
        var sources: [SourceText] = []
        for entry in entries {
            let name = TeamFileName(entry.name)
            if let name, name.role != .fragment {
                readBeside(entry.name, name)
                continue
            }
            guard name != nil else {
                problems.document.append(
                    Diagnostic(
                        code: "site-not-a-fragment", severity: .warning,
                        message: "not read: a team's fragment is called TEAMID.json",
                        remedy: "rename it, or take it away", file: "\(path)/teams/\(entry.name)"))
                continue
            }
            switch readFile("teams/\(entry.name)", maximum: SiteLimits.fragmentBytesMaximum) {
            case .success(let source): sources.append(source)
            case .failure(let error): problems.document.append(error.diagnostic)
            }
        }
        if sources.isEmpty, !problems.document.contains(where: { $0.severity == .error }) {
            isDocumentMissing = true
            problems.document.append(
                Diagnostic(
                    code: "site-no-document", severity: .error,
                    message: "there is no fragment in the folder",
                    remedy: "put one file per team there, such as D3KQX62K1A.json",
                    file: "\(path)/teams"))
        }
        let (ordered, unknown) = FragmentOrder.sorted(sources, by: settings.order)
        for team in unknown { warnAboutOrder(team) }
        return sources.isEmpty ? .none : .fragments(ordered)
    }

    private mutating func warnAboutOrder(_ team: Located<String>) {
        guard let file = settingsSource else { return }
        problems.settings.append(
            Diagnostic(
                code: "host-order-unknown-team", severity: .warning,
                message: "\"order\" names team \(team.value), which has no file in teams/",
                remedy: "take it out, or correct it", source: file, range: team.range))
    }

    // MARK: Beside the fragments

    /// Parts of Android's and WebAuthn's documents, and tests for links.
    private mutating func readBeside(_ file: String, _ name: TeamFileName) {
        switch name.role {
        case .fragment: break
        case .links: readLinks(["teams/\(file)"], team: name.team)
        case .sibling(let kind):
            switch readFile("teams/\(file)", maximum: SiteLimits.siblingBytesMaximum) {
            case .success(let source):
                siblingParts.append(SiblingPart(kind: kind, team: name.team, source: source))
            case .failure(let error):
                problems.siblings[kind.rawValue, default: []].append(error.diagnostic)
            }
        }
    }

    private mutating func readLinks(_ files: [String], team: String?) {
        for file in files {
            switch readFile(file, maximum: SiteLimits.fragmentBytesMaximum) {
            case .success(let source): links.append(LinkSource(source: source, team: team))
            case .failure(let error):
                var finding = error.diagnostic
                finding = Diagnostic(
                    code: finding.code, severity: .warning, message: finding.message,
                    remedy: finding.remedy, file: finding.file)
                problems.document.append(finding)
            }
        }
    }

    // MARK: Siblings

    private mutating func readSiblings(below prefix: String, depth: Int) -> [SiblingSource] {
        let entries: [FolderEntry]
        do {
            entries = try FileReading.entries(
                of: "\(path)/well-known/\(prefix)", maximum: SiteLimits.siblingEntriesMaximum)
        } catch {
            problems.siblings[prefix, default: []].append(error.diagnostic)
            return []
        }
        var siblings: [SiblingSource] = []
        for entry in entries {
            let name = prefix + entry.name
            if entry.kind == .folder {
                siblingFolders.insert(name)
                if depth < SiteLimits.siblingDepthMaximum {
                    siblings += readSiblings(below: name + "/", depth: depth + 1)
                }
                continue
            }
            switch readFile("well-known/\(name)", maximum: SiteLimits.siblingBytesMaximum) {
            case .success(let source):
                if let sibling = sibling(name, source) { siblings.append(sibling) }
            case .failure(let error): problems.siblings[name] = [error.diagnostic]
            }
        }
        return siblings
    }

    private mutating func sibling(_ name: String, _ source: SourceText) -> SiblingSource? {
        if let refusal = SiblingCatalog.refusal(of: name, bytes: source.bytes) {
            problems.siblings[name] = [
                Diagnostic(
                    code: "site-sibling-refused", severity: .error, message: refusal.cause,
                    remedy: refusal.remedy, file: source.name)
            ]
            return nil
        }
        let type =
            settings.types[name] ?? SiblingCatalog.mediaType(of: name, bytes: source.bytes)
        return SiblingSource(name: name, source: source, mediaType: type)
    }

    // MARK: Files

    private func readFile(
        _ name: String, maximum: Int
    ) -> Result<SourceText, Problem> {
        let file = "\(path)/\(name)"
        do {
            let bytes = try FileReading.bytes(at: file, maximum: maximum, beneath: roots)
            return .success(SourceText(name: file, bytes: bytes))
        } catch {
            return .failure(error)
        }
    }
}
