package import AppSiteAssociation
import OpenSSL

/// The whole site and its certificates → a snapshot and its findings. Called on the reloader's
/// thread; no I/O here.
package struct SnapshotBuilder: Sendable {
    package let factory: ResponseFactory
    /// `--default-host`.
    package let defaultHost: String?
    package let certificatePath: String
    /// ACME orders certificates: a host without one waits for it.
    package let waitsForCertificates: Bool

    package init(
        factory: ResponseFactory, defaultHost: String?, certificatePath: String,
        waitsForCertificates: Bool = false
    ) {
        self.waitsForCertificates = waitsForCertificates
        self.factory = factory
        self.defaultHost = defaultHost
        self.certificatePath = certificatePath
    }

    /// The result of a build.
    package struct Built: Sendable {
        package let snapshot: Snapshot
        package let assignment: CertificateAssignment
        package let states: [String: HostState]
        /// Findings of the site by host; the empty name for those of no single host.
        package let findings: [(host: String, findings: [Diagnostic])]
        package let certificateFindings: [CertificateFinding]
    }

    /// The names that each certificate folder has to cover.
    package static func names(of site: SiteSource) -> [String: [String]] {
        Dictionary(grouping: site.hosts, by: \.certificateFolder).mapValues { $0.map(\.name) }
    }

    /// - Parameters:
    ///   - previous: states of the last build, by host name.
    ///   - now: seconds since 1970.
    ///   - sign: makes the CMS form.
    package func build(
        _ site: SiteSource, store: CertificatesInUse, previous: [String: HostState],
        generation: UInt64, now: Int64, sign: @escaping HostBuilder.Sign
    ) -> Built {
        let sources = site.hosts
        let chosen = chooseDefault(sources, previous)
        let assignment = CertificateAssignment(
            sources, store: store, path: certificatePath, defaultHost: chosen,
            now: now, waitsForCertificates: waitsForCertificates)
        var states: [String: HostState] = [:]
        var findings: [(host: String, findings: [Diagnostic])] = []
        if !site.problems.isEmpty { findings.append(("", site.problems)) }
        for source in sources {
            let known = previous[source.name]
            var builder = HostBuilder(
                source: source, previous: known, kept: known?.kept ?? KeptHost(),
                pairs: assignment.pairs[source.name] ?? [], factory: factory, now: now, sign: sign)
            let (state, found) = builder.build()
            states[source.name] = state
            if !found.isEmpty { findings.append((source.name, found)) }
        }
        if let chosen { states[chosen]?.kept.facts.defaultName = defaultHost }
        let hosts = sources.compactMap { states[$0.name]?.served }
        let snapshot = Snapshot(
            generation: generation, hosts: hosts, certificates: served(store, assignment),
            defaultHost: chosen.flatMap { name in hosts.firstIndex { $0.name == name } },
            notFound: factory.text(404, "Not Found\n"),
            badRequest: factory.text(400, "Bad Request\n"),
            targetTooLong: factory.text(414, "URI Too Long\n"),
            unavailable: factory.unavailable())
        return Built(
            snapshot: snapshot, assignment: assignment, states: states, findings: findings,
            certificateFindings: store.problems.map {
                assignment.concerns($0.folder) ? $0 : $0.ofUnusedFolder
            } + assignment.findings)
    }

    /// The host for unknown names: that of the flag, or else that of `default` in `host.json`, or
    /// else the only one. If the flag names a removed alias, the host that had it stays the
    /// default.
    private func chooseDefault(
        _ sources: [HostSource], _ previous: [String: HostState]
    ) -> String? {
        if let defaultHost {
            let named = sources.first { $0.isNamed(defaultHost) }
            return
                (named
                ?? sources.first {
                    previous[$0.name]?.kept.facts.isDefault(called: defaultHost) == true
                })?.name
        }
        return sources.first(where: \.inForce.isDefault)?.name
            ?? (sources.count == 1 ? sources[0].name : nil)
    }

    /// Those that serve a host.
    private func served(
        _ store: CertificatesInUse, _ assignment: CertificateAssignment
    ) -> [ServedCertificate] {
        store.folders.filter(assignment.folders.contains).flatMap { folder in
            store.pairs(in: folder).map { pair in
                let summary = pair.leaf.summary
                return ServedCertificate(
                    folder: folder, file: pair.chainName, names: summary.names,
                    keyType: "\(summary.keyType)", issuer: summary.issuer,
                    notBefore: summary.notBefore, notAfter: summary.notAfter,
                    problems: store.problems.filter {
                        $0.folder == folder
                            && [pair.chainName, pair.keyName].contains($0.problem.place)
                    }.map(\.problem.cause),
                    keptSince: store.slots[folder]?.first {
                        $0.pair.chainName == pair.chainName
                    }?.kept.since)
            }
        }
    }
}
