package import Reactor

/// What the CAA records of a name mean for the authorities that would be asked.
package struct CAALook: Sendable, Hashable {
    package let name: String
    /// Nil: there are none, up to the top.
    package var records: CAARecords?
    /// Why nothing could be seen; an authority that gets no answer refuses.
    package var unseen: String?
    /// What has to be mended: no authority of the list may issue.
    package var advice: FailureAdvice?
    /// Authorities that say nowhere what they are called in CAA records: nothing is known of them.
    package var unjudged: [String] = []

    /// - Parameters:
    ///   - accounts: directory → the account's URL.
    ///   - ask: a name server, for one domain.
    package init(
        _ name: String, authorities: [AuthorityLook], accounts: [String: String],
        kinds: [ChallengeKind], ask: (String) -> Result<[UInt8]?, DNSRecords.Failure>
    ) {
        self.name = name
        do {
            records = try CAARecords.find(name, ask: ask)
        } catch let error as MalformedAnswer {
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
                identities: identities, kinds: kinds, account: accounts[authority.url])
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
