import AppSiteAssociation
package import Reactor

/// Reads the site folder (layout in `Sources/README.md`). Effects only: reads files and checks
/// names and types. `HostSource` says what they mean, `SiteReconciler` what stays in service
/// instead, and `SiteSource.withoutConflicts` who answers for a name that two hosts claim.
///
/// Links are followed, since Kubernetes volumes and releases by link swap consist of them. But
/// their targets must lie inside the site folder or inside the host's real folder: everything read
/// here may become public.
package enum SiteFolder {
    /// The site and what it means, with nothing kept.
    ///
    /// - Throws: if the folder itself cannot be read; problems inside it are in the result.
    package static func read(_ path: String) throws(Problem) -> SiteSource {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        // What cannot be resolved cannot be listed either, which throws the reason.
        let root = Files.resolved(path) ?? path
        var site = SiteSource(path: path, hosts: [], problems: [])
        for entry in try FileReading.entries(of: path, maximum: SiteLimits.hostsMaximum) {
            let place = "\(path)/\(entry.name)"
            guard entry.kind == .folder else {
                if HostName.problem(of: entry.name) == nil { site.notHosts.append(entry.name) }
                if entry.name.hasPrefix("apple-app-site-association") {
                    site.problems.add(
                        "site-stray-file", "the document belongs to no host",
                        remedy: "move it into its host's folder: \(path)/HOST/", at: place)
                }
                if entry.isUnnameable {
                    site.problems.add(
                        "site-unreadable", as: .warning, "not read: its name is not UTF-8",
                        remedy: "rename it", at: place)
                }
                continue
            }
            if let problem = HostName.problem(of: entry.name) {
                site.notHosts.append(HostName.corrected(entry.name))
                site.problems.add(
                    "site-bad-host", problem.message,
                    remedy: "rename the folder: \(problem.remedy)", at: place)
                continue
            }
            site.hosts.append(HostFolder.read(name: entry.name, path: place, siteRoot: root))
        }
        return site
    }
}
