package import AppSiteAssociation
import Glibc
package import OpenSSL

/// Nothing could be built, and so nothing is replaced.
package struct LoadFailure: Error, Sendable, Equatable {
    package let place: String
    package let cause: String
    package let remedy: String

    package init(place: String, cause: String, remedy: String) {
        self.place = place
        self.cause = cause
        self.remedy = remedy
    }
}

/// What a load found and changed.
package struct LoadReport: Sendable {
    package var findings: [(host: String, findings: [Diagnostic])] = []
    package var certificates: [CertificateFinding] = []
    package var changes: [HostChange] = []
    package var hostCount = 0
    /// How long reading and building took.
    package var duration: Duration = .zero

    /// Whether anything on disk is not served as it stands there.
    package var hasErrors: Bool {
        certificates.contains(where: \.isError)
            || findings.contains { $0.findings.contains { $0.severity == .error } }
    }
}

/// Reads the site and the certificates and builds a publication: the one way from disk to what is
/// served, used at start, by `--check` and by every reload. Remembers the last good state of every
/// part. One thread at a time.
package struct SiteLoader: Sendable {
    private let configuration: ServerConfiguration
    private let builder: SnapshotBuilder
    private let libraries: [TLSLibrary]
    private let tickets: SessionTickets?
    private let sign: HostBuilder.Sign
    private var states: [String: HostState] = [:]
    private var store = CertificateStore()
    private var generation: UInt64 = 0
    private var tlsIdentity = ""
    private var contexts: [TLSContext] = []
    /// How the folders stood when the last load began: what changes from then on may not be in it.
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
        builder = SnapshotBuilder(
            factory: ResponseFactory(
                strictTransportSecuritySeconds: configuration.strictTransportSecuritySeconds),
            defaultHost: configuration.defaultHost,
            certificatePath: configuration.certificateFolder)
    }

    /// Reads everything and builds the next publication.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: where nothing whole can be built; the loader's memory is then as before.
    package mutating func load(
        now: Int64
    ) throws(LoadFailure) -> (publication: Publication, report: LoadReport) {
        fingerprint = FolderFingerprint(of: roots)
        let site: SiteSource
        do {
            site = try SiteFolder.read(configuration.siteFolder)
        } catch {
            throw LoadFailure(place: error.path, cause: error.cause, remedy: error.remedy)
        }
        if site.hosts.isEmpty {
            throw LoadFailure(
                place: configuration.siteFolder, cause: "there is no host in it",
                remedy: "make a folder per host, such as \(configuration.siteFolder)/example.com/")
        }
        let nextStore = store.reloaded(
            from: CertificateFolder(path: configuration.certificateFolder),
            names: SnapshotBuilder.names(of: site), now: now)
        let built = builder.build(
            site, store: nextStore, previous: states, generation: generation + 1, now: now,
            sign: sign)
        if let name = configuration.defaultHost, built.snapshot.defaultHost == nil {
            throw LoadFailure(
                place: "--default-host", cause: "\(name) is not a host of the site",
                remedy: "name one of: "
                    + built.snapshot.hosts.prefix(10).map(\.name).joined(separator: ", "))
        }
        let nextContexts = try makeContexts(built.assignment)
        let report = LoadReport(
            findings: built.findings, certificates: built.certificateFindings,
            changes: HostChange.changes(from: states, to: built.states),
            hostCount: built.snapshot.hosts.count)
        states = built.states
        store = nextStore
        generation += 1
        contexts = nextContexts
        tlsIdentity = Self.identity(built.assignment)
        return (Publication(snapshot: built.snapshot, contexts: contexts), report)
    }

    /// Certificates and signatures by the stage of their life: when it differs from that of the
    /// last load, something is to be renewed, signed or said.
    package func lifeStages(now: Int64) -> [CertificateLife] {
        let pairs = store.folders.flatMap { store.pairs(in: $0) }.map {
            CertificateLife(
                notBefore: $0.leaf.summary.notBefore, notAfter: $0.leaf.summary.notAfter, now: now)
        }
        let signatures = states.sorted { $0.key < $1.key }.compactMap {
            $0.value.signature?.life(at: now)
        }
        return pairs + signatures
    }

    /// The folders whose changes matter.
    package var roots: [String] { [configuration.siteFolder, configuration.certificateFolder] }

    private func makeContexts(
        _ assignment: CertificateAssignment
    ) throws(LoadFailure) -> [TLSContext] {
        guard let defaultHost = assignment.defaultHost else {
            let first = assignment.findings.first
            throw LoadFailure(
                place: first?.place ?? configuration.certificateFolder,
                cause: first?.message ?? "there is no certificate",
                remedy: first?.remedy ?? "try aasa certs make")
        }
        if !contexts.isEmpty, Self.identity(assignment) == tlsIdentity { return contexts }
        var settings = TLSServerSettings(hosts: assignment.hosts, defaultHost: defaultHost)
        settings.tickets = tickets
        var made: [TLSContext] = []
        for (index, library) in libraries.enumerated() {
            do {
                made.append(
                    try TLSContext(
                        role: .server(settings), library: library,
                        replacing: contexts.indices.contains(index) ? contexts[index] : nil))
            } catch {
                throw LoadFailure(
                    place: configuration.certificateFolder, cause: error.description,
                    remedy: error.remedy ?? "see what aasa certs list says")
            }
        }
        return made
    }

    /// Equal where the contexts would be.
    private static func identity(_ assignment: CertificateAssignment) -> String {
        var text = "\(assignment.defaultHost ?? -1)"
        for host in assignment.hosts {
            text += "|" + host.names.joined(separator: ",")
            for pair in host.pairs { text += "+" + pair.identity }
        }
        return text
    }
}
