package import AppSiteAssociation
package import OpenSSL
package import Reactor

/// What a load found and changed.
package struct LoadReport: Sendable {
    package var findings: [(host: String, findings: [Diagnostic])] = []
    package var certificates: [CertificateFinding] = []
    package var changes: [HostChange] = []
    /// Of the snapshot that the load built.
    package var generation: UInt64 = 0
    package var hostCount = 0
    /// Hosts that serve something older than what is on disk:
    /// `serving the last good version since TIME, because …`.
    package var kept: [(host: String, text: String)] = []
    /// How long reading and building took.
    package var duration: Duration = .zero
}

/// Reads the site and the certificates and builds a publication: the only way from disk to what is
/// served, used at start, by `--check` and by every reload. Remembers the last good state of every
/// part. Used by one thread at a time.
package struct SiteLoader: Sendable {
    private let configuration: ServerConfiguration
    /// The folders of the load under way, or of the last one.
    private var folders: LoadedFolders
    private let factory: ResponseFactory
    private let libraries: [TLSLibrary]
    private let tickets: SessionTickets?
    private let sign: HostBuilder.Sign
    private var states: [String: HostState] = [:]
    /// What the last load built; nil: there was none.
    private var last: SnapshotBuilder.Built?
    private var store = CertificatesInUse()
    private var contexts: [TLSContext] = []
    /// The hosts that were served and whose folders vanished, and since when in seconds since 1970,
    /// until an operator confirms it.
    package private(set) var vanished: [String: Int64] = [:]
    /// The site folder of the last load that succeeded; nil: there was none.
    private var loadedSite: String?
    /// The fingerprint when the last load began: later changes may be missing from that load.
    private(set) var fingerprint = FolderFingerprint(of: [])

    /// - Parameters:
    ///   - libraries: one per worker.
    ///   - sign: makes the CMS form of a document.
    package init(
        configuration: ServerConfiguration, libraries: [TLSLibrary], tickets: SessionTickets?,
        sign: @escaping HostBuilder.Sign
    ) {
        self.configuration = configuration
        self.libraries = libraries
        self.tickets = tickets
        self.sign = sign
        folders = LoadedFolders(configuration)
        factory = ResponseFactory(
            strictTransportSecuritySeconds: configuration.strictTransportSecuritySeconds)
    }

    /// What the last load serves (``ServedInventory``).
    package var inventory: Set<String>? {
        last.map { ServedInventory.items($0.snapshot, $0.assignment) }
    }

    /// The certificate folders that serve a host, or that an earlier process kept.
    private var foldersInUse: Set<String> { last?.assignment.folders ?? Set(store.folders) }

    /// Restores what an earlier process served, before the first load: parts that are broken on
    /// disk then fall back to it.
    ///
    /// - Returns: the certificate folders of which something could not be restored, and why.
    package mutating func restore(_ tree: KeptTree) -> [(name: String, why: String)] {
        for (name, kept) in tree.hosts where HostName.problem(of: name) == nil {
            states[name] = HostBuilder.restored(
                name, place: "\(folders.site)/\(name)", kept: kept, factory: factory)
        }
        vanished = tree.vanished
        return store.restore(
            tree, in: folders.certificates, trial: CertificateChecker(in: libraries.first))
    }

    /// What a later process may have to fall back to.
    package var kept: KeptTree {
        var tree = KeptTree()
        for (name, state) in states { tree.add(state.kept, of: name) }
        tree.vanished = vanished
        tree.inventory = inventory
        store.keep(in: &tree, used: foldersInUse, path: folders.certificates)
        return tree
    }

    /// What is served and not on disk. An operator may confirm it, once it was reported.
    package var losses: Set<Loss> {
        var losses = store.losses
        for (name, state) in states {
            losses.formUnion(state.kept.lost.map { .group(host: name, $0) })
            if state.kept.isLost { losses.insert(.host(name)) }
        }
        return losses
    }

    /// Reads everything and builds the next publication.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - confirmed: losses that were reported and that the operator confirms: what is still
    ///     missing is removed. Nil: no operator asked for the load.
    /// - Throws: if no complete publication can be built; the loader's memory stays as before.
    package mutating func load(
        now: Int64, confirmed: Set<Loss>? = nil
    ) throws(Problem) -> (publication: Publication, report: LoadReport) {
        folders = LoadedFolders(configuration)
        fingerprint = FolderFingerprint(of: [folders.site, folders.certificates])
        let losses = confirmed ?? []
        let site = try readSite(losses)
        let nextStore = store.reloaded(
            from: CertificateFolder(path: folders.certificates),
            names: SnapshotBuilder.names(of: site), wanted: site.names, used: foldersInUse,
            isWhole: isNewRevision && configuration.revisionHasCertificates,
            confirmed: losses, trial: CertificateChecker(in: libraries.first), now: now)
        let builder = SnapshotBuilder(
            factory: factory, defaultHost: configuration.defaultHost,
            certificatePath: folders.certificates,
            waitsForCertificates: configuration.challenges != nil)
        let built = builder.build(
            site, store: nextStore, previous: states,
            generation: (last?.snapshot.generation ?? 0) + 1, now: now, sign: sign)
        if let name = configuration.defaultHost, built.snapshot.defaultHost == nil {
            throw Problem(
                place: "--default-host", cause: "\(name) is not a host of the site",
                remedy: "name one of: "
                    + built.snapshot.hosts.prefix(10).map(\.name).joined(separator: ", "))
        }
        let nextContexts = try makeContexts(built)
        let report = LoadReport(
            findings: built.findings, certificates: built.certificateFindings,
            changes: HostChange.changes(
                from: states, to: built.states,
                defaultHosts: last.map {
                    ($0.snapshot.nameOfDefault, built.snapshot.nameOfDefault)
                }, certificates: (last?.snapshot.certificates ?? [], built.snapshot.certificates)),
            generation: built.snapshot.generation, hostCount: built.snapshot.hosts.count,
            kept: built.snapshot.hosts.compactMap { host in
                host.facts.kept.map { (host.name, $0) }
            })
        // An order confirms what the operator sees in the log, and a revision was published whole.
        let isMeant = confirmed != nil || isNewRevision
        vanished = isMeant ? [:] : vanishedHosts(built, now: now)
        states = built.states
        last = built
        store = nextStore
        contexts = nextContexts
        loadedSite = folders.site
        return (Publication(snapshot: built.snapshot, contexts: contexts), report)
    }

    /// Those that vanished before and with this load, and that no other host answers for.
    private func vanishedHosts(_ built: SnapshotBuilder.Built, now: Int64) -> [String: Int64] {
        let served = states.filter { $0.value.servesContent }.mapValues { _ in now }
        return vanished.merging(served) { before, _ in before }
            .filter { built.snapshot.host(named: $0.key)?.facts.isStray ?? true }
    }

    /// Whether the load reads a revision that the last one did not.
    private var isNewRevision: Bool {
        configuration.revisionLink != nil && folders.site != loadedSite
    }

    /// The site as it is on disk, with kept bytes for what was lost.
    private func readSite(_ confirmed: Set<Loss>) throws(Problem) -> SiteSource {
        let reconciler = SiteReconciler(
            kept: states.mapValues(\.kept), defaultHost: configuration.defaultHost,
            isWhole: isNewRevision, confirmed: confirmed)
        let site: SiteSource
        do {
            site = try SiteFolder.read(folders.site)
        } catch {
            return try reconciler.keptSite(folders.site, because: error)
        }
        return try reconciler.reconcile(site)
    }

    /// The stages of life of certificates and signatures. If they differ from those of the last
    /// load, something has to be renewed, signed or reported.
    package func lifeStages(now: Int64) -> [CertificateLife] {
        let states = states.sorted { $0.key < $1.key }.map(\.value)
        let certificates =
            store.folders.flatMap { store.pairs(in: $0) }.map(\.leaf.summary)
            + states.compactMap(\.refusedSigner)
        var lives = certificates.map { ($0.notBefore, $0.notAfter) }
        for state in states {
            if let signature = state.signature ?? state.document?.readySigned {
                lives.append((signature.notBefore, signature.notAfter))
            }
        }
        return lives.map { CertificateLife(notBefore: $0.0, notAfter: $0.1, now: now) }
    }

    /// Makes a new key for session tickets when one is due; see ``SessionTickets/rotate(now:)``.
    ///
    /// - Parameter now: seconds of the monotonic clock.
    package func rotateTicketKey(now: Int64) -> Bool { tickets?.rotate(now: now) ?? false }

    /// The folders to watch for changes, as of now.
    package var roots: [String] {
        let folders = LoadedFolders(configuration)
        return [folders.site, folders.certificates]
    }

    private func makeContexts(
        _ built: SnapshotBuilder.Built
    ) throws(Problem) -> [TLSContext] {
        let assignment = built.assignment
        let waits = assignment.hosts.isEmpty && configuration.challenges != nil
        guard let defaultHost = waits ? 0 : assignment.defaultHost else {
            // If there are files, report why they cannot be used, and not that there is none.
            let first = built.certificateFindings.first(where: \.isError)
            throw first?.problem
                ?? Problem(
                    place: folders.certificates, cause: "the folder has no certificate",
                    remedy: "create one: aasa certs make")
        }
        if let last, Self.identity(assignment) == Self.identity(last.assignment) { return contexts }
        var settings = TLSServerSettings(hosts: assignment.hosts, defaultHost: defaultHost)
        settings.tickets = tickets
        settings.challenges = configuration.challenges
        settings.prefersPostQuantum = configuration.prefersPostQuantum
        let (libraries, contexts, ready) = (libraries, contexts, settings)
        // Contexts of different libraries share no lock. At the start no client is served: all
        // processors work. At a reload the workers need them.
        do {
            return try ParallelMap.run(
                libraries.count, threads: contexts.isEmpty ? ProcessLimits.processorCount : 1,
                name: "aasa-contexts"
            ) { index throws(OpenSSLError) in
                try TLSContext(
                    role: .server(ready), library: libraries[index],
                    replacing: contexts.indices.contains(index) ? contexts[index] : nil)
            }
        } catch {
            throw Problem(
                place: folders.certificates, cause: error.description,
                remedy: error.remedy ?? "run aasa certs list for details")
        }
    }

    /// Equal if the contexts would be equal.
    private static func identity(_ assignment: CertificateAssignment) -> [[String]] {
        let hosts = assignment.hosts.map { host in
            host.names + ["\(host.servesIOS8)"] + host.pairs.map(\.identity)
        }
        return hosts + [["\(assignment.defaultHost ?? -1)"]]
    }
}
