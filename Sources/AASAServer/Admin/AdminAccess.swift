/// Which request to the admin listener is allowed. A value: facts of the request go in, a verdict
/// comes out.
///
/// On the machine itself (loopback, a Unix socket) every page is open unless a token is set: a
/// local user can learn more by other means. On a network address the two probes are open to
/// all clients, and the metrics if the operator allows it. All other pages need the token there,
/// and are closed if no token is set.
package struct AdminAccess: Sendable, Equatable {
    /// Whether the listener can be reached from other machines.
    package let isOnNetwork: Bool
    /// The token that a request has to carry (RFC 6750 section 2.1); nil: none is set.
    package let token: [UInt8]?
    /// Whether the metrics need no token: something else decides who reaches the listener.
    package var opensMetrics = false

    /// On this machine, without a token.
    package static let local = AdminAccess(isOnNetwork: false, token: nil)

    package enum Verdict: Sendable, Equatable {
        case allowed
        /// The token is missing or wrong.
        case asksForToken
        /// No token is set, so no request can carry it.
        case closed
    }

    /// - Parameter authorization: the value of the Authorization field.
    package func verdict(path: String, authorization: [UInt8]?) -> Verdict {
        if path == "/healthz" || path == "/readyz" { return .allowed }
        if opensMetrics, path == "/metrics" { return .allowed }
        guard let token else { return isOnNetwork ? .closed : .allowed }
        guard let authorization, let brought = Self.bearer(authorization) else {
            return .asksForToken
        }
        return Self.areEqual(brought, token) ? .allowed : .asksForToken
    }

    /// Whether the Host field may name anything. Without a token, a foreign name is a sign that a
    /// page of another site made a browser send the request (DNS rebinding). A tricked browser does
    /// not have the token, so a request with the token is trusted.
    var trustsEveryName: Bool { token != nil }

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
