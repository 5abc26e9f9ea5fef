import Synchronization

/// The current challenges: TLS-ALPN-01 (RFC 8737) by server name, HTTP-01 (RFC 8555 section 8.3) by
/// token. All workers share it: besides the snapshot, it is the only certificate state that changes
/// while they serve.
///
/// While it is empty and no reader is registered, it costs a handshake one check of its extensions.
package final class ChallengeTable: Sendable {
    /// Validations of names and tokens that are not in the table.
    package let questions = PendingValidations()
    private let pairs = LibraryLock<[String: CertificatePair]>([:])
    private let authorizations = LibraryLock<[String: String]>([:])
    private let served = Atomic<UInt64>(0)

    package init() {}

    /// Replaces all challenges.
    ///
    /// - Parameters:
    ///   - challenges: lower-case server name → certificate.
    ///   - authorizations: token → key authorization.
    package func replace(
        _ challenges: [String: CertificatePair], authorizations: [String: String] = [:]
    ) {
        pairs.withLock { $0 = challenges }
        self.authorizations.withLock { $0 = authorizations }
    }

    /// The key authorization that answers a token.
    package func authorization(of token: String) -> String? {
        authorizations.withLock { $0[token] }
    }

    /// The number of handshakes with a challenge's certificate.
    package var answered: UInt64 { served.load(ordering: .relaxed) }

    /// The certificate for a name; counts it as answered.
    func take(_ name: String) -> CertificatePair? {
        let pair = pairs.withLock { $0[name] }
        if pair != nil { served.wrappingAdd(1, ordering: .relaxed) }
        return pair
    }
}
