import HTTP

/// Which request to the admin listener is allowed. A value: the request goes in, and its refusal
/// comes out, if it is refused.
///
/// On the machine itself (loopback, a Unix socket) every page is open unless a token is set: a
/// local user can learn more by other means. On a network address the two probes are open to
/// all clients, and the metrics if the operator allows it. All other pages need the token there,
/// and are closed if no token is set.
struct AdminAccess {
    /// Whether the listener can be reached from other machines.
    let isOnNetwork: Bool
    /// The token that a request has to carry (RFC 6750 section 2.1); nil: none is set.
    let token: [UInt8]?
    /// Whether the metrics need no token: something else decides who reaches the listener.
    var opensMetrics = false

    /// On this machine, without a token.
    static let local = AdminAccess(isOnNetwork: false, token: nil)

    /// The answer to a request that is refused; nil: it is allowed.
    func refusal(of request: AuxiliaryRequest) -> AuxiliaryResponse? {
        if request.isUnclear { return .badRequest }
        if !isOpen(request.path) {
            guard let token else {
                return AuxiliaryResponse(
                    403,
                    text: "Closed on a network address. To open it, use --admin-token-file.\n")
            }
            guard let field = request.authorization, let brought = Self.bearer(field),
                Self.areEqual(brought, token)
            else {
                return AuxiliaryResponse(
                    401, text: "A token is required. Send: Authorization: Bearer TOKEN\n",
                    [HTTPField(name: "WWW-Authenticate", value: "Bearer realm=\"aasa\"")])
            }
        }
        // Without a token, a foreign name is a sign that a page of another site made a browser send
        // the request (DNS rebinding). A tricked browser does not have the token, so a request with
        // the token is trusted.
        guard token != nil || Self.isOurs(request.authority) else {
            return AuxiliaryResponse(
                403,
                text: "Not served as \(request.authority ?? ""). Use an IP address or localhost.\n")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return AuxiliaryResponse(
                405, text: "Only GET and HEAD are allowed.\n",
                [HTTPField(name: "Allow", value: "GET, HEAD")])
        }
        return nil
    }

    private func isOpen(_ path: String) -> Bool {
        path == "/healthz" || path == "/readyz" || opensMetrics && path == "/metrics"
            || token == nil && !isOnNetwork
    }

    /// An address or localhost cannot be rebound, so every other name is refused.
    private static func isOurs(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        if authority.hasPrefix("[") { return true }
        let host = authority.prefix { $0 != ":" }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// The token of `Bearer TOKEN`; the scheme's name in any case (RFC 9110 section 11.1).
    private static func bearer(_ field: [UInt8]) -> ArraySlice<UInt8>? {
        let scheme = Array("bearer ".utf8)
        guard field.count > scheme.count,
            zip(field, scheme).allSatisfy({ ($0 | 0x20) == ($1 | 0x20) })
        else { return nil }
        return field[scheme.count...].drop { $0 == 0x20 }
    }

    /// Compares every octet, even after a difference, so that the time taken reveals only the
    /// length.
    private static func areEqual(_ a: ArraySlice<UInt8>, _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
