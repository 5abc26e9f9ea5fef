import AppSiteAssociation
import HTTP
import Reactor

@testable import AASAClient
@testable import AASADevice
@testable import OpenSSL

/// Findings from exchanges that never happened: a judge needs no network.
protocol EvaluatorSuite {}

extension EvaluatorSuite {
    typealias Probes = [(ProbePurpose, ClientExchange)]

    static var host: String { "example.com" }
    /// A document that has no finding.
    static var document: String { Animal.document }
    static var otherDocument: String { document.replacing("/buy/*", with: "/old/*") }
    static var json: [(String, String)] { [("Content-Type", "application/json")] }
    /// Of every exchange that says no other.
    static var address: SocketAddress { .v4(0x1101_0203, port: 443) }
    static var now: Int64 { 1_800_000_000 }

    static func exchange(
        _ status: Int, _ body: String = "", _ fields: [(String, String)]? = nil,
        path: AssociationPath = .wellKnown, _ change: (inout ClientExchange) -> Void = { _ in }
    ) -> ClientExchange {
        var exchange = failed(nil, path: path)
        exchange.head = ResponseHead(
            lines: ["HTTP/1.1 \(status)"], status: status, reason: "",
            fields: (fields ?? json).map { HTTPField(name: $0.0, value: $0.1) })
        exchange.body = Array(body.utf8)
        change(&exchange)
        return exchange
    }

    static func failed(
        _ failure: ClientFailure?, path: AssociationPath = .wellKnown
    ) -> ClientExchange {
        var exchange = ClientExchange(
            request: ClientRequest(host: host, target: path.target(host: host, port: nil)))
        exchange.failure = failure
        exchange.address = address
        exchange.timing.connected = .milliseconds(1)
        return exchange
    }

    static var good: ClientExchange { exchange(200, document) }

    /// The two questions at one address.
    static func base(
        _ main: ClientExchange, root: ClientExchange? = nil, address: Int = 0
    ) -> Probes {
        [
            (.base(.wellKnown, address: address), main),
            (.base(.root, address: address), root ?? exchange(200, document, path: .root)),
        ]
    }

    static func findings(
        _ probes: Probes, _ settings: (inout CheckSettings) -> Void = { _ in },
        _ change: (inout CheckEvidence) -> Void = { _ in }
    ) -> [Diagnostic] {
        var evidence = CheckEvidence(host: host, port: 443, now: now)
        evidence.isOverridden = true
        for (purpose, exchange) in probes { evidence.add(purpose, exchange) }
        change(&evidence)
        var own = CheckSettings(now: now)
        settings(&own)
        var evaluate = CheckEvaluator(evidence: evidence, settings: own)
        return evaluate.evaluate()
    }

    static func codes(
        _ probes: Probes, _ settings: (inout CheckSettings) -> Void = { _ in },
        _ change: (inout CheckEvidence) -> Void = { _ in }
    ) -> [String] {
        findings(probes, settings, change).map(\.code)
    }

    /// What is found where the well-known path answers so and the root path has the document.
    static func codes(of main: ClientExchange) -> Set<String> {
        // A root path that is good where the other is not is a finding of another file.
        Set(codes([(.base(.wellKnown, address: 0), main)]))
    }

    static func facts(
        _ chain: [Certificate] = [], code: Int = 0, version: TLSVersion = .tls13,
        cipher: String? = nil
    ) -> TLSFacts {
        TLSFacts(
            version: version,
            cipher: cipher
                ?? (version == .tls13
                    ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
            group: nil,
            applicationProtocol: .http11, chain: chain, verification: TLSVerification(code: code))
    }

    static func tls(_ cause: TLSFailure.Cause) -> ClientFailure {
        .tls(TLSFailure(cause: cause, code: 0))
    }
}
