/// A defect of a certificate pair, with its remedy.
package struct CertificateProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case expired
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
        case mustStaple = "must-staple"

        /// Whether only the time causes it or ends it.
        package var isOfDates: Bool { self == .expired || self == .notYetValid }
    }

    package enum Severity: Sendable, Hashable {
        /// Clients reject the connection.
        case error
        /// Some clients reject it, or soon will.
        case warning
    }

    package let kind: Kind
    package let severity: Severity
    package let message: String
    package let remedy: String

    package var description: String { "\(message). \(remedy)" }
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
            problems.append(
                CertificateProblem(
                    kind: .nameNotCovered, severity: .error,
                    message: "\(chainName) does not cover \(host): it names "
                        + (names.isEmpty ? "no host" : names.joined(separator: ", ")),
                    remedy: "Get a certificate with \(host) among its subject alternative names."))
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
                // A root that an older one certified, as Let's Encrypt's by DST Root CA X3: clients
                // that have the root itself end the chain there.
                let isCrossSigned =
                    index >= 2 && index == chain.count - 1 && !certificate.isSelfSigned
                problems.append(
                    CertificateProblem(
                        kind: .expired, severity: isCrossSigned ? .warning : .error,
                        message: "\(what) expired on \(DateText.day(summary.notAfter))",
                        remedy: isCrossSigned
                            ? "Remove it from the file: clients without \(summary.subject) as a root reject the chain because of it."
                            : "Renew it."))
            } else if now < summary.notBefore {
                problems.append(
                    CertificateProblem(
                        kind: .notYetValid, severity: .error,
                        message: "\(what) is not valid before \(DateText.day(summary.notBefore))",
                        remedy: "Check the clock of this machine, or wait."))
            } else if index == 0, (summary.notAfter - now) < life / 4 {
                // The renewal time is a fraction of the lifetime, as lifetimes shrink (security.md
                // 12).
                problems.append(
                    CertificateProblem(
                        kind: .endsSoon, severity: .warning,
                        message:
                            "\(what) expires on \(DateText.day(summary.notAfter)): less than a quarter of its life is left",
                        remedy: "Find out why it was not renewed at two thirds of its life."))
            }
            if index == 0, life > CertificatePair.longestLife {
                problems.append(
                    CertificateProblem(
                        kind: .tooLong, severity: .warning,
                        message:
                            "\(what) is valid for \(life / 86_400) days; Apple's clients accept 398, or 825 from a private authority",
                        remedy: "Issue it for at most 398 days."))
            }
        }
        return problems
    }

    /// 399 days: Apple's clients accept at most 398 from a public authority since 2020
    /// (support.apple.com/102028), plus a day of tolerance; private ones may have 825.
    static let longestLife: Int64 = 398 * 86_400 + 86_400

    private func keyProblems() -> [CertificateProblem] {
        let summary = leaf.summary
        var problems: [CertificateProblem] = []
        let strong = "Generate an ECDSA P-256 key, or an RSA key of 2048 bits or more."
        switch summary.keyType {
        case .rsa(let bits) where bits < 2048:
            problems.append(
                CertificateProblem(
                    kind: .weakKey, severity: .error,
                    message: "\(chainName) has an RSA key of \(bits) bits", remedy: strong))
        case .ecdsa("prime256v1"), .ecdsa("secp384r1"), .rsa: break
        case .ecdsa, .other:
            problems.append(
                CertificateProblem(
                    kind: .unsupportedKey, severity: .error,
                    message:
                        "\(chainName) has a key of type \(summary.keyType), which few clients accept",
                    remedy: strong))
        }
        if !leaf.isForServers {
            problems.append(
                CertificateProblem(
                    kind: .wrongPurpose, severity: .error,
                    message: "\(chainName) is not for TLS servers",
                    remedy: "Get a certificate with the extended key usage serverAuth."))
        }
        if leaf.requiresStapling {
            problems.append(
                CertificateProblem(
                    kind: .mustStaple, severity: .error,
                    message:
                        "\(chainName) requires a stapled OCSP response (must-staple), and aasa staples none",
                    remedy: "Get one without that extension (certbot: must_staple = False)."))
        }
        return problems
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
                problems.append(
                    CertificateProblem(
                        kind: .unrelatedCertificate, severity: .warning,
                        message:
                            "certificate \(index + 1) of \(chainName) (\(next.summary.subject)) is a duplicate",
                        remedy: "Remove one of the two: every handshake sends both."))
                continue
            }
            let issuerIsElsewhere = chain.contains { current.isIssued(by: $0) && $0 !== current }
            let belongs = chain.contains { $0 !== next && ($0.isIssued(by: next)) }
            if issuerIsElsewhere || belongs {
                problems.append(
                    CertificateProblem(
                        kind: .wrongOrder, severity: .error,
                        message:
                            "the certificates of \(chainName) are in the wrong order: number \(index + 1) did not issue number \(index)",
                        remedy:
                            "Put the host's certificate first, then the one that issued it, and so on."
                    ))
                return problems
            }
            problems.append(
                CertificateProblem(
                    kind: .unrelatedCertificate, severity: .warning,
                    message:
                        "certificate \(index + 1) of \(chainName) (\(next.summary.subject)) does not belong to the chain",
                    remedy: "Remove it: every handshake sends it."))
        }
        if leaf.isSelfSigned, let previous, !previous.leaf.isSelfSigned {
            problems.append(
                CertificateProblem(
                    kind: .incompleteChain, severity: .error,
                    message:
                        "\(chainName) is self-signed, in place of one from \(previous.leaf.summary.issuer)",
                    remedy: "Get one from an authority that devices trust."))
        }
        // Public authorities issue from intermediates only, and give their location (AIA).
        let hasIssuer = chain.dropFirst().contains { leaf.isIssued(by: $0) }
        let isKnown = previous?.chain.contains { !$0.isSelfSigned && leaf.isIssued(by: $0) }
        if !hasIssuer, !leaf.isSelfSigned, leaf.namesIssuerLocation || isKnown == true {
            let message =
                chain.count == 1
                ? "\(chainName) holds only the host's certificate, without that of "
                    + leaf.summary.issuer
                : "\(chainName) lacks the certificate of \(leaf.summary.issuer), which issued the host's: the others do not lead to a root"
            problems.append(
                CertificateProblem(
                    kind: .incompleteChain, severity: .error, message: message,
                    remedy: chain.count == 1
                        ? "Use the file with the full chain (certbot: fullchain.pem, not cert.pem)."
                        : "Use the chain that was issued with this certificate: authorities change their intermediates."
                ))
        }
        return problems
    }
}
