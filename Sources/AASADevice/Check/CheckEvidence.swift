package import AASAClient
import AppSiteAssociation
package import Reactor

/// The purpose of a request.
package enum ProbePurpose: Sendable, Hashable {
    /// As Apple's crawler; `address` is the index in the evidence.
    case base(AssociationPath, address: Int)
    case agent(ProbeAgent)
    case tls12, tls13
    /// TLS 1.0 and 1.1, tried if nothing newer works.
    case legacyTLS
    case noServerName
    case onlyRSA, onlyECDSA
    /// A ClientHello of two TCP segments, as iOS 26 sends it.
    case longHello
    case http2
    case head, conditional, range
    /// The n-th redirect, followed manually.
    case hop(Int)
    case cdn
    case sibling(String)
    /// The request of a simulated device, or of the crawler behind its simulated CDN.
    case device(Era)
    /// A request that the server failed, once more.
    indirect case again(ProbePurpose)

    /// One word for scripts, pinned by a test; the exchange beside it says the rest.
    var name: String {
        switch self {
        case .base(let path, _): "\(path)"
        case .agent(let agent): "agent-\(agent)"
        default: String("\(self)".prefix { $0 != "(" })
        }
    }
}

/// User agents besides Apple's crawler.
package enum ProbeAgent: String, Sendable, Hashable, CaseIterable {
    case oldDevice = "swcd of iOS 8"
    case device = "swcd of current devices"
    case unknown = "an unknown agent"
    case none = "no agent"

    var fields: [(name: String, value: String)] {
        switch self {
        case .oldDevice: [("User-Agent", Era.ios8.rules.userAgent)]
        case .device: [("User-Agent", Era.developer.rules.userAgent)]
        // TN3155: test with a made-up one.
        case .unknown: [("User-Agent", "Quux/7.3 (made-up; aasa check)")]
        case .none: []
        }
    }
}

/// All observations of one host.
package struct CheckEvidence: Sendable {
    package let host: String
    package let port: UInt16
    package var addresses: [SocketAddress] = []
    /// Addresses beyond ``CheckSettings/addressMaximum``.
    package var unaskedAddresses = 0
    package var addressFailure: ClientFailure?
    /// Whether the user gave the address: then private addresses are no finding.
    package var isOverridden = false
    package private(set) var probes: [(purpose: ProbePurpose, exchange: ClientExchange)] = []
    package var eras: [Transcript] = []
    /// Requests that the deadline left no time for an answer.
    package var unasked = 0
    /// Seconds since 1970.
    package let now: Int64

    /// The host as people and requests name it: with its port, if it is not 443.
    var authority: String { ClientRequest(host: host, port: port, target: "/").authority }

    /// The host where a line begins with it.
    var subject: String { host.contains(":") ? "[\(host)]" : host }

    package subscript(purpose: ProbePurpose) -> ClientExchange? {
        probes.first { $0.purpose == purpose }?.exchange
    }

    package mutating func add(_ purpose: ProbePurpose, _ exchange: ClientExchange) {
        probes.append((purpose, exchange))
    }

    /// Exchanges of the well-known path, one per address.
    var wellKnown: [ClientExchange] { tried.map(\.exchange) }

    private var tried: [(address: Int, exchange: ClientExchange)] {
        probes.compactMap { purpose, exchange in
            if case .base(.wellKnown, let address) = purpose { (address, exchange) } else { nil }
        }
    }

    /// Whether this machine has a route to none of the addresses, so that nothing is known of the
    /// host.
    package var hasNoRoute: Bool {
        let exchanges = wellKnown
        return !exchanges.isEmpty && exchanges.allSatisfy(\.hasNoRoute)
    }

    /// The address for the other requests: the first that answered, else the first that spoke TLS.
    var mainAddress: Int? {
        let first =
            tried.first { $0.exchange.status == 200 } ?? tried.first { $0.exchange.head != nil }
            ?? tried.first { $0.exchange.tls != nil }
            ?? tried.first { $0.exchange.timing.connected != nil }
        return first?.address
    }

    /// Documents from any response of the host itself, and Apple's copy.
    private var documents: [AssociationFile] {
        probes.filter {
            (Self.isOfDocument($0) || $0.purpose == .cdn) && $0.exchange.status == 200
        }.compactMap { DocumentComparison.document($0.exchange.body) }
    }

    var hasDocument: Bool { !documents.isEmpty }

    /// The services to simulate a device for: those that list the app. If there are none, or no app
    /// is given, those that list any app; without a document, universal links.
    func services(for app: String?) -> [String] {
        let documents = documents
        func union(_ app: String?) -> [String] {
            var all: [String] = []
            for service in documents.flatMap({ AnswerEvaluator.services(of: app, in: $0) })
            where !all.contains(service) { all.append(service) }
            return all
        }
        let listed = app.map { union($0) } ?? []
        let any = listed.isEmpty ? union(nil) : listed
        return any.isEmpty ? ["applinks"] : any
    }

    /// Whether Apple's CDN was asked but did not answer itself: an error on the way, which says
    /// nothing about devices.
    var cdnIsOutOfReach: Bool {
        guard let cdn = self[.cdn] else { return false }
        return cdn.failure != nil || cdn.head == nil || !(cdn.tls?.verification.isGood ?? true)
    }

    /// The crawler's request for the well-known path at the main address.
    var main: ClientExchange? { mainAddress.flatMap { self[.base(.wellKnown, address: $0)] } }

    var root: ClientExchange? { mainAddress.flatMap { self[.base(.root, address: $0)] } }

    var hops: [ClientExchange] {
        probes.compactMap { if case .hop = $0.purpose { $0.exchange } else { nil } }
    }

    // MARK: - Answers that come now and then

    /// What the host answered for the document, if it gave the document at all.
    private var answers: [(purpose: ProbePurpose, exchange: ClientExchange)] {
        let answers = probes.filter { Self.isOfDocument($0) }
        return answers.contains { $0.exchange.status == 200 } ? answers : []
    }

    /// Whether the host itself is asked for the document, for the first time.
    private static func isOfDocument(
        _ probe: (purpose: ProbePurpose, exchange: ClientExchange)
    ) -> Bool {
        if case .hop = probe.purpose { return false }
        if case .again = probe.purpose { return false }
        return [AssociationPath.wellKnownTarget, AssociationPath.rootTarget]
            .contains(probe.exchange.request.target)
    }

    /// The requests that the server failed (5xx) while it served others. Whether it fails only now
    /// and then, the same request shows when it is sent again.
    var failing: [(purpose: ProbePurpose, exchange: ClientExchange)] {
        answers.filter { $0.exchange.isServerError }
    }

    /// Removes the answers that say nothing about the request, because the host gives them now and
    /// then: 429, and 5xx where a request got the document when it was sent again. That one
    /// replaces the failed one.
    ///
    /// - Returns: what was removed, and how many answers there were.
    mutating func removePassing() -> (removed: [ClientExchange], count: Int) {
        let again = probes.compactMap { probe in
            if case .again(let purpose) = probe.purpose, probe.exchange.status == 200 {
                (purpose: purpose, exchange: probe.exchange)
            } else {
                nil
            }
        }
        func isPassing(_ exchange: ClientExchange) -> Bool {
            (exchange.status == 429 || !again.isEmpty && exchange.isServerError)
                && Challenge.vendor(exchange) == nil
        }
        let answers = answers
        let removed = answers.filter { isPassing($0.exchange) }
        if !removed.isEmpty {
            probes.removeAll { Self.isOfDocument($0) && isPassing($0.exchange) }
            probes += again
        }
        return (removed.map(\.exchange), answers.count)
    }
}

extension SocketAddress {
    /// The address where a line may begin with it: one that begins with `::` looks like a command
    /// of a CI runner (`InertText`).
    var name: String { isIPv6 ? "[\(host)]" : host }
}

extension ClientExchange {
    /// Whether nothing was sent, as this machine has no route to the address.
    var hasNoRoute: Bool { if case .noRoute = failure { true } else { false } }

    fileprivate var isServerError: Bool { (500...599).contains(status ?? 0) }
}
