/// Who may see what on the admin listener. A value: the request's facts go in, a verdict comes out.
///
/// On the machine itself (loopback, a Unix socket) everything is open, as whoever is there can see
/// more by other means, unless a token is set. On a network address the two probes are for
/// everybody, and the rest only for whoever brings the token; without one it is closed.
package struct AdminAccess: Sendable, Equatable {
    /// Whether the listener can be reached from other machines.
    package let isOnNetwork: Bool
    /// What a request has to bring (RFC 6750 section 2.1); nil: none is set.
    package let token: [UInt8]?

    package init(isOnNetwork: Bool, token: [UInt8]?) {
        self.isOnNetwork = isOnNetwork
        self.token = token
    }

    /// On this machine, without a token.
    package static let local = AdminAccess(isOnNetwork: false, token: nil)

    package enum Verdict: Sendable, Equatable {
        case allowed
        /// The token is missing or wrong.
        case asksForToken
        /// No token is set, so that nobody can bring it.
        case closed
    }

    /// - Parameter authorization: the value of the Authorization field.
    package func verdict(path: String, authorization: [UInt8]?) -> Verdict {
        if path == "/healthz" || path == "/readyz" { return .allowed }
        guard let token else { return isOnNetwork ? .closed : .allowed }
        guard let authorization, let brought = Self.bearer(authorization) else {
            return .asksForToken
        }
        return Self.areEqual(brought, token) ? .allowed : .asksForToken
    }

    /// Whether a request that names another host than an address is one that a page elsewhere
    /// made a browser send. Who brings the token is no browser that was tricked.
    var trustsEveryName: Bool { token != nil }

    /// The token of `Bearer TOKEN`; the scheme's name in any case (RFC 9110 section 11.1).
    private static func bearer(_ field: [UInt8]) -> ArraySlice<UInt8>? {
        let scheme = Array("bearer ".utf8)
        guard field.count > scheme.count,
            zip(field, scheme).allSatisfy({ ($0 | 0x20) == ($1 | 0x20) })
        else { return nil }
        return field[scheme.count...].drop { $0 == 0x20 }
    }

    /// Looks at every octet whatever the first ones are, so that the time it takes tells nothing
    /// but the length.
    private static func areEqual(_ a: ArraySlice<UInt8>, _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
