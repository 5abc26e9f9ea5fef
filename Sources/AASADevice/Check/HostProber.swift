package import AASAClient
import AppSiteAssociation
import OpenSSL
import Reactor

/// Sends all relevant requests to a host, in parallel, until the deadline.
package struct HostProber {
    private let settings: CheckSettings
    private let client: HTTPClient
    private let progress: (String) -> Void
    private let deadline: MonotonicInstant
    private var evidence: CheckEvidence

    /// Sends a request with what is left of the deadline; nil if that did not suffice. Without an
    /// address the client resolves the name itself.
    private typealias Ask = (ClientRequest, SocketAddress?) -> ClientExchange?
    private typealias Job = @Sendable (@escaping Ask) -> Answers

    /// The result of one job.
    private struct Answers: Sendable {
        var probes: [(ProbePurpose, ClientExchange)] = []
        var eras: [Transcript] = []
        /// The deadline left so many requests without the time for an answer.
        var unasked = 0
    }

    package init(
        host: String, port: UInt16, settings: CheckSettings, client: HTTPClient,
        progress: @escaping (String) -> Void
    ) {
        self.settings = settings
        self.client = client
        self.progress = progress
        deadline = MonotonicInstant.now() + settings.deadline
        evidence = CheckEvidence(host: host.lowercased(), port: port, now: settings.now)
    }

    package mutating func run() -> CheckEvidence {
        evidence.isOverridden = settings.phone.resolver.isOverridden(evidence.host, evidence.port)
        progress("resolving")
        var jobs: [Job] = []
        switch settings.phone.resolver.addresses(of: evidence.host, port: evidence.port) {
        case .failure(let failure): evidence.addressFailure = failure
        case .success(let found):
            evidence.addresses = Self.selection(found)
            evidence.unaskedAddresses = found.count - evidence.addresses.count
            jobs = addressJobs
        }
        let cdn = cdnJobs
        jobs += cdn
        if !jobs.isEmpty {
            progress(
                "asking "
                    + (evidence.addresses.map(\.host) + (cdn.isEmpty ? [] : ["Apple's CDN"]))
                    .joined(separator: ", "))
        }
        take(jobs)
        askMore()
        return evidence
    }

    /// Sends the requests that depend on the first responses.
    private mutating func askMore() {
        var jobs = variantJobs
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

    /// Runs jobs on several threads.
    private mutating func take(_ jobs: [Job]) {
        let (client, deadline, whole) = (client, deadline, settings.deadline)
        let results = ParallelMap.run(
            jobs.count, threads: settings.probesAtOnce, name: "probe"
        ) { index in
            let job = jobs[index]
            return job { request, address in
                let budget = RequestBudget(left: deadline - .now(), whole: whole)
                return budget.ask(request) { client.fetch($0, at: address) }
            }
        }
        for answers in results {
            evidence.unasked += answers.unasked
            evidence.eras += answers.eras
            for (purpose, exchange) in answers.probes { evidence.add(purpose, exchange) }
        }
    }

    private static func job(
        _ purpose: ProbePurpose, _ request: ClientRequest, at address: SocketAddress? = nil
    ) -> Job {
        return { ask in
            guard let exchange = ask(request, address) else { return Answers(unasked: 1) }
            return Answers(probes: [(purpose, exchange)])
        }
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

    private var addressJobs: [Job] {
        let connect = settings.connectLimit(addresses: evidence.addresses.count)
        // Every address is asked for one path before any is for the other: if the time is up, all
        // were looked at.
        return CheckSettings.addressPaths.flatMap { path in
            evidence.addresses.enumerated().map { index, address in
                var request = crawler(path)
                request.limits.connect = connect
                return Self.job(.base(path, address: index), request, at: address)
            }
        }
    }

    /// Requests after a first response.
    private var variantJobs: [Job] {
        guard let index = evidence.mainAddress, let main = evidence.main else { return [] }
        let address = evidence.addresses[index]
        var jobs: [Job] = []
        // Asks as the crawler does, but for a change.
        func ask(_ purpose: ProbePurpose, _ change: (inout ClientRequest) -> Void) {
            var request = crawler(.wellKnown)
            change(&request)
            jobs.append(Self.job(purpose, request, at: address))
        }
        if case .tls = main.failure, main.head == nil {
            ask(.legacyTLS) {
                $0.security.offer.minimumVersion = .tls10
                $0.security.offer.maximumVersion = .tls11
                $0.security.offer.cipherList = "ALL:@SECLEVEL=0"
            }
            return jobs
        }
        if main.head == nil && main.tls == nil { return [] }
        // If every response times out, twenty more requests tell nothing new.
        if case .timeout = main.failure { return [] }
        for agent in ProbeAgent.allCases {
            ask(.agent(agent)) {
                if agent == .oldDevice { $0.target = AssociationPath.rootTarget }
                $0.fields = agent.fields
            }
        }
        ask(.tls12) { $0.security.offer.maximumVersion = .tls12 }
        ask(.tls13) { $0.security.offer.minimumVersion = .tls13 }
        ask(.noServerName) { $0.security.sendsServerName = false }
        ask(.onlyRSA) { $0.security.offer.signatureAlgorithms = TLSOffer.onlyRSA }
        ask(.onlyECDSA) { $0.security.offer.signatureAlgorithms = TLSOffer.onlyECDSA }
        ask(.longHello) {
            $0.security.offer = Era.ios26.rules.offer
            $0.security.offer.protocols = [.http11]
        }
        ask(.http2) { $0.security.offer.protocols = [.http2, .http11] }
        if main.status == 200 {
            let tag = main.head?.value("ETag") ?? "*"
            let date = main.head?.value("Last-Modified") ?? "Fri, 31 Dec 2100 23:59:59 GMT"
            ask(.head) { $0.method = "HEAD" }
            ask(.conditional) {
                $0.fields += [("If-None-Match", tag), ("If-Modified-Since", date)]
            }
            ask(.range) { $0.fields += [("Range", "bytes=0-9")] }
        }
        for sibling in settings.siblings ? Sibling.all : [] {
            ask(.sibling(sibling.path)) { $0.target = sibling.path }
        }
        return jobs
    }

    /// Follows redirects manually.
    private func redirectJob(from first: ClientExchange) -> Job? {
        guard let status = first.head?.status, (300..<400).contains(status) else { return nil }
        // Not those of a host with several addresses.
        let limits = settings.phone.limits
        return { ask in
            var answers = Answers()
            var current = first
            var seen: Set<String> = [first.request.url]
            for number in 0..<CheckSettings.hopMaximum {
                guard let head = current.head, (300..<400).contains(head.status),
                    var request = current.request.redirected(to: head.value("Location")),
                    seen.insert(request.url).inserted
                else { break }
                request.limits = limits
                guard let exchange = ask(request, nil) else {
                    answers.unasked = 1
                    break
                }
                current = exchange
                answers.probes.append((.hop(number), current))
            }
            return answers
        }
    }

    /// Most requests that are repeated: of a host that fails every second one, one is served.
    private static let repeatMaximum = 6

    /// Repeats requests that the server failed, one after the other.
    private var repeatJob: Job? {
        let failing = evidence.failing.prefix(Self.repeatMaximum)
        if failing.isEmpty { return nil }
        return { ask in
            var answers = Answers()
            for (purpose, exchange) in failing {
                guard let next = ask(exchange.request, exchange.address) else {
                    answers.unasked = 1
                    break
                }
                answers.probes.append((.again(purpose), next))
            }
            return answers
        }
    }

    private func crawler(_ path: AssociationPath) -> ClientRequest {
        let target = path.target(host: evidence.host, port: nil)
        return settings.phone.crawler(evidence.host, evidence.port, target)
    }

    // MARK: - Apple's CDN, and the devices

    private var cdnJobs: [Job] {
        if settings.skipsCDN || (settings.phone.cdn == nil && evidence.isOverridden) { return [] }
        let entry = EntitlementEntry("applinks:\(evidence.authority)")
        let phone = phone(.ios14, cdn: settings.phone.cdn ?? .apple)
        return [
            Self.job(.cdn, DeviceRequest(path: .cdn, entry: entry, settings: phone).request)
        ]
    }

    private var eraJobs: [Job] {
        let authority = evidence.authority
        let entries = evidence.services(for: settings.phone.app).map {
            EntitlementEntry("\($0):\(authority)")
        }
        // If this machine cannot reach the CDN, or had no time left for it, that says nothing about
        // devices: simulate the CDN.
        let isSimulated = evidence[.cdn] == nil || evidence.cdnIsOutOfReach
        return Era.allCases.filter { $0 != .managed }.map { era in
            let evidence = evidence
            let phone = phone(era, cdn: isSimulated ? .played : settings.phone.cdn)
            return { ask in
                var answers = Answers()
                var device = Device(
                    phone, chance: { 0.5 },
                    ask: {
                        if let known = Self.known($0, evidence) { return known }
                        if let exchange = ask($0, nil) {
                            answers.probes.append((.device(era), exchange))
                            return exchange
                        }
                        var exchange = ClientExchange(request: $0)
                        exchange.failure = .local(
                            "no answer within the time limit for all requests")
                        return exchange
                    })
                answers.eras = device.install(entries)
                return answers
            }
        }
    }

    private func phone(_ era: Era, cdn: CDNRoute?) -> Device.Settings {
        var phone = settings.phone
        phone.era = era
        phone.cdn = cdn
        phone.signatures = SignedDocument.reader(
            authorityFile: phone.authorityFile, now: settings.now)
        // One response is enough: retries are tested with the state machine.
        phone.horizonSeconds = 0
        return phone
    }

    /// What a device gets, where the evidence shows it.
    private static func known(
        _ request: ClientRequest, _ evidence: CheckEvidence
    ) -> ClientExchange? {
        if let cdn = evidence[.cdn], cdn.request.url == request.url { return cdn }
        var exchange = deadEnd(evidence)
        if let failure = evidence.addressFailure {
            exchange = ClientExchange(request: request)
            exchange?.failure = failure
        }
        exchange?.request = request
        return exchange
    }

    /// An exchange that proves that the host answers no client. After the connection everything may
    /// depend on the client, first of all the handshake; only a time limit is not waited for again.
    private static func deadEnd(_ evidence: CheckEvidence) -> ClientExchange? {
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
