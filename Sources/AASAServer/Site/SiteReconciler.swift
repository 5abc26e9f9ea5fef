import AppSiteAssociation
package import Reactor

/// The site on disk and what is kept of it → the site that is built. Pure.
///
/// A single host's folder that vanished ends the host; the status shows it until an operator
/// confirms it. One that cannot be read, or vanished with the whole site, is lost, and so is the
/// host that `--default-host` names. What becomes of the parts of a host is in ``HostReconciler``.
package struct SiteReconciler {
    let kept: [String: KeptHost]
    /// `--default-host`.
    var defaultHost: String?
    var isWhole = false
    var confirmed: Set<Loss> = []

    package func reconcile(_ disk: SiteSource) throws(Problem) -> SiteSource {
        // An empty site is an accident: an empty folder means a volume that is
        // not mounted.
        if disk.hosts.isEmpty {
            return try keptSite(
                disk.path,
                because: Problem(
                    place: disk.path, cause: "the folder contains no host",
                    remedy: "create a folder per host, for example \(disk.path)/example.com/"))
        }
        var site = disk
        site.hosts = disk.hosts.map(reconciled)
        for name in disk.notHosts {
            keep(
                [name], in: &site,
                because: Problem(
                    place: "\(site.path)/\(name)",
                    cause: "the host's folder was replaced or renamed",
                    remedy: "restore the folder; to remove the host, delete what replaced it"))
        }
        if !isWhole { keepStillMissing(in: &site) }
        if let name = defaultHost, let host = knownHost(called: name),
            !site.hosts.contains(where: { $0.isNamed(name) })
        {
            keep(
                [host], in: &site,
                because: Problem(
                    place: "\(site.path)/\(host)",
                    cause: "the folder is missing, and --default-host names the host",
                    remedy: "restore it; to remove the host, also change --default-host"))
        }
        return settled(site)
    }

    /// All that is kept, because the site cannot be read.
    package func keptSite(_ path: String, because failure: Problem) throws(Problem) -> SiteSource {
        if kept.isEmpty { throw failure }
        var site = SiteSource(path: path, hosts: [], problems: [])
        keep(Array(kept.keys), in: &site, because: failure, withSite: true)
        return settled(site)
    }

    private func reconciled(_ source: HostSource) -> HostSource {
        guard let known = kept[source.name], !known.files.isEmpty else { return source }
        guard let lost = source.tree.unread[""] else {
            return HostReconciler(
                source: source, kept: known, isWhole: isWhole, confirmed: confirmed
            ).reconciled()
        }
        var whole = HostSource.lost(source.name, place: source.place, kept: known, because: lost)
        whole.problems.settings = [lost]
        return whole
    }

    /// Adds the kept hosts of these names that the site does not have.
    private func keep(
        _ names: [String], in site: inout SiteSource, because problem: Problem,
        withSite: Bool = false
    ) {
        let present = Set(site.hosts.map(\.name))
        let finding = problem.diagnostic
        let lost = names.filter { !present.contains($0) }.compactMap { name in
            kept[name].map {
                HostSource.lost(
                    name, place: "\(site.path)/\(name)", kept: $0, because: finding,
                    withSite: withSite)
            }
        }
        if lost.isEmpty { return }
        site.problems.append(finding)
        site.hosts += lost
    }

    /// When a whole site was gone, its hosts come back one after the other. None of those that are
    /// not yet there was removed.
    private func keepStillMissing(in site: inout SiteSource) {
        let present = Set(site.hosts.map(\.name))
        let missing = kept.filter {
            $0.value.isLost && !present.contains($0.key) && !confirmed.contains(.host($0.key))
        }.keys.sorted()
        let problem = Problem(
            place: site.path,
            cause:
                "not restored since the whole site vanished: \(listed(missing)); their last good versions stay in service",
            remedy: "restore the folders; if you removed the hosts on purpose, run aasa reload")
        keep(missing, in: &site, because: problem, withSite: true)
    }

    private func settled(_ site: SiteSource) -> SiteSource {
        var site = site
        site.hosts.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return withDefault(site.withoutConflicts(kept: kept))
    }

    // MARK: The default host

    private func knownHost(called name: String) -> String? {
        kept[name] != nil
            ? name : kept.filter { $0.value.facts.isDefault(called: name) }.keys.min()
    }

    /// The site, with an error if `--default-host` names an alias that is gone: the host that had
    /// it stays the default, because without one nothing would be loaded.
    private func withDefault(_ site: SiteSource) -> SiteSource {
        guard let name = defaultHost, !site.hosts.contains(where: { $0.isNamed(name) }),
            let host = knownHost(called: name)
        else { return site }
        var site = site
        site.problems.add(
            "site-unreadable",
            "the alias \(name) was removed, and --default-host names it; \(host) stays the default host",
            remedy: "restore it; to remove it, change --default-host to \(host)",
            at: "\(site.path)/\(host)/host.json")
        return site
    }
}
