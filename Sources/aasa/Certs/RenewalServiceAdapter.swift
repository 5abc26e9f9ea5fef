import AASAServer
import ACME
import Logging
import OpenSSL
import Reactor

/// Renewals beside the endpoint: gives the service what the endpoint knows, and the endpoint what
/// the service wants answered.
struct RenewalServiceAdapter: EndpointPart {
    let configuration: ACMEOptions.Configuration
    let store: any CertificateStore
    let challenges: ChallengeTable
    let service: RenewalService
    let board: StatusBoard
    let log: Logger

    func prepare() throws(Problem) {
        try store.prepare()
    }

    func start(beside reloader: Reloader, _ publisher: SnapshotPublisher) throws(SystemError) {
        let (challenges, board) = (challenges, board)
        board.write { $0.renewals = RenewalStatus() }
        let host = RenewalHost(
            site: { RenewalPlan.site(publisher.latest.snapshot, now: WallClock.seconds) },
            answer: { try ChallengeAnswers.show($0, challenges) },
            installed: { reloader.certificateInstalled() },
            publish: { status in board.write { $0.renewals = status } },
            questions: challenges.questions)
        try service.start(
            settings: configuration.settings, store: store, host: host,
            authorityFile: configuration.authorityFile,
            agent: "aasa/\(AASA.configuration.version)", log: log)
    }

    func publicationChanged() { service.siteChanged() }

    func stop() {
        store.end()
        service.end()
    }
}

/// Which certificates a site needs.
enum RenewalPlan {
    /// One per folder: the hosts that use it, each with its aliases; more where they are more
    /// than one certificate can have.
    ///
    /// A certificate in its last eighth of life covers nothing: who made it does not renew it.
    ///
    /// - Parameter now: seconds since 1970.
    static func site(
        _ snapshot: Snapshot, now: Int64
    ) -> (wanted: [WantedCertificate], covered: [String: String]) {
        var order: [String] = []
        var names: [String: [String]] = [:]
        var known: [String: Set<String>] = [:]
        for host in snapshot.hosts {
            let folder = host.certificateFolder
            if names[folder] == nil { order.append(folder) }
            for name in [host.name] + host.aliases
            where known[folder, default: []].insert(name).inserted {
                names[folder, default: []].append(name)
            }
        }
        let folders = Set(order)
        let wanted = order.flatMap {
            WantedCertificate.covering(names[$0] ?? [], folder: $0, taken: folders)
        }
        var covered: [String: String] = [:]
        for want in wanted {
            let other = snapshot.certificates.first { certificate in
                certificate.folder != want.folder
                    && [.good, .endsSoon].contains(certificate.life(at: now))
                    && want.names.allSatisfy { LineageDecision.covers(certificate.names, $0) }
            }
            if let other { covered[want.folder] = "the certificate of \(other.folder) covers it" }
        }
        return (wanted, covered)
    }
}
