package import Reactor

/// The CAA records of a name and their meaning for the configured authorities.
package struct CAACheck: Sendable, Hashable {
    package let name: String
    /// Nil if the name and its parents have none.
    package var records: CAARecords?
    /// Why the records are unknown; an authority without a DNS response refuses to issue.
    package var unseen: String?
    /// A problem to fix: no configured authority may issue.
    package var advice: FailureAdvice?
    /// Authorities that do not state their CAA domains: not checked.
    package var unjudged: [String] = []

    /// - Parameters:
    ///   - accounts: directory → the account's URL.
    ///   - ask: queries a name server for one domain.
    package init(
        _ name: String, authorities: [AuthorityCheck], accounts: [String: String],
        challenge: ChallengeKind, ask: (String) -> Result<[UInt8]?, DNSRecords.Failure>
    ) {
        self.name = name
        do {
            records = try CAARecords.find(name, ask: ask)
        } catch let error as InvalidResponse {
            unseen = error.what
        } catch {
            unseen = (error as? DNSRecords.Failure)?.reason ?? "\(error)"
        }
        guard let records else { return }
        var refusals: [FailureAdvice] = []
        var isAllowed = false
        for authority in authorities {
            let host = KnownAuthority.host(of: authority.url)
            guard let identities = authority.directory?.caaIdentities, !identities.isEmpty else {
                unjudged.append(host)
                continue
            }
            let refusal = records.refusal(
                identities: identities, challenge: challenge, account: accounts[authority.url])
            guard let refusal else {
                isAllowed = true
                continue
            }
            refusals.append(
                FailureAdvice(
                    OrderFailure(
                        .validation(name: name, kind: nil, ProblemDocument(.caa, refusal))),
                    directory: authority.url))
        }
        if !isAllowed, unjudged.isEmpty { advice = refusals.first }
    }
}
