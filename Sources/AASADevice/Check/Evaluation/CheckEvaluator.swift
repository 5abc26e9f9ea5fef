import AASAClient
import AppSiteAssociation
import Reactor

/// Derives findings from the evidence of a host. A value: the same evidence gives the same
/// findings.
struct CheckEvaluator {
    private(set) var evidence: CheckEvidence
    let settings: CheckSettings
    var findings: [Diagnostic] = []

    /// All findings, errors first; each code once per subject.
    mutating func evaluate() -> [Diagnostic] {
        evaluateAddresses()
        evaluatePassing()
        if let main = evidence.main { evaluateMain(main) }
        evaluateAddressDifferences()
        evaluateCDN()
        evaluateSiblings()
        evaluateDevices()
        var seen: Set<String> = []
        let unique = findings.filter { finding in
            let place = finding.range.map { " at \($0.lowerBound)" } ?? ""
            return seen.insert(finding.code + " " + finding.message + place).inserted
        }
        return [Severity.error, .warning, .note].flatMap { severity in
            unique.filter { $0.severity == severity }
        }
    }

    /// - Parameter exchange: whose URL the finding is about; nil: it is about the host.
    mutating func add(
        _ code: String, _ message: String, _ exchange: ClientExchange? = nil,
        fix: String? = nil, remedy: String? = nil, severity: Severity? = nil
    ) {
        let subject = exchange?.request.url ?? evidence.subject
        findings.append(
            Diagnostic(
                code, message, subject: subject, fix: fix, remedy: remedy, severity: severity))
    }

    /// A rate limiter, or a server that fails now and then, hits any request: which one says
    /// nothing about it.
    private mutating func evaluatePassing() {
        let (removed, count) = evidence.removePassing()
        var told: Set<Int> = []
        for exchange in removed {
            guard let head = exchange.head, told.insert(head.status).inserted else { continue }
            let same = removed.count { $0.status == head.status }
            evaluateStatus(
                exchange,
                "sometimes the answer is \(head.lines.first ?? String(head.status)): for \(same) of "
                    + "\(count) requests, while others got the document")
        }
    }

    private mutating func evaluateMain(_ main: ClientExchange) {
        if let tls = main.tls { evaluateCertificate(tls, main) }
        if main.endedBeforeRequest { return evaluateAnswer(main) }
        // If only the crawler was rejected, the responses to others are better evidence.
        if !evaluateAgents(main) { evaluateAnswer(main) }
        evaluateUnaskedCoding()
        evaluateRoot(main)
        if evidence.documentExchange != nil {
            evaluateTLSVariants(main)
            evaluateVersions(main)
            evaluateVariants(main)
        }
    }

    /// The verdict depends on current devices: if they fail, the check must report an error.
    private mutating func evaluateDevices() {
        if evidence.unasked > 0 {
            add(
                "check-incomplete",
                "requests skipped or cut short after \(Self.seconds(settings.deadline)): "
                    + "\(evidence.unasked)")
        }
        let failing = evidence.eras.filter {
            !$0.era.rules.asksDirectly && $0.verdict != .associated
        }
        let services = failing.filter { $0.era == failing[0].era }.map(\.service)
        guard let first = failing.first, !findings.contains(where: { $0.severity == .error })
        else { return }
        add(
            "device-current-fails",
            "\(first.era.rules.title), \(services.joined(separator: ", ")): "
                + first.verdict.sentence)
    }

    // MARK: - Addresses

    private mutating func evaluateAddresses() {
        if let failure = evidence.addressFailure {
            add("address-unresolved", "\(evidence.host): \(failure)")
            return
        }
        let working = evidence.wellKnown.filter { $0.timing.connected != nil }
            .compactMap(\.address)
        evaluateRoutes()
        if evidence.unaskedAddresses > 0 {
            let count = evidence.addresses.count + evidence.unaskedAddresses
            add(
                "address-unasked",
                "addresses not checked: \(evidence.unaskedAddresses) of \(count)")
        }
        for exchange in evidence.wellKnown {
            guard let address = exchange.address else { continue }
            if !evidence.isOverridden, PrivateAddress.contains(address.host) {
                add("address-private", "\(address.name) is private or reserved")
            }
            guard exchange.timing.connected == nil, let failure = exchange.failure,
                !exchange.hasNoRoute
            else { continue }
            let code =
                switch failure {
                // A whole family is blamed only where none of it works, as the other one then does.
                case _ where working.contains(where: { $0.isIPv6 == address.isIPv6 }):
                    "address-some-broken"
                case _ where !working.isEmpty:
                    address.isIPv6 ? "address-ipv6-broken" : "address-ipv4-broken"
                case .refused: "address-refused"
                case .timeout: "address-timeout"
                default: "address-unreachable"
                }
            add(code, "\(address): \(failure)")
        }
    }

    /// What this machine has no route to is no fault of the host, and was not checked. Where that
    /// is every address, nothing is known of the host.
    private mutating func evaluateRoutes() {
        for isIPv6 in [true, false] {
            let unrouted = evidence.wellKnown.filter {
                $0.hasNoRoute && $0.address?.isIPv6 == isIPv6
            }
            guard let failure = unrouted.first?.failure else { continue }
            let addresses = unrouted.compactMap { $0.address?.host }.joined(separator: ", ")
            add(
                evidence.hasNoRoute ? "address-no-route" : "address-not-checked",
                "\(isIPv6 ? "IPv6" : "IPv4") was not checked, at \(addresses): \(failure)")
        }
    }

    private mutating func evaluateAddressDifferences() {
        let answered = evidence.wellKnown.filter { $0.timing.connected != nil }
        guard let main = evidence.main, answered.count > 1 else { return }
        for other in answered where other.address != main.address {
            guard let address = other.address, let mainAddress = main.address else { continue }
            let places = "\(mainAddress.name) and \(address.name)"
            // A machine was forgotten at the last renewal, and resolvers send every second client
            // there.
            if let mainTLS = main.tls, mainTLS.verification.isGood, let tls = other.tls,
                let (code, message) = newProblem(of: tls, beside: mainTLS)
            {
                add(code, "\(places) differ: at \(address.host) \(message)")
            }
            if other.status != main.status {
                add(
                    address.isIPv6 && !mainAddress.isIPv6
                        ? "address-ipv6-broken" : "answer-addresses-differ",
                    "\(places) answer differently: \(main.summary) and \(other.summary)")
            } else if main.status == 200, !DocumentComparison.same(main.body, other.body) {
                add("answer-addresses-differ", "\(places) have different documents")
            }
        }
    }
}

extension CheckEvidence {
    /// A response with a document and status 200: the crawler's or another client's.
    var documentExchange: ClientExchange? {
        let candidates =
            [main, root].compactMap { $0 }
            + ProbeAgent.allCases.compactMap { self[.agent($0)] }
        return candidates.first { $0.status == 200 && !$0.body.isEmpty }
    }
}

/// Addresses that Apple's CDN rejects (SWCERR00202) and the public cannot reach.
enum PrivateAddress {
    /// Whether an address is private or reserved (IANA's special-purpose registries).
    static func contains(_ host: String) -> Bool {
        if host.contains(":") { return contains6(host.lowercased()) }
        let parts = host.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        switch (parts[0], parts[1], parts[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _), (100, 64...127, _), (169, 254, _),
            (172, 16...31, _), (192, 168, _), (192, 0, 0), (192, 0, 2), (198, 18...19, _),
            (198, 51, 100), (203, 0, 113):
            return true
        default: return false
        }
    }

    private static func contains6(_ host: String) -> Bool {
        if host == "::1" || host == "::" || host.hasPrefix("2001:db8:") { return true }
        if host.hasPrefix("::ffff:"), let v4 = host.split(separator: ":").last {
            return contains(String(v4))
        }
        guard let first = UInt16(host.prefix { $0 != ":" }, radix: 16) else { return false }
        return (0xFC00...0xFDFF).contains(first) || (0xFE80...0xFEBF).contains(first)
            || first >= 0xFF00
    }
}
