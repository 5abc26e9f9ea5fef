import Synchronization

/// The TLS-ALPN-01 challenges (RFC 8737) that are to be answered now, by server name. Shared by all
/// workers: beside the snapshot, the one thing about certificates that changes while they serve.
///
/// While it is empty and nobody looks for others, a handshake pays for a look at its extensions.
package final class ChallengeTable: Sendable {
    /// Of validators for names that are not here.
    package let questions = ChallengeQuestions()
    private let pairs = LibraryLock<[String: CertificatePair]>([:])
    private let served = Atomic<UInt64>(0)

    package init() {}

    /// Replaces all challenges.
    ///
    /// - Parameter challenges: lower-case server name → certificate.
    package func replace(_ challenges: [String: CertificatePair]) {
        pairs.withLock { $0 = challenges }
    }

    /// How many handshakes were answered with a challenge's certificate.
    package var answered: UInt64 { served.load(ordering: .relaxed) }

    /// The certificate for a name; counts as answered.
    func take(_ name: String) -> CertificatePair? {
        let pair = pairs.withLock { $0[name] }
        if pair != nil { served.wrappingAdd(1, ordering: .relaxed) }
        return pair
    }
}
