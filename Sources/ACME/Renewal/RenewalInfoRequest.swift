import AppSiteAssociation

/// Requests the renewal window of a certificate (RFC 9773 section 4.1). A plain GET: no account, no
/// nonce. Without a response it is repeated at the usual time, as the certificate's own renewal
/// time applies, too.
struct RenewalInfoRequest: Sendable {
    let id: LineageID
    var session: AuthoritySession
    let certificate: String
    private(set) var window: RenewalInfo?
    private(set) var retryAfter: Int64?
    private(set) var isOver = false

    init(id: LineageID, session: AuthoritySession, certificate: String, now: Int64) {
        self.id = id
        self.session = session
        self.certificate = certificate
        if session.freshDirectory(now: now) == nil { self.session.directory = nil }
    }

    var request: ServerRequest {
        guard let base = session.directory?.renewalInfo else {
            return ServerRequest(.get, session.url)
        }
        return ServerRequest(
            .get, base.hasSuffix("/") ? base + certificate : "\(base)/\(certificate)")
    }

    mutating func answered(_ answer: AuthorityResponse, now: Int64) {
        guard answer.isSuccess else {
            retryAfter = answer.seconds(toWait: now)
            isOver = true
            return
        }
        do throws(InvalidResponse) {
            if session.directory == nil {
                session.directory = try Directory(answer.json("the directory"), url: session.url)
                session.directoryReadAt = now
                isOver = session.directory?.renewalInfo == nil
                return
            }
            window = try RenewalInfo(answer.json("the renewal information"))
            retryAfter = answer.seconds(toWait: now)
        } catch {
            retryAfter = nil
        }
        isOver = true
    }

    mutating func failed() { isOver = true }
}
