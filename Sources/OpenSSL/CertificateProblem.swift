/// A defect of a certificate pair, with its remedy.
package struct CertificateProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case expired
        /// A root that an older one certified, as Let's Encrypt's by DST Root CA X3.
        case expiredCrossSign = "expired-cross-sign"
        case notYetValid = "not-yet-valid"
        case endsSoon = "ends-soon"
        case nameNotCovered = "name-not-covered"
        case incompleteChain = "incomplete-chain"
        case wrongOrder = "wrong-order"
        case unrelatedCertificate = "unrelated-certificate"
        case weakKey = "weak-key"
        case unsupportedKey = "unsupported-key"
        case wrongPurpose = "wrong-purpose"
        case tooLong = "validity-too-long"
        /// No system of Apple accepts it, from whatever authority.
        case refusedLife = "validity-refused"
        case oldDigest = "old-digest"
        case mustStaple = "must-staple"

        /// Whether only the time causes it or ends it.
        package var isOfDates: Bool {
            self == .expired || self == .expiredCrossSign || self == .notYetValid
        }

        package var severity: Severity {
            let warnings: Set<Kind> = [
                .expiredCrossSign, .endsSoon, .unrelatedCertificate, .tooLong,
            ]
            return warnings.contains(self) ? .warning : .error
        }
    }

    package enum Severity: String, Sendable, Hashable {
        /// Clients reject the connection.
        case error
        /// Some clients reject it, or soon will.
        case warning
    }

    package let kind: Kind
    package let message: String
    package let remedy: String

    package var severity: Severity { kind.severity }

    package var description: String { "\(message). \(remedy)" }
}

extension [CertificateProblem] {
    fileprivate mutating func add(
        _ kind: CertificateProblem.Kind, _ message: String, remedy: String
    ) {
        append(CertificateProblem(kind: kind, message: message, remedy: remedy))
    }
}

extension CertificatePair {
    /// The defects of the pair for hosts at a time; worst first.
    ///
    /// - Parameters:
    ///   - hosts: the names that it must cover; empty to skip the check.
    ///   - now: seconds since 1970.
    ///   - previous: the pair that it would replace. It shows what the pair alone does not: that
    ///     the chain lacks an issuer, or that clients rely on an authority.
    package func problems(
        for hosts: [String], at now: Int64, replacing previous: CertificatePair? = nil
    ) -> [CertificateProblem] {
        var problems = dateProblems(now)
        for host in hosts where !leaf.covers(host) {
            let names = leaf.summary.names
            problems.add(
                .nameNotCovered,
                "\(chainName) does not cover \(host): it names "
                    + (names.isEmpty ? "no host" : names.joined(separator: ", ")),
                remedy: "Get a certificate with \(host) among its subject alternative names.")
        }
        problems += keyProblems()
        problems += chainProblems(replacing: previous)
        let errors = problems.filter { $0.severity == .error }
        return errors + problems.filter { $0.severity == .warning }
    }

    private func dateProblems(_ now: Int64) -> [CertificateProblem] {
        var problems: [CertificateProblem] = []
        for (index, certificate) in chain.enumerated() {
            let summary = certificate.summary
            let what = index == 0 ? chainName : "\(chainName), certificate \(index + 1)"
            let life = summary.notAfter - summary.notBefore
            if now >= summary.notAfter {
                // Clients that have the root itself end the chain there.
                let isCrossSigned =
                    index >= 2 && index == chain.count - 1 && !certificate.isSelfSigned
                problems.add(
                    isCrossSigned ? .expiredCrossSign : .expired,
                    "\(what) expired on \(DateText.day(summary.notAfter))",
                    remedy: isCrossSigned
                        ? "Remove it from the file: clients without \(summary.subject) as a root reject the chain because of it."
                        : "Renew it.")
            } else if now < summary.notBefore {
                problems.add(
                    .notYetValid,
                    "\(what) is not valid before \(DateText.day(summary.notBefore))",
                    remedy: "Check the clock of this machine, or wait.")
            } else if index == 0, (summary.notAfter - now) < life / 4 {
                // The renewal time is a fraction of the lifetime, as lifetimes shrink (security.md
                // 12).
                problems.add(
                    .endsSoon,
                    "\(what) expires on \(DateText.day(summary.notAfter)): less than a quarter of its life is left",
                    remedy: "Find out why it was not renewed at two thirds of its life.")
            }
            if index == 0, CertificatePair.doubtfulLives.contains(life) {
                problems.add(
                    .tooLong,
                    "\(what) is valid for \(life / 86_400) days; Apple's clients accept 398, or 825 from a private authority",
                    remedy: "Issue it for at most 398 days.")
            }
        }
        return problems
    }

    /// Apple's clients accept at most 398 days from a public authority since 2020
    /// (support.apple.com/102028), plus a day of tolerance; private ones may have 825.
    private static let doubtfulLives = 399 * 86_400 + 1...CertificateDefect.longestLife

    private func keyProblems() -> [CertificateProblem] {
        let summary = leaf.summary
        let strong = "Generate an ECDSA P-256 key, or an RSA key of 2048 bits or more."
        let purpose = "Get a certificate with the extended key usage serverAuth."
        var problems = CertificateDefect.all(of: chain).map { defect in
            let (kind, remedy): (CertificateProblem.Kind, String) =
                switch defect {
                case .shortKey: (.weakKey, strong)
                case .oldDigest: (.oldDigest, "Have it signed with SHA-256.")
                case .noServerUse: (.wrongPurpose, purpose)
                case .longLife: (.refusedLife, "Issue it for at most 398 days.")
                }
            return CertificateProblem(
                kind: kind, message: "\(chainName): \(defect.message), and devices refuse it",
                remedy: remedy)
        }
        switch summary.keyType {
        case .ecdsa("prime256v1"), .ecdsa("secp384r1"), .rsa: break
        case .ecdsa, .other:
            problems.add(
                .unsupportedKey,
                "\(chainName) has a key of type \(summary.keyType), which few clients accept",
                remedy: strong)
        }
        if !leaf.isForServers, !problems.contains(where: { $0.kind == .wrongPurpose }) {
            problems.add(
                .wrongPurpose, "\(chainName) is not for TLS servers", remedy: purpose)
        }
        if leaf.requiresStapling {
            problems.add(
                .mustStaple,
                "\(chainName) requires a stapled OCSP response (must-staple), and aasa staples none",
                remedy: "Get one without that extension (certbot: must_staple = False).")
        }
        return problems
    }

    /// Whether the chain holds what issued the host's certificate, or that issued itself.
    package var hasIssuer: Bool {
        leaf.isSelfSigned || chain.dropFirst().contains { leaf.isIssued(by: $0) }
    }

    private func chainProblems(replacing previous: CertificatePair?) -> [CertificateProblem] {
        var problems: [CertificateProblem] = []
        var current = leaf
        for (index, next) in chain.enumerated().dropFirst() {
            if current.isIssued(by: next) {
                current = next
                continue
            }
            // No client minds, and a renewal is not refused for it.
            if chain[..<index].contains(where: { $0.der == next.der }) {
                problems.add(
                    .unrelatedCertificate,
                    "certificate \(index + 1) of \(chainName) (\(next.summary.subject)) is a duplicate",
                    remedy: "Remove one of the two: every handshake sends both.")
                continue
            }
            let issuerIsElsewhere = chain.contains { current.isIssued(by: $0) && $0 !== current }
            let belongs = chain.contains { $0 !== next && ($0.isIssued(by: next)) }
            if issuerIsElsewhere || belongs {
                problems.add(
                    .wrongOrder,
                    "the certificates of \(chainName) are in the wrong order: number \(index + 1) did not issue number \(index)",
                    remedy:
                        "Put the host's certificate first, then the one that issued it, and so on.")
                return problems
            }
            problems.add(
                .unrelatedCertificate,
                "certificate \(index + 1) of \(chainName) (\(next.summary.subject)) does not belong to the chain",
                remedy: "Remove it: every handshake sends it.")
        }
        if leaf.isSelfSigned, let previous, !previous.leaf.isSelfSigned {
            problems.add(
                .incompleteChain,
                "\(chainName) is self-signed, in place of one from \(previous.leaf.summary.issuer)",
                remedy: "Get one from an authority that devices trust.")
        }
        // Public authorities issue from intermediates only, and give their location (AIA).
        let isKnown = previous?.chain.contains { !$0.isSelfSigned && leaf.isIssued(by: $0) }
        if !hasIssuer, leaf.namesIssuerLocation || isKnown == true {
            let message =
                chain.count == 1
                ? "\(chainName) holds only the host's certificate, without that of "
                    + leaf.summary.issuer
                : "\(chainName) lacks the certificate of \(leaf.summary.issuer), which issued the host's: the others do not lead to a root"
            problems.add(
                .incompleteChain, message,
                remedy: chain.count == 1
                    ? "Use the file with the full chain (certbot: fullchain.pem, not cert.pem)."
                    : "Use the chain that was issued with this certificate: authorities change their intermediates."
            )
        }
        return problems
    }
}
