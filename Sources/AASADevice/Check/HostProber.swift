import AASAClient
import AppSiteAssociation
import OpenSSL
import Reactor

/// Sends all relevant requests to a host, in parallel, until the deadline.
package struct HostProber {
    private let settings: CheckSettings
    private let pool: ClientPool
    private let progress: (String) -> Void
    private let deadline: MonotonicInstant
    private var evidence: CheckEvidence

    private struct Probe: Sendable {
        let purpose: ProbePurpose
        let request: ClientRequest
        /// Nil if the client should resolve the name itself.
        let address: SocketAddress?
    }

    /// The result of one job.
    private enum Yield: Sendable {
        /// The deadline left so many requests without the time for an answer.
        case probes([(ProbePurpose, ClientExchange)], unasked: Int)
        case eras([Transcript], [(ProbePurpose, ClientExchange)])
    }

    package init(
        host: String, port: UInt16, settings: CheckSettings, pool: ClientPool,
        progress: @escaping (String) -> Void
    ) {
        self.settings = settings
        self.pool = pool
        self.progress = progress
        deadline = MonotonicInstant.now() + settings.deadline
        evidence = CheckEvidence(host: host.lowercased(), port: port, now: settings.now)
    }

    package mutating func run() -> CheckEvidence {
        evidence.isOverridden = settings.resolver.isOverridden(evidence.host, evidence.port)
        progress("resolving")
        var probes: [Probe] = []
        switch settings.resolver.addresses(of: evidence.host, port: evidence.port) {
        case .failure(let failure): evidence.addressFailure = failure
        case .success(let found):
            evidence.addresses = Self.selection(found)
            evidence.unaskedAddresses = found.count - evidence.addresses.count
            probes = addressProbes
        }
        probes += cdnProbes
        if !probes.isEmpty {
            progress(
                "asking "
                    + (evidence.addresses.map(\.host) + (cdnProbes.isEmpty ? [] : ["Apple's CDN"]))
                    .joined(separator: ", "))
        }
        take(probes.map(job))
        askMore()
        return evidence
    }

    /// Sends the requests that depend on the first responses.
    private mutating func askMore() {
        var jobs = variantProbes.map(job)
        if let main = evidence.main, let follow = redirectJob(from: main) { jobs.append(follow) }
        // The devices come first, as they matter most. Without a document it is not yet known which
        // services to simulate.
        let isEarly = evidence.hasDocument || jobs.isEmpty
        if isEarly { jobs = eraJobs + jobs }
        if !jobs.isEmpty { progress("simulating devices, sending \(jobs.count) requests") }
        take(jobs)
        if !isEarly {
            progress("simulating devices")
            take(eraJobs)
        }
        take([repeatJob].compactMap { $0 })
    }

    private mutating func take(_ jobs: [ParallelJobs.Job<Yield>]) {
        for result in ParallelJobs.run(jobs, threads: settings.probesAtOnce, pool) {
            switch result {
            case .probes(let probes, let unasked):
                evidence.unasked += unasked
                for (purpose, exchange) in probes {
                    evidence.add(purpose, exchange)
                }
            case .eras(let transcripts, let asked):
                evidence.eras += transcripts
                for (purpose, exchange) in asked { evidence.add(purpose, exchange) }
            case nil:
                var exchange = ClientExchange(request: crawler(.wellKnown))
                exchange.failure = .local("the TLS library does not work")
                evidence.add(.base(.wellKnown, address: 0), exchange)
            }
        }
    }

    private func job(_ probe: Probe) -> ParallelJobs.Job<Yield> {
        let (deadline, settings) = (deadline, settings)
        return { client in
            let exchange = Self.budget(until: deadline, settings).ask(probe.request) {
                client.fetch($0, at: probe.address)
            }
            guard let exchange else { return .probes([], unasked: 1) }
            return .probes([(probe.purpose, exchange)], unasked: 0)
        }
    }

    private static func budget(
        until deadline: MonotonicInstant, _ settings: CheckSettings
    ) -> RequestBudget {
        RequestBudget(left: deadline - MonotonicInstant.now(), whole: settings.deadline)
    }

    /// Some addresses of each family, in the system's order: half of the maximum, and what the
    /// other family leaves of its half.
    static func selection(_ found: [SocketAddress]) -> [SocketAddress] {
        let maximum = CheckSettings.addressMaximum
        let (six, four) = (found.filter(\.isIPv6), found.filter { !$0.isIPv6 })
        let chosen =
            six.prefix(max(maximum / 2, maximum - four.count))
            + four.prefix(max(maximum / 2, maximum - six.count))
        return found.filter { chosen.contains($0) }
    }

    // MARK: - The origin

    private var addressProbes: [Probe] {
        let connect = settings.connectLimit(addresses: evidence.addresses.count)
        // Every address is asked for one path before any is for the other: if the time is up, all
        // were looked at.
        return CheckSettings.addressPaths.flatMap { path in
            evidence.addresses.enumerated().map { index, address in
                var request = crawler(path)
                request.limits.connect = connect
                return Probe(
                    purpose: .base(path, address: index), request: request, address: address)
            }
        }
    }

    /// Requests after a first response.
    private var variantProbes: [Probe] {
        guard let index = evidence.mainAddress, let main = evidence.main else { return [] }
        let address = evidence.addresses[index]
        func probe(_ purpose: ProbePurpose, _ request: ClientRequest) -> Probe {
            Probe(purpose: purpose, request: request, address: address)
        }
        if case .tls = main.failure, main.head == nil { return [probe(.legacyTLS, legacyTLS)] }
        if main.head == nil && main.tls == nil { return [] }
        // If every response times out, twenty more requests tell nothing new.
        if case .timeout = main.failure { return [] }
        var probes = ProbeAgent.allCases.map { agent in
            var request = crawler(agent == .oldDevice ? .root : .wellKnown)
            request.fields = agent.fields
            return probe(.agent(agent), request)
        }
        probes += tlsVariants.map { probe($0, $1) }
        var request = crawler(.wellKnown)
        request.security.offer.protocols = [.http2, .http11]
        probes.append(probe(.http2, request))
        if main.status == 200 { probes += conditions(main).map { probe($0, $1) } }
        if settings.siblings {
            probes += Sibling.all.map { sibling in
                var request = crawler(.wellKnown)
                request.target = sibling.path
                return probe(.sibling(sibling.path), request)
            }
        }
        return probes
    }

    private var legacyTLS: ClientRequest {
        var request = crawler(.wellKnown)
        request.security.offer.minimumVersion = .tls10
        request.security.offer.maximumVersion = .tls11
        request.security.offer.cipherList = "ALL:@SECLEVEL=0"
        return request
    }

    private var tlsVariants: [(ProbePurpose, ClientRequest)] {
        func variant(_ change: (inout ClientRequest.Security) -> Void) -> ClientRequest {
            var request = crawler(.wellKnown)
            change(&request.security)
            return request
        }
        return [
            (.tls12, variant { $0.offer.maximumVersion = .tls12 }),
            (.tls13, variant { $0.offer.minimumVersion = .tls13 }),
            (.noServerName, variant { $0.sendsServerName = false }),
            (.onlyRSA, variant { $0.offer.signatureAlgorithms = TLSOffer.onlyRSA }),
            (.onlyECDSA, variant { $0.offer.signatureAlgorithms = TLSOffer.onlyECDSA }),
            (
                .longHello,
                variant {
                    $0.offer = Era.ios26.rules.offer
                    $0.offer.protocols = [.http11]
                }
            ),
        ]
    }

    private func conditions(_ main: ClientExchange) -> [(ProbePurpose, ClientRequest)] {
        var head = crawler(.wellKnown)
        head.method = "HEAD"
        var conditional = crawler(.wellKnown)
        let tag = main.head?.value("ETag") ?? "*"
        let date = main.head?.value("Last-Modified") ?? "Fri, 31 Dec 2100 23:59:59 GMT"
        conditional.fields += [("If-None-Match", tag), ("If-Modified-Since", date)]
        var range = crawler(.wellKnown)
        range.fields += [("Range", "bytes=0-9")]
        return [(.head, head), (.conditional, conditional), (.range, range)]
    }

    /// Follows redirects manually.
    private func redirectJob(from first: ClientExchange) -> ParallelJobs.Job<Yield>? {
        guard let status = first.head?.status, (300..<400).contains(status) else { return nil }
        let base = crawler(.wellKnown)
        let (deadline, settings) = (deadline, settings)
        return { client in
            var hops: [(ProbePurpose, ClientExchange)] = []
            var current = first
            var seen: Set<String> = [first.request.url]
            for number in 0..<CheckSettings.hopMaximum {
                guard let head = current.head, (300..<400).contains(head.status),
                    let target = RedirectTarget(head.value("Location"), from: current.request),
                    seen.insert(target.url).inserted
                else { break }
                var request = base
                request.host = target.host
                request.port = target.port
                request.target = target.target
                request.security.isTLS = target.isTLS
                let exchange = Self.budget(until: deadline, settings).ask(request) {
                    client.fetch($0)
                }
                guard let exchange else { return .probes(hops, unasked: 1) }
                current = exchange
                hops.append((.hop(number), current))
            }
            return .probes(hops, unasked: 0)
        }
    }

    /// Most requests that are repeated: of a host that fails every second one, one is served.
    private static let repeatMaximum = 6

    /// Repeats requests that the server failed, one after the other.
    private var repeatJob: ParallelJobs.Job<Yield>? {
        let failing = evidence.failing.prefix(Self.repeatMaximum)
        if failing.isEmpty { return nil }
        let (deadline, settings) = (deadline, settings)
        return { client in
            var repeated: [(ProbePurpose, ClientExchange)] = []
            for (purpose, exchange) in failing {
                let next = Self.budget(until: deadline, settings).ask(exchange.request) {
                    client.fetch($0, at: exchange.address)
                }
                guard let next else { return .probes(repeated, unasked: 1) }
                repeated.append((.again(purpose), next))
            }
            return .probes(repeated, unasked: 0)
        }
    }

    /// The request of Apple's crawler.
    private func crawler(_ path: AssociationPath) -> ClientRequest {
        var request = ClientRequest(
            host: evidence.host, port: evidence.port,
            target: path.target(host: evidence.host, port: nil))
        request.fields = Era.crawlerFields
        return prepared(request)
    }

    private func prepared(_ request: ClientRequest) -> ClientRequest {
        var request = request
        request.limits = settings.limits
        request.security.authorityFile = settings.authorityFile
        request.security.trustsMachine = settings.trustsMachine
        return request
    }

    // MARK: - Apple's CDN, and the devices

    private var cdnProbes: [Probe] {
        if settings.skipsCDN || (settings.cdn == nil && evidence.isOverridden) { return [] }
        let question = DeviceRequest(
            path: .cdn, host: evidence.host,
            port: evidence.port == 443 ? nil : Int(evidence.port), era: .ios14,
            cdn: settings.cdn ?? .apple, resolver: settings.resolver)
        return [Probe(purpose: .cdn, request: prepared(question.request), address: nil)]
    }

    private var eraJobs: [ParallelJobs.Job<Yield>] {
        let authority = evidence.authority
        let entries = evidence.services(for: settings.app).map {
            EntitlementEntry("\($0):\(authority)")
        }
        return Era.allCases.filter { $0 != .managed }.map { era in
            let (evidence, settings, deadline) = (evidence, settings, deadline)
            return { client in
                var asked: [(ProbePurpose, ClientExchange)] = []
                var device = Device(
                    Self.deviceSettings(era, evidence, settings), resolver: settings.resolver,
                    signatures: SignedDocument.reader(
                        authorityFile: settings.authorityFile, now: settings.now),
                    chance: { 0.5 },
                    ask: {
                        if let known = Self.known($0, evidence) { return known }
                        let budget = Self.budget(until: deadline, settings)
                        if let exchange = budget.ask($0, { client.fetch($0) }) {
                            asked.append((.device(era), exchange))
                            return exchange
                        }
                        var exchange = ClientExchange(request: $0)
                        exchange.failure = .local(
                            "no answer before the time for all questions was up")
                        return exchange
                    })
                let transcripts = device.install(entries)
                return .eras(transcripts, asked)
            }
        }
    }

    private static func deviceSettings(
        _ era: Era, _ evidence: CheckEvidence, _ settings: CheckSettings
    ) -> Device.Settings {
        var device = Device.Settings(app: settings.app, era: era)
        // If this machine cannot reach the CDN, or had no time left for it, that says nothing about
        // devices: simulate the CDN.
        let isSimulated = evidence[.cdn] == nil || evidence.cdnIsOutOfReach
        device.cdn = isSimulated ? .played : settings.cdn
        device.authorityFile = settings.authorityFile
        device.trustsMachine = settings.trustsMachine
        device.limits = settings.limits
        // One response is enough: retries are tested with the state machine.
        device.horizonSeconds = 0
        return device
    }

    /// What a device gets, where the evidence shows it.
    private static func known(
        _ request: ClientRequest, _ evidence: CheckEvidence
    ) -> ClientExchange? {
        if let cdn = evidence[.cdn], cdn.request.url == request.url { return cdn }
        return deadEnd(evidence).map { ClientExchange(playing: request, $0) }
    }

    /// An exchange that proves that the host answers no client. After the connection everything may
    /// depend on the client, first of all the handshake; only a time limit is not waited for again.
    private static func deadEnd(_ evidence: CheckEvidence) -> ClientExchange? {
        if let failure = evidence.addressFailure {
            var exchange = ClientExchange(
                request: ClientRequest(host: evidence.host, target: "/"))
            exchange.failure = failure
            return exchange
        }
        let answers = evidence.wellKnown
        let isDead = answers.allSatisfy { exchange in
            if case .timeout = exchange.failure { return exchange.head == nil }
            return exchange.timing.connected == nil
        }
        // What could not be asked from here says nothing of what others get.
        return isDead
            ? evidence.main ?? answers.first { !$0.hasNoRoute } ?? answers.first : nil
    }
}
