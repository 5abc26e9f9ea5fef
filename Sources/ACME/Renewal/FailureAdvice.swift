/// The meaning of a failure for the operator, and for the next steps.
package struct FailureAdvice: Sendable, Hashable {
    /// The authority's message, with the place.
    package let message: String
    package let remedy: String
    /// Whether another authority may succeed.
    package let isAboutAuthority: Bool

    package init(_ failure: OrderFailure, directory: String) {
        let authority = KnownAuthority.host(of: directory)
        switch failure.cause {
        case .unreachable(let why):
            message = "\(authority) gave no answer: \(why)"
            remedy =
                "See whether this machine may connect to \(authority) on port 443, and the "
                + "authority's status page."
            isAboutAuthority = false
        case .untrusted(let why):
            message = "the certificate of \(authority) was refused: \(why)"
            remedy =
                "See whether this machine's clock is right and ca-certificates is installed; for "
                + "an authority of your own, name its root with --acme-cacert."
            isAboutAuthority = false
        case .refused(let problem):
            let cause = problem.cause
            message = "\(authority) refused: \(problem)"
            let name = cause.identifier ?? failure.failedNames.first
            remedy =
                cause.kind == .unauthorized && name == nil
                ? Self.accountRemedy
                : Self.remedy(cause.kind, cause.detail, name: name, nil)
            isAboutAuthority = Self.isAboutAuthority(cause.kind)
        case .validation(let name, let kind, let problem):
            let how = kind.map { " by \($0.rawValue)" } ?? ""
            message = "\(authority) could not validate \(name)\(how): \(problem)"
            remedy = Self.remedy(problem.cause.kind, problem.detail, name: name, kind)
            isAboutAuthority = Self.isAboutAuthority(problem.cause.kind)
        case .malformed(let what):
            message = "\(authority) answered something that is not ACME: \(what)"
            remedy = "See whether \(directory) is the URL of an ACME directory."
            isAboutAuthority = true
        case .tooLong(let what):
            message = "\(authority): \(what)"
            remedy = "Nothing to do: the same order is gone on with at the next try."
            isAboutAuthority = false
        case .setting(let what):
            message = what
            remedy = "Start the server again with the setting."
            isAboutAuthority = true
        case .unusable(let what):
            message = "\(authority) issued a certificate that cannot be used: \(what)"
            remedy = "The certificate in use stays."
            isAboutAuthority = true
        case .local(let what, let known):
            message = what
            remedy =
                known.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
                ?? "See whether the disk is full or read-only and the certificate folder belongs to "
                + "the server's user."
            isAboutAuthority = false
        }
    }

    /// No name is meant: the authority does not accept who asks.
    private static let accountRemedy =
        "The authority does not accept the account, which may be deactivated: to make a new one, "
        + "remove its file in .acme/accounts."

    private static func isAboutAuthority(_ kind: ProblemDocument.Kind) -> Bool {
        switch kind {
        case .caa, .externalAccountRequired, .rejectedIdentifier, .unsupportedIdentifier,
            .userActionRequired, .unsupportedContact, .invalidContact, .badSignatureAlgorithm,
            .invalidProfile, .badCSR, .badPublicKey, .rateLimited:
            true
        case .accountDoesNotExist, .alreadyRevoked, .alreadyReplaced, .badNonce,
            .badRevocationReason, .compound, .connection, .dns, .incorrectResponse, .malformed,
            .orderNotReady, .serverInternal, .tls, .unauthorized, .other:
            false
        }
    }

    private static func remedy(
        _ kind: ProblemDocument.Kind, _ detail: String, name: String?, _ challenge: ChallengeKind?
    ) -> String {
        let host = name ?? "the host"
        let port = challenge == .http01 ? "80" : "443"
        switch kind {
        case .connection:
            return detail.contains(":") && detail.contains("[")
                ? "The address it names is an IPv6 one: see whether the AAAA record of \(host) is "
                    + "this machine's and port \(port) is open over IPv6, or remove the record."
                : "See whether the A and AAAA records of \(host) are this machine's and port "
                    + "\(port) is open to the world; firewalls that know only some countries fail, "
                    + "because the authority connects from several places."
        case .dns:
            return "See whether \(host) has an A or AAAA record and its DNSSEC signatures are "
                + "valid (dig +dnssec \(host)); the name servers must answer for CAA as well."
        case .caa:
            return "The CAA records of \(host) or a parent domain allow other authorities only: "
                + "add this one (dig CAA \(host)), or name another with --acme-directory."
        case .tls, .unauthorized, .incorrectResponse:
            return challenge == .http01
                ? "Port 80 of \(host) is answered by something else than --acme-http: see its A "
                    + "and AAAA records, and what stands in front."
                : "Port 443 of \(host) is answered by something else: another machine (see its A "
                    + "and AAAA records), or a CDN or load balancer that ends TLS, where "
                    + "TLS-ALPN-01 cannot work: pass TCP through, or use --acme-http."
        case .rateLimited:
            return "The authority's limit is reached: it is tried again when it says. Use "
                + "--acme-staging while you try things out."
        case .externalAccountRequired:
            return "Give the key that the authority shows in its console with --acme-eab."
        case .userActionRequired:
            return "The authority requires an action in a browser first: its words say "
                + "where; new terms are agreed to with --acme-agree-terms."
        case .rejectedIdentifier, .unsupportedIdentifier:
            return "The authority issues no certificate for \(host): public authorities know "
                + "public names only."
        case .invalidContact, .unsupportedContact:
            return "Give another address with --acme-email, or none."
        case .accountDoesNotExist:
            return "The authority does not know the account: remove its file in .acme/accounts."
        case .invalidProfile:
            return "Leave --acme-profile out, or name one that the authority offers."
        case .badCSR, .badPublicKey, .badSignatureAlgorithm:
            return "The authority does not accept the key: try without --acme-rsa."
        case .serverInternal, .badNonce, .orderNotReady, .malformed, .compound, .other,
            .alreadyRevoked, .alreadyReplaced, .badRevocationReason:
            return "It is tried again; see the authority's status page if it stays so."
        }
    }
}
