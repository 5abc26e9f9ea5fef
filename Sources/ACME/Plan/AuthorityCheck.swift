import AppSiteAssociation
import OpenSSL

/// What an authority reports before any order.
package struct AuthorityCheck: Sendable {
    /// The directory's URL.
    package let url: String
    package var directory: Directory?
    /// `none`: it will be created with the first order.
    package enum Account: String, Sendable { case none, valid, refused }
    package var account = Account.none
    /// Seconds by which its clock is ahead of this machine's; nil if unknown.
    package var clockDifference: Int64?
    /// A problem to fix.
    package var failure: FailureAdvice?

    /// Reads the directory, and the account if there is one. It creates nothing: the account is
    /// requested with `onlyReturnExisting` (RFC 8555 section 7.3.1).
    ///
    /// - Parameters:
    ///   - account: from the store.
    ///   - now: seconds since 1970.
    ///   - send: sends one request; at most ``requestsMaximum`` are sent.
    package static func look(
        at authority: RenewalSettings.Authority, _ settings: RenewalSettings,
        account: AccountState?, now: Int64,
        send: (ServerRequest) -> Result<AuthorityResponse, TransportFailure>
    ) -> AuthorityCheck {
        var look = AuthorityCheck(url: authority.directory)
        do throws(OrderFailure) {
            let answer = try good(send(ServerRequest(.get, authority.directory)))
            look.clockDifference = answer.date.flatMap(Timestamp.seconds(httpDate:)).map {
                $0 - now
            }
            let directory = try parse(answer, authority.directory)
            look.directory = directory
            if let missing = MissingSetting.of(
                directory, url: authority.directory, profile: settings.profile,
                agreesToTerms: settings.agreesToTerms,
                externalAccount: authority.externalAccount, hasAccount: account?.url != nil)
            {
                throw OrderFailure(.setting(missing))
            }
            guard let account, account.url != nil else { return look }
            try ask(for: account, directory, send)
            look.account = .valid
        } catch {
            if look.directory != nil, account?.url != nil { look.account = .refused }
            look.failure = FailureAdvice(error, directory: authority.directory)
        }
        return look
    }

    /// Maximum of clock difference in seconds without a warning. Most authorities backdate
    /// certificates by an hour, so the warning comes before the difference does harm.
    static let clockTolerance: Int64 = 300

    /// How wrong this machine's clock is, compared to the authority's; nil if it is not.
    package var clockFault: String? {
        guard let clockDifference, abs(clockDifference) > Self.clockTolerance else { return nil }
        let side = clockDifference > 0 ? "behind" : "ahead of"
        return
            "this machine's clock is \(abs(clockDifference)) seconds \(side) \(KnownAuthority.host(of: url))'s: set it (timedatectl), or certificates become valid and expire at the wrong time"
    }

    /// Directory, nonce, account, and two more nonces.
    static let requestsMaximum = 2 + noncesMaximum
    private static let noncesMaximum = 3

    private static func good(
        _ result: Result<AuthorityResponse, TransportFailure>
    ) throws(OrderFailure) -> AuthorityResponse {
        switch result {
        case .success(let answer) where answer.isSuccess: return answer
        case .success(let answer): throw OrderFailure(.refused(answer.problem))
        case .failure(let failure):
            throw OrderFailure(
                failure.isTrust
                    ? .untrusted(failure.description) : .unreachable(failure.description))
        }
    }

    private static func parse(
        _ answer: AuthorityResponse, _ url: String
    ) throws(OrderFailure) -> Directory {
        do throws(InvalidResponse) {
            return try Directory(answer.json("the directory"), url: url)
        } catch {
            throw OrderFailure(.malformed(error.what))
        }
    }

    private static func ask(
        for account: AccountState, _ directory: Directory,
        _ send: (ServerRequest) -> Result<AuthorityResponse, TransportFailure>
    ) throws(OrderFailure) {
        var nonce = try good(send(ServerRequest(.head, directory.newNonce))).nonce
        for _ in 0..<noncesMaximum {
            guard let fresh = nonce else {
                throw OrderFailure(.malformed("the authority sent no nonce"))
            }
            let body: [UInt8]
            do throws(OpenSSLError) {
                body = try SignedRequest.body(
                    payload: .object([("onlyReturnExisting", .flag(true))]),
                    url: directory.newAccount, nonce: fresh, key: account.key, signer: .key)
            } catch {
                throw OrderFailure(.local(error.cause))
            }
            let result = send(ServerRequest(.post, directory.newAccount, body: body))
            if case .success(let answer) = result, answer.problem.kind == .badNonce {
                nonce = answer.nonce
                continue
            }
            let answer = try good(result)
            let status = (try? answer.json("the account"))?["status"]?.string ?? "valid"
            if status != "valid" {
                throw OrderFailure(.setting("the account \(account.url ?? "") is \(status)"))
            }
            return
        }
        throw OrderFailure(
            .refused(ProblemDocument(.badNonce, "the authority rejected \(noncesMaximum) nonces")))
    }
}

/// Finds settings that the authority requires but that are missing.
enum MissingSetting {
    static func of(
        _ directory: Directory, url: String, profile: String?, agreesToTerms: Bool,
        externalAccount: ExternalAccount?, hasAccount: Bool
    ) -> String? {
        if let profile, !directory.profiles.contains(profile) {
            let known = directory.profiles.joined(separator: ", ")
            return "\(url) has no profile \"\(profile)\""
                + (known.isEmpty ? ": it offers none" : "; it offers \(known)")
        }
        if hasAccount { return nil }
        if let terms = directory.termsOfService, !agreesToTerms {
            return
                "\(url) requires that you agree to its terms: read \(terms), then add --acme-agree-terms"
        }
        if directory.needsExternalAccount, externalAccount == nil {
            return
                "\(url) serves only registered customers: pass the key from its console with --acme-eab"
        }
        return nil
    }
}
