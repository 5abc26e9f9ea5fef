import AppSiteAssociation
package import Reactor

/// Reads the site folder (layout in `Sources/README.md`) into a `SiteTree`. Effects only: reads
/// files and checks names and types. `HostParser` decides what they mean, `SiteReconciler` what
/// stays in service instead, and `SiteSource.withoutConflicts` who answers for a name that two
/// hosts claim.
///
/// Links are followed, since Kubernetes volumes and releases by link swap consist of them. But
/// their targets must lie inside the site folder or inside the host's real folder: everything read
/// here may become public.
package struct SiteFolder {
    private let path: String
    private let root: String
    private var problems: [Diagnostic] = []
    private var notHosts: [FolderEntry] = []

    /// The site and what it means, with nothing kept.
    package static func read(_ path: String) throws(Problem) -> SiteSource {
        SiteSource(try tree(path))
    }

    /// Reads everything.
    /// - Throws: if the folder itself cannot be read; problems inside it are in the result.
    package static func tree(_ path: String) throws(Problem) -> SiteTree {
        // What cannot be resolved cannot be listed either, which throws the reason.
        var folder = SiteFolder(path: path, root: Files.resolved(path) ?? path)
        return try folder.read()
    }

    private init(path: String, root: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.root = root
    }

    private mutating func read() throws(Problem) -> SiteTree {
        let entries = try FileReading.entries(of: path, maximum: SiteLimits.hostsMaximum)
        var hosts: [HostTree] = []
        for entry in entries {
            let place = "\(path)/\(entry.name)"
            guard entry.kind == .folder else {
                if HostName.problem(of: entry.name) == nil { notHosts.append(entry) }
                if entry.name.hasPrefix("apple-app-site-association") {
                    problems.add(
                        "site-stray-file", "the document belongs to no host",
                        remedy: "move it into its host's folder: \(path)/HOST/", at: place)
                }
                if entry.isUnnameable {
                    problems.add(
                        "site-unreadable", as: .warning, "not read: its name is not UTF-8",
                        remedy: "rename it", at: place)
                }
                continue
            }
            if let problem = HostName.problem(of: entry.name) {
                notHosts.append(.init(name: HostName.corrected(entry.name), kind: .folder))
                problems.add(
                    "site-bad-host", problem.message,
                    remedy: "rename the folder: \(problem.remedy)", at: place)
                continue
            }
            hosts.append(
                HostFolder.tree(name: entry.name, path: place, siteRoot: root))
        }
        return SiteTree(
            path: path, hosts: hosts, notHosts: notHosts, problems: problems)
    }
}
