import AASAServer
import ACME
import Logging
import OpenSSL
import Reactor

/// Renewals beside the endpoint: gives the service what the endpoint knows, and the endpoint what
/// the service wants answered.
final class RenewalServiceAdapter: EndpointService {
    private let configuration: ACMEOptions.Configuration
    private let store: any CertificateStore
    private let challenges: ChallengeTable
    private let plain: HTTP01Challenges
    private let service: RenewalService
    private let log: Logger

    init(
        _ configuration: ACMEOptions.Configuration, store: any CertificateStore,
        challenges: ChallengeTable, plain: HTTP01Challenges, log: Logger
    ) throws(SystemError) {
        self.configuration = configuration
        self.store = store
        self.challenges = challenges
        self.plain = plain
        self.log = log
        service = try RenewalService()
    }

    func prepare() throws(Problem) {
        try store.prepare()
    }

    func start(beside endpoint: RunningEndpoint) throws(SystemError) {
        let challenges = challenges
        let plain = plain
        let host = RenewalHost(
            site: { RenewalPlan.site(endpoint.snapshot(), now: WallClock.seconds) },
            answer: { try ChallengeAnswers.show($0, challenges, plain) },
            installed: endpoint.certificateInstalled, questions: challenges.questions)
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

    var renewals: StatusReport.Renewals {
        let status = service.status
        var renewals = StatusReport.Renewals()
        renewals.succeeded = status.succeeded
        renewals.failed = status.failed
        renewals.storeError = status.storeError
        renewals.entries = status.entries.map(StatusReport.Renewals.Entry.init)
        renewals.budgets = status.budgets.map {
            .init(authority: $0.authority, ordersLeft: $0.ordersLeft, orders: $0.orders)
        }
        return renewals
    }
}

extension StatusReport.Renewals.Entry {
    init(_ entry: RenewalStatus.Entry) {
        self.init(
            host: entry.folder, key: entry.isRSA ? "rsa" : "ecdsa", state: entry.state,
            note: entry.note)
        names = entry.names
        next = entry.next
        tries = entry.tries
        lastError = entry.lastError
        remedy = entry.remedy
        authority = entry.authority
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
