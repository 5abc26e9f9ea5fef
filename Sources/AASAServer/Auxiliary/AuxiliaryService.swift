package import HTTP
package import Reactor

/// The answers of an auxiliary listener: admin pages, commands, challenges of certificate
/// authorities, documents for a TLS terminator on this machine.
package protocol AuxiliaryService: Sendable {
    /// A longer request head is refused.
    var headBytesMaximum: Int { get }
    /// The answer to an unreadable request; empty: the connection is closed without an answer.
    var refusal: [UInt8] { get }
    /// Whether a request that waits for its answer is cut after a while, or when room is needed.
    var limitsWaiting: Bool { get }
    /// Whether a client may ask; called once, when its connection is accepted.
    ///
    /// - Parameter peer: nil if it comes over the network.
    func admits(_ peer: PeerIdentity?) -> Bool
    /// Called on the loop's thread, in the order of the requests.
    ///
    /// - Parameter question: the service's own state for a request that waits; nil at first.
    /// - Returns: nil if the answer is not known yet; the loop asks again after a short time.
    mutating func answer(
        _ request: RequestView, question: inout (any Sendable)?
    ) -> AuxiliaryAnswer?
}

extension AuxiliaryService {
    package var limitsWaiting: Bool { true }
    package func admits(_ peer: PeerIdentity?) -> Bool { true }
}

/// A whole message, and whether the connection ends after it.
package struct AuxiliaryAnswer: Sendable, Equatable {
    package let message: [UInt8]
    package let isLast: Bool
}
