package import AASAClient
import AppSiteAssociation
import OpenSSL
import Reactor

/// What `aasa check` wants to know, and how long it may take.
package struct CheckSettings: Sendable {
    /// An application identifier that has to be listed.
    package var app: String?
    package var resolver = Resolver()
    package var authorityFile: String?
    /// See ``ClientRequest/Security/trustsMachine``.
    package var trustsMachine = true
    package var limits = ClientRequest.Limits()
    package var cdn: CDNRoute?
    /// Leave Apple's CDN alone.
    package var skipsCDN = false
    /// Also look at assetlinks.json and its like.
    package var siblings = false
    /// From the request to the first byte.
    package var slowAfter = Duration.seconds(1)
    /// Seconds since 1970.
    package var now: Int64

    package init(now: Int64) { self.now = now }

    /// At most so many addresses are asked: enough to see that some lead nowhere.
    static let addressMaximum = 4
    /// A browser follows 20; a chain this long is a fault already.
    static let hopMaximum = 6
}

/// Asks a host in all the ways that matter. One per thread.
package struct HostProber {
    private let settings: CheckSettings
    private let client: HTTPClient
    private let progress: (String) -> Void
    private var evidence: CheckEvidence

    package init(
        host: String, port: UInt16, settings: CheckSettings, client: HTTPClient,
        progress: @escaping (String) -> Void
    ) {
        self.settings = settings
        self.client = client
        self.progress = progress
        evidence = CheckEvidence(host: host.lowercased(), port: port, now: settings.now)
    }

    package mutating func run() -> CheckEvidence {
        evidence.isOverridden = settings.resolver.isOverridden(evidence.host, evidence.port)
        progress("resolving")
        switch settings.resolver.addresses(of: evidence.host, port: evidence.port) {
        case .failure(let failure): evidence.addressFailure = failure
        case .success(let found):
            evidence.addresses = Self.selection(found)
            askAddresses()
        }
        askCDN()
        playEras()
        return evidence
    }

    /// Some of each family, in the system's order.
    private static func selection(_ found: [SocketAddress]) -> [SocketAddress] {
        let half = CheckSettings.addressMaximum / 2
        let six = found.filter(\.isIPv6).prefix(half)
        let four = found.filter { !$0.isIPv6 }
            .prefix(CheckSettings.addressMaximum - six.count)
        return found.filter { six.contains($0) || four.contains($0) }
    }

    // MARK: - The origin

    private mutating func askAddresses() {
        for (index, address) in evidence.addresses.enumerated() {
            progress("asking \(address.host)")
            ask(.base(.wellKnown, address: index), crawler(.wellKnown), at: address)
        }
        guard let index = evidence.mainAddress, let main = evidence.main else { return }
        let address = evidence.addresses[index]
        if case .tls = main.failure, main.head == nil { return askLegacyTLS(at: address) }
        if main.head == nil, main.tls == nil { return }
        progress("asking the root path")
        ask(.base(.root, address: index), crawler(.root), at: address)
        followRedirects(from: main)
        // Where every answer takes the whole patience, twenty more tell nothing new.
        if case .timeout = main.failure { return }
        progress("asking as others")
        for agent in ProbeAgent.allCases {
            var request = crawler(agent == .oldDevice ? .root : .wellKnown)
            request.fields = agent.fields
            ask(.agent(agent), request, at: address)
        }
        askTLSVariants(at: address)
        askVariants(at: address)
        if settings.siblings { askSiblings(at: address) }
    }

    private mutating func askLegacyTLS(at address: SocketAddress) {
        var request = crawler(.wellKnown)
        request.security.minimumVersion = .tls10
        request.security.maximumVersion = .tls11
        request.security.cipherList = "ALL:@SECLEVEL=0"
        ask(.legacyTLS, request, at: address)
    }

    private mutating func askTLSVariants(at address: SocketAddress) {
        progress("trying TLS")
        var request = crawler(.wellKnown)
        request.security.maximumVersion = .tls12
        ask(.tls12, request, at: address)
        request = crawler(.wellKnown)
        request.security.minimumVersion = .tls13
        ask(.tls13, request, at: address)
        request = crawler(.wellKnown)
        request.security.sendsServerName = false
        ask(.noServerName, request, at: address)
        request = crawler(.wellKnown)
        request.security.signatureAlgorithms = TLSClientSettings.onlyRSA
        ask(.onlyRSA, request, at: address)
        request.security.signatureAlgorithms = TLSClientSettings.onlyECDSA
        ask(.onlyECDSA, request, at: address)
    }

    private mutating func askVariants(at address: SocketAddress) {
        progress("trying HTTP/2, HEAD and conditions")
        var request = crawler(.wellKnown)
        request.version = .http2
        ask(.http2, request, at: address)
        guard let good = evidence.main, good.status == 200 else { return }
        request = crawler(.wellKnown)
        request.method = "HEAD"
        ask(.head, request, at: address)
        request = crawler(.wellKnown)
        let tag = good.head?.value("ETag") ?? "*"
        let date = good.head?.value("Last-Modified") ?? "Fri, 31 Dec 2100 23:59:59 GMT"
        request.fields += [("If-None-Match", tag), ("If-Modified-Since", date)]
        ask(.conditional, request, at: address)
        request = crawler(.wellKnown)
        request.fields += [("Range", "bytes=0-9")]
        ask(.range, request, at: address)
    }

    private mutating func followRedirects(from first: ClientExchange) {
        var current = first
        var seen: Set<String> = [first.request.url]
        for number in 0..<CheckSettings.hopMaximum {
            guard let head = current.head, (300..<400).contains(head.status),
                let target = RedirectTarget(head.value("Location"), from: current.request),
                seen.insert(target.url).inserted
            else { return }
            var request = ClientRequest(host: target.host, port: target.port, target: target.target)
            request.security.isTLS = target.isTLS
            request.security.authorityFile = settings.authorityFile
            request.security.trustsMachine = settings.trustsMachine
            request.fields = crawler(.wellKnown).fields
            request.limits = settings.limits
            current = client.fetch(request)
            evidence.add(.hop(number), current)
        }
    }

    private mutating func askSiblings(at address: SocketAddress) {
        progress("asking for siblings")
        for sibling in Sibling.all {
            var request = crawler(.wellKnown)
            request.target = sibling.path
            ask(.sibling(sibling.path), request, at: address)
        }
    }

    private mutating func ask(
        _ purpose: ProbePurpose, _ request: ClientRequest, at address: SocketAddress
    ) {
        evidence.add(purpose, client.fetch(request, at: address))
    }

    /// The request of Apple's crawler.
    private func crawler(_ path: AssociationPath) -> ClientRequest {
        var request = ClientRequest(
            host: evidence.host, port: evidence.port,
            target: path.target(host: evidence.host, port: nil))
        request.fields = [("User-Agent", Era.crawlerAgent)]
        request.limits = settings.limits
        request.security.authorityFile = settings.authorityFile
        request.security.trustsMachine = settings.trustsMachine
        return request
    }

    // MARK: - Apple's CDN, and the devices

    private mutating func askCDN() {
        if settings.skipsCDN || (settings.cdn == nil && evidence.isOverridden) { return }
        progress("asking Apple's CDN")
        let question = DeviceQuestion(
            path: .cdn, host: evidence.host,
            port: evidence.port == 443 ? nil : Int(evidence.port), era: .ios14,
            cdn: settings.cdn ?? .apple, resolver: settings.resolver)
        var request = question.request
        request.limits = settings.limits
        request.security.authorityFile = settings.authorityFile
        request.security.trustsMachine = settings.trustsMachine
        evidence.add(.cdn, client.fetch(request))
    }

    private mutating func playEras() {
        progress("playing the eras")
        let port = evidence.port == 443 ? "" : ":\(evidence.port)"
        let entry = EntitlementEntry("applinks:\(evidence.host)\(port)")
        let evidence = self.evidence
        let client = self.client
        for era in Era.allCases where era != .managed {
            var device = Device(
                deviceSettings(era), resolver: settings.resolver,
                signatures: SignedDocument.reader(
                    authorityFile: settings.authorityFile, now: settings.now),
                chance: { 0.5 },
                ask: { request in
                    // What is known already is not asked again.
                    if let known = Self.known(request, evidence) { return known }
                    if let dead = Self.deadEnd(evidence) {
                        return ClientExchange(playing: request, dead)
                    }
                    return client.fetch(request)
                })
            self.evidence.eras += device.install([entry])
        }
    }

    private func deviceSettings(_ era: Era) -> Device.Settings {
        var device = Device.Settings(app: settings.app, era: era)
        device.cdn = settings.cdn ?? (settings.skipsCDN ? .played : nil)
        device.authorityFile = settings.authorityFile
        device.trustsMachine = settings.trustsMachine
        device.limits = settings.limits
        // One answer decides: the retries are the state machine's business.
        device.horizonSeconds = 0
        return device
    }

    private static func known(
        _ request: ClientRequest, _ evidence: CheckEvidence
    ) -> ClientExchange? {
        if let cdn = evidence[.cdn], cdn.request.url == request.url { return cdn }
        let agent = request.fields.first { $0.name == "User-Agent" }?.value
        if agent == Era.crawlerAgent, let main = evidence.main, main.request.url == request.url {
            return main
        }
        return nil
    }

    /// The exchange that shows that nobody gets an answer from this host.
    private static func deadEnd(_ evidence: CheckEvidence) -> ClientExchange? {
        if let failure = evidence.addressFailure {
            var exchange = ClientExchange(
                request: ClientRequest(host: evidence.host, target: "/"))
            exchange.failure = failure
            return exchange
        }
        let answers = evidence.wellKnown
        return answers.contains { $0.head != nil } ? nil : evidence.main ?? answers.first
    }
}

/// Where a redirect leads.
struct RedirectTarget: Equatable {
    let isTLS: Bool
    let host: String
    let port: UInt16
    let target: String

    var url: String {
        let usual: UInt16 = isTLS ? 443 : 80
        return "\(isTLS ? "https" : "http")://\(host)\(port == usual ? "" : ":\(port)")\(target)"
    }

    /// Resolves a Location against the request (RFC 3986 section 5, as far as servers use it).
    init?(_ location: String?, from request: ClientRequest) {
        guard var location, !location.isEmpty else { return nil }
        if let hash = location.firstIndex(of: "#") { location = String(location[..<hash]) }
        if location.hasPrefix("//") {
            location = (request.security.isTLS ? "https:" : "http:") + location
        }
        if let url = try? ServerURL(parsing: location) {
            self.init(
                isTLS: url.isTLS, host: url.host.lowercased(), port: url.port,
                target: url.requestTarget)
            return
        }
        if location.contains("://") { return nil }
        var target = location
        if !target.hasPrefix("/") {
            let folder = request.target.prefix { $0 != "?" }
            target = folder[...(folder.lastIndex(of: "/") ?? folder.startIndex)] + target
        }
        self.init(
            isTLS: request.security.isTLS, host: request.host, port: request.port, target: target)
    }

    private init(isTLS: Bool, host: String, port: UInt16, target: String) {
        self.isTLS = isTLS
        self.host = host
        self.port = port
        self.target = target
    }
}

/// A document that may lie beside the association.
struct Sibling {
    enum Kind {
        /// JSON that its readers demand as such, without redirects.
        case json
        case text
        /// Has to redirect.
        case redirect
        /// Must not exist.
        case absent
    }

    let path: String
    let kind: Kind

    static let all = [
        Sibling(path: "/.well-known/assetlinks.json", kind: .json),
        Sibling(path: "/.well-known/webauthn", kind: .json),
        Sibling(path: "/.well-known/passkey-endpoints", kind: .json),
        Sibling(path: "/.well-known/security.txt", kind: .text),
        Sibling(path: "/.well-known/change-password", kind: .redirect),
        Sibling(
            path: "/.well-known/"
                + "resource-that-should-not-exist-whose-status-code-should-not-be-200",
            kind: .absent),
    ]
}
