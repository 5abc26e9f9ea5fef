import AASAClient
import AASAServer
import ACME
import Logging
import OpenSSL
import Reactor

/// What `aasa certs plan` and `aasa serve --check --acme` see: each authority, each certificate,
/// each name from outside. Nothing is ordered, and nothing is changed but for two seconds the
/// challenges that a running server answers.
struct RenewalPreflight {
    var authorities: [AuthorityCheck] = []
    var status = RenewalStatus()
    var names: [NameReachability] = []
    var records: [CAACheck] = []
    /// Why it is not proven who answers; nil: it is, or nothing had to be.
    var unproven: String?
    /// What of the store cannot be read.
    var storeProblems: [String] = []

    /// - Parameters:
    ///   - hosts: only their certificates; empty: all.
    ///   - nameServer: asked for CAA records; nil: those of the machine.
    /// - Throws: `Problem`, `OpenSSLError` or ``CommandError``, where it cannot look.
    static func take(
        _ endpoint: Endpoint, _ configuration: ServerConfiguration,
        _ plan: ACMEOptions.Configuration, resolver: Resolver, hosts: [String],
        nameServer: SocketAddress? = nil
    ) throws -> RenewalPreflight {
        var look = RenewalPreflight()
        let store = FolderStore(path: configuration.certificateFolder)
        let (wanted, covered) = RenewalPlan.site(endpoint.snapshot, now: WallClock.seconds)
        for host in hosts where !wanted.contains(where: { $0.names.contains(host) }) {
            throw CommandError(
                "\(host) is not a host of \(configuration.siteFolder), nor an alias of one",
                remedy: "name one of: "
                    + wanted.flatMap(\.names).prefix(10).joined(separator: ", "), status: .usage)
        }
        let chosen = wanted.filter { want in
            hosts.isEmpty || want.names.contains { hosts.contains($0) }
        }
        let memory = try StoreSnapshot.read(
            store, directories: plan.settings.authorities.map(\.directory))
        look.storeProblems = memory.problems
        look.status = try memory.status(
            plan.settings, wanted: chosen, covered: covered, store: store)
        let client = try HTTPClient(resolver: resolver)
        let authorityClient = AuthorityClient(
            client: client, authorityFile: plan.authorityFile,
            agent: "aasa/\(AASA.configuration.version)")
        for authority in plan.settings.authorities {
            Terminal.note("asking \(authority.directory)")
            look.authorities.append(
                AuthorityCheck.look(
                    at: authority, plan.settings,
                    account: memory.accounts.first { $0.directory == authority.directory },
                    now: WallClock.seconds, send: authorityClient.send))
        }
        let foreign = Set(
            look.status.entries.filter { $0.state == "foreign" }.map(\.folder))
        let names = chosen.filter { !foreign.contains($0.folder) }.flatMap(\.names)
        let accounts = memory.accounts.reduce(into: [:]) { $0[$1.directory] = $1.url }
        look.records = names.map { name in
            CAACheck(
                name, authorities: look.authorities, accounts: accounts,
                challenge: plan.settings.challenge
            ) { DNSRecords.answer($0, type: CAARecords.recordType, server: nameServer) }
        }
        try look.see(names, endpoint, configuration, plan, store, client)
        return look
    }

    private mutating func see(
        _ names: [String], _ endpoint: Endpoint, _ configuration: ServerConfiguration,
        _ plan: ACMEOptions.Configuration, _ store: FolderStore, _ client: HTTPClient
    ) throws {
        if names.isEmpty { return }
        let validator = SimulatedValidator(client: client)
        let challenge = plan.settings.challenge
        let answers = names.map { ChallengeAnswer.made(for: $0, kind: challenge) }
        func looks(_ answers: [ChallengeAnswer]) -> [NameReachability] {
            names.map { name in
                Terminal.note("checking \(name)")
                return validator.look(at: name, challenge: challenge, answers: answers)
            }
        }
        do {
            try ChallengeAnswers.show(answers, configuration.challenges ?? ChallengeTable())
            self.names = try endpoint.listening { looks(answers) }
        } catch let failure as Problem {
            // A process listens there: the server itself, if its store is this one.
            do throws(Problem) {
                self.names = try store.showing(answers) { looks(answers) }
            } catch {
                unproven =
                    "\(failure); \(error.cause) (\(error.remedy))"
                self.names = looks([])
            }
        }
    }

    /// With several authorities one that answers is enough.
    var hasErrors: Bool {
        authorities.allSatisfy { $0.failure != nil } || names.contains { !$0.advice.isEmpty }
            || records.contains { $0.advice != nil }
            || authorities.contains { $0.clockFault != nil }
            || !storeProblems.isEmpty
    }
}

/// Shows challenges to who asks for them.
enum ChallengeAnswers {
    static func show(
        _ answers: [ChallengeAnswer], _ table: ChallengeTable
    ) throws(OpenSSLError) {
        var pairs: [String: CertificatePair] = [:]
        var tokens: [String: String] = [:]
        for answer in answers {
            switch answer.kind {
            case .http01: tokens[answer.token] = answer.keyAuthorization
            case .tlsALPN01:
                pairs[answer.name] = try CertificatePair.tlsALPNChallenge(
                    name: answer.name, digest: answer.digest, now: WallClock.seconds)
            }
        }
        table.replace(pairs, authorizations: tokens)
    }
}
