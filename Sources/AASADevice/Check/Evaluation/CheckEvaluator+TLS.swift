import AASAClient
import AppSiteAssociation
import OpenSSL

extension CheckEvaluator {
    mutating func evaluateHandshake(_ failure: TLSFailure, _ exchange: ClientExchange) {
        if let legacy = evidence[.legacyTLS], legacy.failure == nil, let tls = legacy.tls {
            add("tls-old-version", "the server speaks \(tls.version) and nothing newer", exchange)
            return
        }
        switch failure.cause {
        case .notTLS: add("tls-not-tls", failure.description, exchange)
        // certificate_required (RFC 8446 section 6.2), or the older no_certificate.
        case .alertReceived(116), .alertReceived(41):
            add("tls-client-certificate", failure.description, exchange)
        case .alertReceived(70): add("tls-old-version", failure.description, exchange)
        case .alertReceived(112):
            add(
                "tls-handshake", failure.description, exchange,
                remedy: "Configure a certificate and a virtual host for \(evidence.host).")
        case .alertReceived, .handshake, .certificate, .handshakeTooLong, .controlFlood, .record,
            .unusable:
            add("tls-handshake", failure.description, exchange)
        }
    }

    mutating func evaluateCertificate(_ tls: TLSFacts, _ exchange: ClientExchange) {
        guard let leaf = tls.chain.first else { return }
        let summary = leaf.summary
        for (code, message) in Self.problems(tls, host: evidence.host) {
            // A certificate of a private root without intermediates looks the same as one whose
            // intermediate is missing: mention both remedies.
            add(code, message, exchange, fix: tls.chain.count == 1 ? "alone" : nil)
        }
        if let code = tls.verification.code, code != 0 { return }
        // A certificate of 90 days that is renewed at two thirds of its life never has less than 30
        // days left; for longer ones three weeks are enough to act.
        let life = summary.notAfter - summary.notBefore
        let left = summary.notAfter - evidence.now
        if left < min(life / 4, 21 * 86_400) {
            add(
                "tls-ends-soon",
                "the certificate expires on \(DateText.day(summary.notAfter)) (days left: "
                    + "\(max(0, left / 86_400)))", exchange)
        }
    }

    /// What is wrong with the server's certificate, as codes of this command; empty if devices
    /// accept it. Of a chain that does not hold, that is the only finding.
    static func problems(
        _ tls: TLSFacts, host: String
    ) -> [(code: String, message: String)] {
        guard let number = tls.verification.code, let leaf = tls.chain.first else { return [] }
        return number == 0
            ? CertificateDefect.all(of: tls.chain).map {
                (code: $0.code, message: $0.message)
            }
            : [problem(number, leaf, tls, host: host)]
    }

    /// What is wrong with another certificate of the host and not with the main one.
    func newProblem(
        of other: TLSFacts, beside main: TLSFacts
    ) -> (code: String, message: String)? {
        let told = Set(Self.problems(main, host: evidence.host).map { $0.code })
        return Self.problems(other, host: evidence.host).first { !told.contains($0.code) }
    }

    private static func problem(
        _ number: Int, _ leaf: Certificate, _ tls: TLSFacts, host: String
    ) -> (code: String, message: String) {
        let summary = leaf.summary
        let names = summary.names.joined(separator: ", ")
        // The numbers are OpenSSL's X509_V_ERR_…
        switch number {
        case 10:
            return ("tls-expired", "the certificate expired on \(DateText.day(summary.notAfter))")
        case 9:
            let first = DateText.day(summary.notBefore)
            return ("tls-not-yet-valid", "the certificate is valid only from \(first)")
        case 62, 64:
            return (
                "tls-name",
                summary.names.isEmpty
                    ? "the certificate has no subjectAltName, and iOS 13 and later ignore its "
                        + "subject (\(summary.subject))"
                    : "the certificate names \(names), not \(host)"
            )
        case 18: return ("tls-self-signed", "\(summary.subject) signed itself")
        case 19:
            return (
                "tls-untrusted",
                "the chain ends at \(tls.chain.last?.summary.subject ?? "a root"), "
                    + "which is not trusted"
            )
        case 2, 20, 21:
            let isAlone = tls.chain.count == 1
            if isAlone, leaf.namesIssuerLocation {
                return (
                    "tls-chain-incomplete",
                    "only the host's certificate is sent, without that of \(summary.issuer)"
                )
            }
            return (
                "tls-untrusted",
                "\(tls.chain.last?.summary.issuer ?? "the issuer") is not trusted"
                    + (isAlone ? ", or its certificate is missing from the chain" : "")
            )
        case 26: return ("tls-purpose", "the certificate is not for TLS servers")
        case 66, 67, 68: return ("tls-weak-key", tls.verification.text)
        default: return ("tls-invalid", tls.verification.text)
        }
    }

    mutating func evaluateTLSVariants(_ main: ClientExchange) {
        guard let tls = main.tls else { return }
        let isGood = tls.verification.isGood
        if tls.version == .tls12, !tls.cipher.hasPrefix("TLS_ECDHE_") {
            add("tls-no-forward-secrecy", "the server chose \(tls.cipher)", main)
        }
        if let exchange = evidence[.tls12], exchange.tls == nil, exchange.isRefusedInTLS {
            add("tls-no-1.2", "a client that speaks TLS 1.2 at most is refused", main)
        }
        if let exchange = evidence[.tls13], exchange.tls == nil, exchange.isRefusedInTLS {
            add("tls-no-1.3", "a client that demands TLS 1.3 is refused", main)
        }
        if let exchange = evidence[.longHello], exchange.tls == nil, let failure = exchange.failure,
            exchange.isRefusedInTLS || failure == .timeout(.handshake)
        {
            add("tls-long-hello", "a ClientHello of two TCP segments: \(failure)", main)
        }
        guard isGood else { return }
        for (purpose, kind) in [(ProbePurpose.onlyRSA, "RSA"), (.onlyECDSA, "ECDSA")] {
            guard let other = evidence[purpose]?.tls,
                let (code, message) = newProblem(of: other, beside: tls)
            else { continue }
            add(
                "tls-second-certificate",
                "clients that ask for \(kind) get a wrong certificate (\(code)): "
                    + "\(message)",
                main)
        }
        if let exchange = evidence[.noServerName] {
            if exchange.tls == nil, exchange.isRefusedInTLS {
                add("tls-needs-server-name", "without SNI the handshake is refused", main)
            } else if let other = exchange.tls, !other.verification.isGood {
                add(
                    "tls-needs-server-name",
                    "without SNI, the server sends the certificate of "
                        + (other.chain.first?.summary.subject ?? "another host"), main)
            }
        }
    }
}

extension ClientExchange {
    fileprivate var isRefusedInTLS: Bool {
        switch failure {
        case .tls, .reset(.handshake), .closed(.handshake, _): true
        default: false
        }
    }

    /// Whether it failed before anything was asked, so that nothing more can be said about it.
    var endedBeforeRequest: Bool {
        switch failure {
        case .refused, .noRoute, .unreachable, .unresolved, .timeout(.connecting),
            .reset(.connecting), .timeout(.handshake):
            head == nil
        default: head == nil && isRefusedInTLS
        }
    }
}

extension CertificateDefect {
    fileprivate var code: String {
        switch self {
        case .shortKey: "tls-weak-key"
        case .oldDigest: "tls-old-digest"
        case .noServerUse: "tls-purpose"
        case .longLife: "tls-long-life"
        }
    }
}
