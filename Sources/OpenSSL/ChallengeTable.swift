import Synchronization

/// The current TLS-ALPN-01 challenges (RFC 8737) by server name. All workers share it: besides the
/// snapshot, it is the only certificate state that changes while they serve.
///
/// While it is empty and no reader is registered, it costs a handshake one check of its extensions.
package final class ChallengeTable: Sendable {
    /// Validations of names that are not in the table.
    package let questions = PendingValidations()
    private let pairs = LibraryLock<[String: CertificatePair]>([:])
    private let served = Atomic<UInt64>(0)

    package init() {}

    /// Replaces all challenges.
    ///
    /// - Parameter challenges: lower-case server name → certificate.
    package func replace(_ challenges: [String: CertificatePair]) {
        pairs.withLock { $0 = challenges }
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
