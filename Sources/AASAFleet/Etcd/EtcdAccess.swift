package import AASAClient
import OpenSSL

/// The address of etcd and our identity.
package struct EtcdAccess: Sendable {
    /// How we authenticate.
    package enum Identity: Sendable, Equatable {
        /// No authentication, or a proxy in front adds it.
        case none
        case user(String, password: String)
        /// A token issued elsewhere (JWT).
        case token(String)
    }

    /// The members' client URLs, at least one.
    package var members: [ServerURL]
    package var identity = Identity.none
    /// Trusted roots and client certificate.
    package var security = ClientRequest.Security()

    /// For one request. etcd itself times out after 7 s (an election and twice the heartbeat).
    package var requestTime: Duration = .seconds(8)
    /// Timeout of the connection to one member.
    package static let connectTime: Duration = .seconds(3)

    package init(members: [ServerURL]) { self.members = members }

    /// The HTTP request to a member.
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
