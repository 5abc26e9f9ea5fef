package import AASAClient
import OpenSSL

/// Where etcd is and who we are there.
package struct EtcdAccess: Sendable {
    /// How we show who we are.
    package enum Identity: Sendable, Equatable {
        /// Authentication is off, or a proxy in front looks after it.
        case none
        case user(String, password: String)
        /// A token that somebody else made (JWT).
        case token(String)
    }

    /// The members' client URLs, at least one.
    package var members: [ServerURL]
    package var identity = Identity.none
    /// Trust and client certificate.
    package var security = ClientRequest.Security()

    /// For one request. etcd itself gives up after 7 s (an election and twice the heartbeat).
    package var requestTime: Duration = .seconds(8)
    /// A member that does not accept within this is asked later.
    package static let connectTime: Duration = .seconds(3)

    package init(members: [ServerURL]) { self.members = members }

    /// The HTTP request for a member.
    package func request(
        _ request: EtcdRequest, member: Int, token: String?
    ) -> ClientRequest {
        let url = members[member % max(1, members.count)]
        var http = ClientRequest(url)
        let base = url.target.hasSuffix("/") ? String(url.target.dropLast()) : url.target
        http.target = base + request.path
        http.method = "POST"
        http.body = request.body
        http.fields = [("Content-Type", "application/json")]
        if let token { http.fields.append(("Authorization", token)) }
        http.security = security
        http.security.isTLS = url.isTLS
        http.limits.total = requestTime
        http.limits.connect = Self.connectTime
        http.limits.body = EtcdReplyReader.bytesMaximum
        return http
    }
}
