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
                "Check that this machine can connect to \(authority) on port 443, and see the authority's status page."
            isAboutAuthority = false
        case .untrusted(let why):
            message = "the certificate of \(authority) was rejected: \(why)"
            remedy =
                "Check the clock of this machine, and install ca-certificates. If you use a private authority, name its root with --acme-cacert."
            isAboutAuthority = false
        case .refused(let problem):
            let cause = problem.cause
            message = "\(authority) refused: \(problem)"
            let name = cause.identifier ?? failure.failedNames.first
            remedy =
                cause.kind == .unauthorized && name == nil
                ? Self.accountRemedy
                : Self.remedy(cause.kind, cause.detail, name: name, nil)
            isAboutAuthority = Self.aboutAuthority.contains(cause.kind)
        case .validation(let name, let kind, let problem):
            let how = kind.map { " by \($0.rawValue)" } ?? ""
            message = "\(authority) could not validate \(name)\(how): \(problem)"
            remedy = Self.remedy(problem.cause.kind, problem.detail, name: name, kind)
            isAboutAuthority = Self.aboutAuthority.contains(problem.cause.kind)
        case .malformed(let what):
            message = "the answer of \(authority) is not ACME: \(what)"
            remedy = "Check that \(directory) is the URL of an ACME directory."
            isAboutAuthority = true
        case .tooLong(let what):
            message = "\(authority): \(what)"
            remedy = "Nothing to do: the next attempt resumes the same order."
            isAboutAuthority = false
        case .setting(let what):
            message = what
            remedy = "Restart the server with that setting."
            isAboutAuthority = true
        case .unusable(let what):
            message = "\(authority) issued a certificate that cannot be used: \(what)"
            remedy = "Nothing to do: the certificate in use stays in service."
            isAboutAuthority = true
        case .local(let what, let known):
            message = what
            remedy =
                known.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
                ?? "Check that the disk is neither full nor read-only, and that the certificate folder belongs to the server's user."
            isAboutAuthority = false
        }
    }

    /// No name is meant: the authority does not accept who asks.
    private static let accountRemedy =
        "The authority does not accept the account, which may be deactivated. To create a new one, remove its file in .acme/accounts."

    private static let aboutAuthority: Set<ProblemDocument.Kind> = [
        .caa, .externalAccountRequired, .rejectedIdentifier, .unsupportedIdentifier,
        .userActionRequired, .unsupportedContact, .invalidContact, .badSignatureAlgorithm,
        .invalidProfile, .badCSR, .badPublicKey, .rateLimited,
    ]

    private static func remedy(
        _ kind: ProblemDocument.Kind, _ detail: String, name: String?, _ challenge: ChallengeKind?
    ) -> String {
        let host = name ?? "the host"
        let port = challenge == .http01 ? "80" : "443"
        switch kind {
        case .connection:
            return detail.contains(":") && detail.contains("[")
                ? "The authority tried an IPv6 address. Check that the AAAA record of \(host) points to this machine and that port \(port) is open over IPv6, or remove the record."
                : "Check that the A and AAAA records of \(host) point to this machine and that port \(port) is open to the Internet. A firewall that admits only some countries fails, because the authority connects from several places."
        case .dns:
            return
                "Check that \(host) has an A or AAAA record and valid DNSSEC signatures (dig +dnssec \(host)). Its name servers must also answer CAA queries."
        case .caa:
            return
                "The CAA records of \(host) or a parent domain allow only other authorities. Add this one (dig CAA \(host)), or choose another with --acme-directory."
        case .tls, .unauthorized, .incorrectResponse:
            return challenge == .http01
                ? "Something other than --acme-http answers on port 80 of \(host). Check its A and AAAA records and any proxy before it."
                : "Something else answers on port 443 of \(host). If it is another machine, check the A and AAAA records. If it is a CDN or load balancer that terminates TLS, TLS-ALPN-01 cannot work: pass TCP through, or use --acme-http."
        case .rateLimited:
            return
                "The authority's rate limit is reached; aasa tries again at the time that the authority names. Use --acme-staging for experiments."
        case .externalAccountRequired:
            return "Pass the key from the authority's console with --acme-eab."
        case .userActionRequired:
            return
                "The authority requires an action in a browser first; its message says where. To agree to new terms, use --acme-agree-terms."
        case .rejectedIdentifier, .unsupportedIdentifier:
            return
                "The authority issues no certificate for \(host): public authorities accept only public names."
        case .invalidContact, .unsupportedContact:
            return "Pass another address with --acme-email, or none."
        case .accountDoesNotExist:
            return
                "Remove the account's file in .acme/accounts: the authority does not know the account."
        case .invalidProfile:
            return "Remove --acme-profile, or name a profile that the authority offers."
        case .badCSR, .badPublicKey, .badSignatureAlgorithm:
            return "Try without --acme-rsa: the authority does not accept the key."
        case .serverInternal, .badNonce, .orderNotReady, .malformed, .compound, .other,
            .alreadyRevoked, .alreadyReplaced, .badRevocationReason:
            return
                "Nothing to do yet: aasa tries again. If the error stays, see the authority's status page."
        }
    }
}
