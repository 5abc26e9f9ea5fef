package import AASAClient
package import Reactor

/// What was asked, and why.
package enum ProbePurpose: Sendable, Hashable {
    /// As Apple's crawler; the address by its place in the evidence.
    case base(AssociationPath, address: Int)
    case agent(ProbeAgent)
    case tls12, tls13
    /// TLS 1.0 and 1.1, asked when nothing newer works.
    case legacyTLS
    case noServerName
    case onlyRSA, onlyECDSA
    case http2
    case head, conditional, range
    /// The n-th redirect, followed by hand.
    case hop(Int)
    case cdn
    case sibling(String)
}

/// Who asks, beside Apple's crawler.
package enum ProbeAgent: String, Sendable, Hashable, CaseIterable {
    case oldDevice = "swcd of iOS 8"
    case device = "swcd of today"
    case unknown = "an unknown agent"
    case none = "no agent"

    var fields: [(name: String, value: String)] {
        switch self {
        case .oldDevice: [("User-Agent", Era.ios8.userAgent)]
        case .device: [("User-Agent", Era.developer.userAgent)]
        // TN3155: test with a made-up one.
        case .unknown: [("User-Agent", "Quux/7.3 (made-up; aasa check)")]
        case .none: []
        }
    }
}

/// Everything that was seen of one host.
package struct CheckEvidence: Sendable {
    package let host: String
    package let port: UInt16
    package var addresses: [SocketAddress] = []
    package var addressFailure: ClientFailure?
    /// The user said where the host is: private addresses are then no finding.
    package var isOverridden = false
    package private(set) var probes: [(purpose: ProbePurpose, exchange: ClientExchange)] = []
    package var eras: [Transcript] = []
    /// Seconds since 1970.
    package let now: Int64

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

    /// The address that the rest was asked at: the first that answered, else the first that spoke
    /// TLS.
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

    /// The crawler's question for the well-known path at the main address.
    var main: ClientExchange? { mainAddress.flatMap { self[.base(.wellKnown, address: $0)] } }

    var root: ClientExchange? { mainAddress.flatMap { self[.base(.root, address: $0)] } }

    var hops: [ClientExchange] {
        probes.compactMap { if case .hop = $0.purpose { $0.exchange } else { nil } }
    }
}
