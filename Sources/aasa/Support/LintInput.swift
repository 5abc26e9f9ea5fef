import AASAServer
import AppSiteAssociation
import Reactor

/// What `aasa lint` was told to look at: files, folders of files, a host's folder, a whole site,
/// `-`.
struct LintInput {
    /// Applied to every document whose path does not say otherwise.
    struct Assumptions {
        var kind: LintKind?
        var host: String?
        var app: String?
    }

    /// Files of a folder that is neither a site nor a host: a checkout, not a disk.
    private static let filesMaximum = 10_000
    private static let depthMaximum = 12

    private let assumptions: Assumptions
    private(set) var files: [LintFile] = []
    /// Findings about folders and files as such.
    private(set) var problems: [Diagnostic] = []
    /// The sizes of signed files as they are served, by name of the source.
    private(set) var signedSizes: [String: Int] = [:]
    private(set) var unreadable: [CommandError] = []

    init(_ paths: [String], _ assumptions: Assumptions) {
        self.assumptions = assumptions
        for path in paths { add(path) }
    }

    private mutating func add(_ path: String) {
        guard path != "-", let entries = try? FileReading.entries(of: path, maximum: 4096) else {
            return addFile(path)
        }
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if Self.isHost(entries) {
            let real = Files.resolved(folder) ?? folder
            let name = real.split(separator: "/").last.map(String.init) ?? folder
            add(HostFolder.read(name: name, path: folder))
        } else if Self.isSite(folder, entries) {
            addSite(folder)
        } else {
            let before = files.count
            addFolder(folder, entries, depth: 1)
            if files.count == before {
                unreadable.append(
                    CommandError(
                        "nothing to look at in this folder", place: folder,
                        remedy: "name a file, a host's folder or a site folder"))
            }
        }
    }

    /// `teams/`, `well-known/`, `host.json` or a ready-made document make a folder a host's.
    private static func isHost(_ entries: [FolderEntry]) -> Bool {
        entries.contains { entry in
            switch entry.kind {
            case .folder: entry.name == "teams" || entry.name == "well-known"
            case .file, .other, .missing:
                entry.name == "host.json" || entry.name == "apple-app-site-association"
            }
        }
    }

    private static func isSite(_ path: String, _ entries: [FolderEntry]) -> Bool {
        entries.contains { entry in
            guard entry.kind == .folder,
                let inner = try? FileReading.entries(of: "\(path)/\(entry.name)", maximum: 4096)
            else { return false }
            return isHost(inner)
        }
    }

    private mutating func addSite(_ path: String) {
        do {
            let site = try SiteFolder.read(path)
            problems += site.problems
            for host in site.hosts { add(host) }
        } catch {
            unreadable.append(
                CommandError(error.cause, place: error.path, remedy: error.remedy))
        }
    }

    private mutating func add(_ host: HostSource) {
        problems += host.problems.all
        switch host.document {
        case .fragments(let sources):
            files += sources.map {
                LintFile(
                    $0, as: .association, host: host.name, team: DocumentBuilder.team(of: $0))
            }
        case .readyMade(let source): addDocument(source, host: host.name)
        case .none: break
        }
        problems += LinkTests.findings(of: host)
        for part in host.siblingParts {
            files.append(LintFile(part.source, as: part.lintKind, host: host.name))
        }
        for sibling in host.siblings where !sibling.isMerged {
            // Only siblings whose form is known; other documents are served as they are.
            guard let kind = LintKind(rawValue: sibling.name), kind != .association else {
                continue
            }
            files.append(LintFile(sibling.source, as: kind, host: host.name))
        }
    }

    private mutating func addFolder(_ path: String, _ entries: [FolderEntry], depth: Int) {
        for entry in entries where files.count < Self.filesMaximum {
            let place = "\(path)/\(entry.name)"
            switch entry.kind {
            case .folder:
                if depth < Self.depthMaximum,
                    let inner = try? FileReading.entries(of: place, maximum: Self.filesMaximum)
                {
                    addFolder(place, inner, depth: depth + 1)
                }
            case .file:
                let isNamed =
                    entry.name.hasPrefix("apple-app-site-association")
                    || LintKind(fileName: entry.name) != .association
                if isNamed || entry.name.hasSuffix(".json") { addFile(place) }
            case .other, .missing: break
            }
        }
    }

    private mutating func addFile(_ path: String) {
        do {
            addDocument(try InputFile.source(path), host: assumptions.host)
        } catch {
            unreadable.append(error)
        }
    }

    private mutating func addDocument(_ source: SourceText, host: String?) {
        let kind = assumptions.kind ?? Self.kind(of: source)
        guard kind == .association else {
            files.append(LintFile(source, as: kind, host: host, app: assumptions.app))
            return
        }
        let inner = AssociationInput.payload(source)
        if inner !== source { signedSizes[source.name] = source.bytes.count }
        files.append(LintFile(inner, as: kind, host: host))
    }

    /// By name, and where the name says nothing by how the bytes begin: an array of statements is
    /// an `assetlinks.json` under another name, a property list holds entitlements.
    private static func kind(of source: SourceText) -> LintKind {
        let named = LintKind(fileName: source.name)
        guard named == .association else { return named }
        let head = String(
            decoding: source.bytes.drop { $0 <= 0x20 }.prefix(400), as: UTF8.self)
        if head.hasPrefix("["), head.contains("\"relation\"") { return .assetLinks }
        if head.hasPrefix("<?xml"), head.contains("<plist") { return .entitlements }
        return named
    }
}
