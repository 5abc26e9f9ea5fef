import AASADevice
import AASAServer
import AppSiteAssociation
import OpenSSL
import Reactor

/// What `aasa lint` checks: files, a host's folder, a whole site, any folder that holds such
/// things, `-`.
struct LintInput {
    /// Applied to every document whose path does not say otherwise.
    struct Assumptions {
        var host: String?
        var app: String?
        /// The moment for dates of signers.
        var now: Int64
        /// Roots for the chains of signed files; nil: chains are not checked.
        var cacert: String?
        /// Codes not to report.
        var ignored: Set<String> = []

        var options: LintOptions { LintOptions(now: Int(now), disabled: ignored) }
    }

    /// Files of a folder that is neither a site nor a host: a checkout, not a disk.
    private static let filesMaximum = 10_000
    private static let depthMaximum = 12
    /// Other people's code and build products.
    private static let skipped: Set<String> = [
        ".git", ".hg", ".svn", ".build", "node_modules", "Pods", "Carthage", "DerivedData",
    ]

    private let assumptions: Assumptions
    /// The entitlements that were named beside the builds.
    private let sources: [String]
    /// Files of no host's folder.
    private(set) var files: [LintFile] = []
    /// The files of hosts' folders; ``problems`` holds their findings.
    private(set) var hostFiles: [LintFile] = []
    /// Findings about hosts, and about folders and files as such.
    private(set) var problems: [Diagnostic] = []
    /// The sizes of signed files as they are served, by name of the source.
    private(set) var signedSizes: [String: Int] = [:]
    private(set) var unreadable: [CommandError] = []
    /// The names of sources inside builds, which cannot be written.
    private(set) var inBuilds: Set<String> = []
    /// Files that were looked at and are no document that could be read.
    private var others: Set<String> = []

    /// Documents looked at.
    var count: Int { Set((files + hostFiles).map(\.source.name)).union(others).count }

    /// All findings.
    var findings: [Diagnostic] {
        let options = assumptions.options
        var findings = problems.filter { !options.disabled.contains($0.code) }
        // A signed file's own size is known of that file alone.
        for file in files {
            guard let size = signedSizes[file.source.name] else { continue }
            var own = options
            own.signedSize = size
            findings += Linter.lintHost([file], options: own)
        }
        let plain = files.filter { signedSizes[$0.source.name] == nil }
        return findings
            + Linter.lintHost(plain, beside: hostFiles, merged: nil, options: options)
    }

    /// The files that can be fixed: with other bytes a signed one would lose its signature.
    var fixable: [LintFile] {
        (files + hostFiles).filter {
            signedSizes[$0.source.name] == nil && !inBuilds.contains($0.source.name)
        }
    }

    init(_ paths: [String], _ assumptions: Assumptions) {
        self.assumptions = assumptions
        sources = paths.filter { $0.hasSuffix(".entitlements") }
        for path in paths { add(path) }
    }

    private mutating func add(_ path: String) {
        if path != "-", AppBuild.isBuild(path) { return addBuild(path) }
        guard path != "-",
            let entries = try? FileReading.entries(of: path, maximum: Self.filesMaximum)
        else { return addFile(path) }
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let before = count
        let found = problems.count
        addFolder(folder, entries, depth: 1)
        if count == before, problems.count == found {
            unreadable.append(
                CommandError(
                    "this folder contains nothing to check", place: folder,
                    remedy: "name a file, a host's folder or a site folder"))
        }
    }

    // MARK: Folders

    /// A ready-made document makes a folder a host's only with a host's name: a web server's
    /// `.well-known` holds one as well.
    private static func isHost(_ path: String, _ entries: [FolderEntry]) -> Bool {
        let isNamed = HostInput.isNearHostName(HostInput.name(of: path))
        return HostInput.isHost(
            entries.lazy.filter { isNamed || $0.name != "apple-app-site-association" })
    }

    /// A folder of another name counts if it holds a team's fragment: the server reports it.
    private static func isSite(_ path: String, _ entries: [FolderEntry]) -> Bool {
        entries.contains { entry in
            let place = "\(path)/\(entry.name)"
            guard entry.kind == .folder, !skipped.contains(entry.name),
                let inner = try? FileReading.entries(of: place, maximum: 4096),
                isHost(place, inner)
            else { return false }
            let teams = try? FileReading.entries(of: "\(place)/teams", maximum: 4096)
            return HostName.problem(of: entry.name) == nil
                || HostInput.isNearHostName(entry.name)
                || teams?.contains { TeamFileName($0.name)?.role == .fragment } == true
        }
    }

    private mutating func addFolder(_ path: String, _ entries: [FolderEntry], depth: Int) {
        if Self.isHost(path, entries) {
            let name = HostInput.name(of: path)
            if let problem = HostInput.nameProblem(name) {
                problems.append(
                    Diagnostic(
                        code: "site-bad-host", severity: .error, message: problem.message,
                        remedy: "rename the folder: \(problem.remedy)", file: path))
            }
            return add(HostFolder.read(name: name, path: path))
        }
        if Self.isSite(path, entries), Self.holdsOnlyHosts(entries) { return addSite(path) }
        // Hidden, and so not among the entries; the one that web servers publish.
        let wellKnown = "\(path)/.well-known"
        if Files.resolved(wellKnown) != nil {
            walk(wellKnown, ".well-known", depth: depth + 1)
        }
        for entry in entries {
            guard files.count < Self.filesMaximum else {
                unreadable.append(
                    CommandError(
                        "more than \(Self.filesMaximum) documents; the rest was not checked",
                        place: path, remedy: "name smaller folders"))
                return
            }
            let place = "\(path)/\(entry.name)"
            switch entry.kind {
            case .folder: walk(place, entry.name, depth: depth + 1)
            case .file: if belongs(entry.name, place) { addFile(place) }
            case .other, nil:
                if entry.isUnnameable { problems.append(Self.unnameable(place)) }
            }
        }
    }

    private static func unnameable(_ path: String) -> Diagnostic {
        Diagnostic(
            code: "site-unreadable", severity: .warning,
            message: "not checked: its name is not UTF-8", remedy: "Rename it.", file: path)
    }

    /// A repository's root has folders with names of hosts (`Sources`) as well as files.
    private static func holdsOnlyHosts(_ entries: [FolderEntry]) -> Bool {
        entries.allSatisfy {
            $0.kind == .folder || $0.name.hasPrefix(".")
                || $0.name.uppercased().hasPrefix("README")
                || $0.name.hasPrefix("apple-app-site-association")
        }
    }

    private mutating func walk(_ path: String, _ name: String, depth: Int) {
        guard !Self.skipped.contains(name) else { return }
        guard depth <= Self.depthMaximum else {
            unreadable.append(
                CommandError(
                    "folders are nested deeper than \(Self.depthMaximum); what is below was not "
                        + "checked", place: path, remedy: "name this folder itself"))
            return
        }
        do {
            let entries = try FileReading.entries(of: path, maximum: Self.filesMaximum)
            addFolder(path, entries, depth: depth)
        } catch {
            unreadable.append(CommandError(error.cause, place: path, remedy: error.remedy))
        }
    }

    /// Whether a file of a folder belongs to a site: by its name, and for other JSON by what is in
    /// it (a repository is full of `package.json`).
    private func belongs(_ name: String, _ path: String) -> Bool {
        if name.hasPrefix("apple-app-site-association") { return true }
        if LintKind(fileName: name) != .association { return true }
        guard name.hasSuffix(".json"), let bytes = try? InputFile.read(path) else { return false }
        return Self.looksLikeDocument(bytes)
    }

    private static func looksLikeDocument(_ bytes: [UInt8]) -> Bool {
        let words = AssociationFormat.services + ["\"android_app\""]
        let head = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
        return words.contains { head.contains($0) }
    }

    private mutating func addSite(_ path: String) {
        do {
            let site = try SiteFolder.read(path).withoutConflicts()
            problems += site.problems
            // A link gives a folder a second name; its tests may be those of either.
            func real(_ host: HostSource) -> String? { Files.resolved("\(path)/\(host.name)") }
            let names = Dictionary(grouping: site.hosts, by: real)
            for host in site.hosts { add(host, and: names[real(host)] ?? []) }
        } catch {
            unreadable.append(CommandError(error))
        }
    }

    private mutating func add(_ host: HostSource, and twins: [HostSource] = []) {
        // What was looked at and found wanting counts as looked at.
        for problem in host.problems.all where Files.resolved(problem.file) != nil {
            if (try? FileReading.entries(of: problem.file, maximum: 1)) == nil {
                others.insert(problem.file)
            }
        }
        let review = HostReview(
            host, authorities: assumptions.cacert, options: assumptions.options)
        hostFiles += review.files
        problems += review.findings + LinkTests.findings(of: host, and: twins)
        if case .readyMade(let source) = host.document, CMSVerifier.looksSigned(source.bytes) {
            others.insert(source.name)
            signedSizes[source.name] = source.bytes.count
        }
    }

    // MARK: Files

    /// The entitlements of the app, and those of its parts that have associated domains.
    private mutating func addBuild(_ path: String) {
        do throws(Problem) {
            let build = try AppBuild(reading: path)
            others.insert(path)
            let source = source(of: path).flatMap { path in
                (try? InputFile.source(path)).flatMap { try? EntitlementFile(reading: $0) }
            }
            problems += BuildRules.findings(of: build, source: source, now: assumptions.now)
            for bundle in build.bundles where bundle.container == nil || !bundle.domains.isEmpty {
                guard let source = bundle.source else { continue }
                inBuilds.insert(source.name)
                files.append(LintFile(source, as: .entitlements, app: bundle.application))
            }
        } catch {
            unreadable.append(CommandError(error))
        }
    }

    /// The entitlements that a build was signed from: the file that was named with it, or the one
    /// beside it; of several, the one with the build's name.
    private func source(of build: String) -> String? {
        let whole = build.count > 1 && build.hasSuffix("/") ? String(build.dropLast()) : build
        let place = whole.lastIndex(of: "/").map { String(whole[...$0]) } ?? ""
        let name = whole.dropFirst(place.count).prefix { $0 != "." }
        let folder = place.isEmpty ? "." : place
        let beside = ((try? FileReading.entries(of: folder, maximum: Self.filesMaximum)) ?? [])
            .filter { $0.kind == .file && $0.name.hasSuffix(".entitlements") }
            .map { place + $0.name }
        let candidates = sources.isEmpty ? beside : sources
        if candidates.count == 1 { return candidates[0] }
        return candidates.first {
            $0 == "\(name).entitlements" || $0.hasSuffix("/\(name).entitlements")
        }
    }

    private mutating func addFile(_ path: String) {
        do {
            let bytes = try InputFile.read(path, maximum: InputFile.measuredMaximum)
            guard bytes.count > InputFile.bytesMaximum else {
                return addDocument(SourceText(name: path, bytes: bytes), host: assumptions.host)
            }
            others.insert(path)
            problems.append(LintFile.tooLarge(path, bytes: bytes.count))
        } catch {
            unreadable.append(error)
        }
    }

    private mutating func addDocument(_ source: SourceText, host: String?) {
        let kind = Self.kind(of: source)
        guard kind == .association else {
            files.append(LintFile(source, as: kind, host: host, app: assumptions.app))
            return
        }
        guard CMSVerifier.looksSigned(source.bytes) else {
            let fragment = Self.fragment(source.name)
            files.append(
                LintFile(
                    source, as: kind, host: host ?? fragment?.host, team: fragment?.team,
                    app: assumptions.app))
            return
        }
        problems +=
            SignedFindings(
                source, host: host, now: assumptions.now, authorities: assumptions.cacert
            ).findings
        guard let payload = CMSVerifier.payload(of: source.bytes), !payload.isEmpty else {
            others.insert(source.name)
            return
        }
        signedSizes[source.name] = source.bytes.count
        files.append(
            LintFile(SourceText(name: source.name, bytes: payload), as: kind, host: host))
    }

    /// `…/HOST/teams/TEAM.json` given alone is measured as a fragment, too.
    private static func fragment(_ path: String) -> (host: String, team: String)? {
        let parts = path.split(separator: "/").suffix(3).map(String.init)
        guard parts.dropLast().last == "teams", let name = parts.last.flatMap(TeamFileName.init),
            name.role == .fragment, AppIdentifier.isPrefix(name.team)
        else { return nil }
        return (parts.count == 3 ? parts[0] : "", name.team)
    }

    /// By name, and where the name says nothing by how the bytes begin: an array of statements is
    /// an `assetlinks.json` under another name, a property list holds entitlements unless the name
    /// promises JSON.
    private static func kind(of source: SourceText) -> LintKind {
        let named = LintKind(fileName: source.name)
        // Devices take what has exactly this name for an association file.
        if named != .association || source.name.hasSuffix("apple-app-site-association") {
            return named
        }
        let head = String(decoding: source.bytes.drop { $0 <= 0x20 }.prefix(400), as: UTF8.self)
        if head.hasPrefix("["), head.contains("\"relation\"") || head.contains("\"target\"") {
            return .assetLinks
        }
        if !source.name.hasSuffix(".json"), head.hasPrefix("<?xml"), head.contains("<plist") {
            return .entitlements
        }
        return named
    }
}
