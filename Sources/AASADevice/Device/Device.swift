package import AASAClient
package import AppSiteAssociation

/// Simulates one phone with one app: requests each of the app's domains like an era of iOS, on a
/// virtual clock.
///
/// The requests of one URL together take little more real time than one request may take. When
/// they have taken that long, later tries get the last outcome again, so that the virtual clock
/// decides the verdict and not the speed of the server.
package struct Device {
    /// The properties of the phone, and of the network around it.
    package struct Settings: Sendable {
        /// The application identifier that must be listed; nil accepts any.
        package var app: String?
        package var era: Era
        package var resolver = Resolver()
        /// Verifies signatures.
        package var signatures: SignedDocument.Reader
        /// Nil: Apple's CDN, or a simulation of it for hosts given by `--resolve`.
        package var cdn: CDNRoute?
        package var authorityFile: String?
        /// See ``ClientRequest/Security/trustsMachine``.
        package var trustsMachine = true
        package var limits = ClientRequest.Limits()
        /// When the simulation ends; three days include the eight tries of every era.
        package var horizonSeconds = 3 * 86_400

        package init(app: String?, era: Era, signatures: @escaping SignedDocument.Reader) {
            self.app = app
            self.era = era
            self.signatures = signatures
        }

        /// What reads the answers about an entry.
        func evaluator(of entry: EntitlementEntry) -> AnswerEvaluator {
            AnswerEvaluator(self, service: entry.service, host: entry.host)
        }

        /// The request of Apple's crawler.
        func crawler(_ host: String, _ port: UInt16, _ target: String) -> ClientRequest {
            var request = ClientRequest(host: host, port: port, target: target)
            request.fields = Era.crawlerFields
            return applied(to: request)
        }

        /// The request with these limits and roots.
        func applied(to request: ClientRequest) -> ClientRequest {
            var request = request
            request.limits = limits
            request.security.authorityFile = authorityFile
            request.security.trustsMachine = trustsMachine
            return request
        }
    }

    /// Sends a request; the device has no network of its own.
    package typealias Ask = (ClientRequest) -> ClientExchange

    private let settings: Settings
    private let ask: Ask
    /// 0 ..< 1.
    private var chance: () -> Double
    /// The services of a domain share downloads, as on the device.
    private var downloads: [String: Download] = [:]
    /// The last download of each URL, and the real time that all of them took.
    private var spent: [String: (last: Download, took: Duration)] = [:]

    package init(
        _ settings: Settings, chance: @escaping () -> Double, ask: @escaping Ask
    ) {
        self.settings = settings
        self.chance = chance
        self.ask = ask
    }

    /// Installs the app: simulates every entry to its end.
    package mutating func install(_ entries: [EntitlementEntry]) -> [Transcript] {
        entries.map { play($0) }
    }

    private mutating func play(_ entry: EntitlementEntry) -> Transcript {
        let era = settings.era
        var transcript = Transcript(
            entry: entry.text, service: entry.service, host: entry.host,
            app: settings.app ?? "any app", era: era,
            verdict: .skipped(.other("not asked yet")))
        var time = 0
        func tell(_ kind: Transcript.Event.Kind) {
            transcript.events.append(Transcript.Event(time: time, kind: kind))
        }
        for note in EntryRules.notes(entry, era) { tell(.note(note)) }
        if let obstacle = EntryRules.obstacle(entry, era) {
            transcript.verdict = .skipped(.other(obstacle))
            tell(.rests(transcript.verdict, next: nil))
            return transcript
        }
        let reader = settings.evaluator(of: entry)
        var machine = AssociationStateMachine(era: era)
        var action = machine.installed()
        while true {
            switch action {
            case .ask(let path):
                let download = download(path, entry, time)
                let answer = reader.answer(download.exchange)
                tell(.asked(download, answer))
                action = machine.answered(answer, chance: chance())
            case .rest(let verdict, let next):
                transcript.verdict = verdict
                tell(.rests(verdict, next: next))
                guard case .willRetry(_, let seconds) = verdict,
                    time + seconds <= settings.horizonSeconds
                else { return transcript }
                time += seconds
                action = machine.timerFired()
            }
        }
    }

    private mutating func download(
        _ path: AssociationPath, _ entry: EntitlementEntry, _ time: Int
    ) -> Download {
        let question = DeviceRequest(path: path, entry: entry, settings: settings)
        let request = question.request
        let moment = "\(time) \(request.url)"
        if let known = downloads[moment] { return known }
        let past = spent[request.url]
        var download: Download
        if let past, past.took >= request.limits.total {
            download = past.last
            download.isReused = true
        } else {
            let exchange = ask(request)
            download = Download(
                exchange: question.answer(exchange), isSimulated: question.isSimulated)
            spent[request.url] = (download, (past?.took ?? .zero) + exchange.timing.ended)
        }
        downloads[moment] = download
        return download
    }
}

/// What a device gets for one request.
package struct Download: Sendable {
    package let exchange: ClientExchange
    /// Whether this machine simulates Apple's CDN.
    package let isSimulated: Bool
    /// Whether the outcome is that of an earlier request, as those took as long as one may take.
    package var isReused = false
}

extension EntitlementEntry {
    /// The domain as requests name it: without the brackets of an IPv6 address.
    fileprivate var host: String {
        let domain = domain.lowercased()
        return domain.hasPrefix("[") && domain.hasSuffix("]")
            ? String(domain.dropFirst().dropLast()) : domain
    }
}

/// One request of a device, with its target.
struct DeviceRequest {
    let path: AssociationPath
    let entry: EntitlementEntry
    let settings: Device.Settings

    private var host: String { entry.host }
    private var originPort: UInt16 { UInt16(clamping: entry.port ?? 443) }

    private var route: CDNRoute {
        settings.cdn ?? (settings.resolver.isOverridden(host, originPort) ? .played : .apple)
    }

    /// Whether this machine simulates the CDN and requests from the origin instead.
    var isSimulated: Bool { path == .cdn && route == .played }

    /// The actual request.
    var request: ClientRequest {
        if !isSimulated { return settings.applied(to: asDeviceAsks) }
        var request = settings.crawler(host, originPort, AssociationPath.wellKnownTarget)
        // Go's client, too, prefers HTTP/2.
        request.security.offer.protocols = [.http2, .http11]
        return request
    }

    /// What the device gets if ``request`` is answered so.
    func answer(_ exchange: ClientExchange) -> ClientExchange {
        isSimulated ? SimulatedCDN.answer(asDeviceAsks, from: exchange) : exchange
    }

    /// The device's own request.
    private var asDeviceAsks: ClientRequest {
        let target = path.target(host: host, port: entry.port)
        var request = ClientRequest(host: host, port: originPort, target: target)
        if path == .cdn,
            case .server(let name, let port, let isTLS, let base) = isSimulated ? .apple : route
        {
            request = ClientRequest(host: name, port: port, target: base + target)
            request.security.isTLS = isTLS
            request.fields = [("Apple-Proxied-Domain-Name", host)]
        }
        let rules = settings.era.rules
        request.fields += [
            ("User-Agent", rules.userAgent), ("Accept", "*/*"), ("Accept-Language", "en-us"),
        ]
        if let coding = rules.acceptEncoding { request.fields.append(("Accept-Encoding", coding)) }
        request.security.offer = rules.offer
        request.security.acceptsCommonName = rules.acceptsCommonName
        return request
    }
}
