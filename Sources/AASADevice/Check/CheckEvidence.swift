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
}

/// User agents besides Apple's crawler.
package enum ProbeAgent: String, Sendable, Hashable, CaseIterable {
    case oldDevice = "swcd of iOS 8"
    case device = "swcd of today"
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

    package init(host: String, port: UInt16, now: Int64) {
        self.host = host
        self.port = port
        self.now = now
    }

    package subscript(purpose: ProbePurpose) -> ClientExchange? {
        probes.first { $0.purpose == purpose }?.exchange
    }

    package mutating func add(_ purpose: ProbePurpose, _ exchange: ClientExchange) {
        probes.append((purpose, exchange))
    }

    /// Exchanges of the well-known path, one per address.
    var wellKnown: [ClientExchange] {
        probes.compactMap {
            if case .base(.wellKnown, _) = $0.purpose { $0.exchange } else { nil }
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
        let tried = probes.compactMap { probe -> (Int, ClientExchange)? in
            if case .base(.wellKnown, let address) = probe.purpose {
                (address, probe.exchange)
            } else {
                nil
            }
        }
        return tried.first { $0.1.status == 200 }?.0 ?? tried.first { $0.1.head != nil }?.0
            ?? tried.first { $0.1.tls != nil }?.0 ?? tried.first { $0.1.timing.connected != nil }?.0
    }

    /// Documents from any response, including Apple's copy.
    private var documents: [AssociationFile] {
        probes.compactMap { probe in
            switch probe.purpose {
            case .base, .agent, .cdn: break
            case .tls12, .tls13, .legacyTLS, .noServerName, .onlyRSA, .onlyECDSA, .longHello,
                .http2,
                .head, .conditional, .range, .hop, .sibling:
                return nil
            }
            guard probe.exchange.status == 200 else { return nil }
            let bytes = DocumentComparison.plain(probe.exchange.body)
            return try? AssociationFile(reading: SourceText(name: "answer", bytes: bytes))
        }
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
}

extension ClientExchange {
    /// Whether nothing was sent, as this machine has no route to the address.
    var hasNoRoute: Bool { if case .noRoute = failure { true } else { false } }
}
