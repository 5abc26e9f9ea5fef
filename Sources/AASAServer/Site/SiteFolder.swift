import AppSiteAssociation
package import Reactor

/// Reads the site folder (layout in `Sources/README.md`) into a `SiteSource`. Effects only: reads
/// files and checks names and types; `SnapshotBuilder` decides what they mean.
///
/// Links are followed, since Kubernetes volumes and releases by link swap consist of them. But
/// their targets must lie inside the site folder or inside the host's real folder: everything read
/// here may become public.
package struct SiteFolder {
    private let path: String
    private let root: String
    private var problems: [Diagnostic] = []
    private var notFolders: [FolderEntry] = []

    /// Reads everything.
    /// - Throws: if the folder itself cannot be read; problems inside it are in the result.
    package static func read(_ path: String) throws(Problem) -> SiteSource {
        guard let root = Files.resolved(path) else {
            // Listing the folder throws the reason.
            _ = try FileReading.entries(of: path, maximum: SiteLimits.hostsMaximum)
            throw Problem(
                place: path, cause: "no such folder", remedy: "name the site folder with --site",
                kind: .missing)
        }
        var folder = SiteFolder(path: path, root: root)
        return try folder.read()
    }

    private init(path: String, root: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.root = root
    }

    private mutating func read() throws(Problem) -> SiteSource {
        let entries = try FileReading.entries(of: path, maximum: SiteLimits.hostsMaximum)
        var hosts: [HostSource] = []
        for entry in entries {
            let place = "\(path)/\(entry.name)"
            guard entry.kind == .folder else {
                if HostName.problem(of: entry.name) == nil { notFolders.append(entry) }
                if entry.name.hasPrefix("apple-app-site-association") {
                    report(
                        "site-stray-file", .error, "a document that belongs to no host", place,
                        remedy: "move it into the folder of its host: \(path)/HOST/")
                }
                if entry.isUnnameable {
                    report(
                        "site-unreadable", .warning, "not read: its name is not UTF-8", place,
                        remedy: "rename it")
                }
                continue
            }
            if let problem = HostName.problem(of: entry.name) {
                report(
                    "site-bad-host", .error, problem.message, place,
                    remedy: "rename the folder: \(problem.remedy)")
                continue
            }
            hosts.append(
                HostFolder.read(name: entry.name, path: place, siteRoot: root))
        }
        return SiteSource(
            path: path, hosts: withoutConflicts(hosts), notFolders: notFolders, problems: problems)
    }

    /// Two hosts may not claim one name: which one answered would be arbitrary. Both places are
    /// reported; the host whose folder has the name keeps it, or else the first by name.
    private func withoutConflicts(_ hosts: [HostSource]) -> [HostSource] {
        var owner: [String: String] = [:]
        for host in hosts { owner[host.name] = "\(path)/\(host.name)" }
        var defaultPlace: String?
        return hosts.map { host in
            let file = "\(path)/\(host.name)/host.json"
            var found: [Diagnostic] = []
            for alias in host.settings.aliases {
                if let other = owner[alias.name] {
                    found.append(conflict(alias, of: host, with: other))
                } else {
                    owner[alias.name] = file
                }
            }
            if host.settings.isDefault {
                if let first = defaultPlace {
                    found.append(
                        Diagnostic(
                            code: "site-two-defaults", severity: .error,
                            message: "\(host.name) is the default host, and so is another",
                            remedy: "leave \"default\": true in one of the two", file: file,
                            related: [.init(message: "the other is set here", file: first)]))
                } else {
                    defaultPlace = file
                }
            }
            if found.isEmpty { return host }
            var conflicted = host
            conflicted.problems.settings += found
            return conflicted
        }
    }

    private func conflict(
        _ alias: HostSettings.Alias, of host: HostSource, with other: String
    ) -> Diagnostic {
        let file = "\(path)/\(host.name)/host.json"
        let message = "\"\(alias.name)\" belongs to another host already"
        let remedy = "a name belongs to one host: take it out of one of the two"
        let related = [Diagnostic.Related(message: "the other is here", file: other)]
        guard let bytes = try? FileReading.bytes(at: file, maximum: SiteLimits.settingsBytesMaximum)
        else {
            return Diagnostic(
                code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
                file: file, related: related)
        }
        return Diagnostic(
            code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
            source: SourceText(name: file, bytes: bytes), range: alias.range, related: related)
    }

    private mutating func report(
        _ code: String, _ severity: Severity, _ message: String, _ place: String, remedy: String
    ) {
        problems.append(
            Diagnostic(
                code: code, severity: severity, message: message, remedy: remedy, file: place))
    }
}
