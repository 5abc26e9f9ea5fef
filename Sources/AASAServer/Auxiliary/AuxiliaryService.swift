package import HTTP
package import Reactor

/// The answers of an auxiliary listener: admin pages, commands, challenges of certificate
/// authorities, documents for a TLS terminator on this machine.
package protocol AuxiliaryService: Sendable {
    /// Whether a client may ask; called once, when its connection is accepted.
    ///
    /// - Parameter peer: nil if it comes over the network.
    func admits(_ peer: PeerIdentity?) -> Bool
    /// Called on the loop's thread, in the order of the requests.
    ///
    /// A message that cannot be read is passed with its fault and with what was read of it; it is
    /// the last of its connection.
    mutating func answer(_ request: RequestView) -> AuxiliaryAnswer
}

extension AuxiliaryService {
    package func admits(_ peer: PeerIdentity?) -> Bool { true }
}

/// What a service answers.
package enum AuxiliaryAnswer {
    /// A whole message, and whether the connection ends after it.
    case message([UInt8], isLast: Bool)
    /// The answer is not known yet: the loop asks the function again after a short time.
    ///
    /// - Parameter isPatient: whether the connection may wait for as long as its peer does.
    ///   Otherwise it is cut after a while, or when room is needed.
    case later(isPatient: Bool, () -> AuxiliaryAnswer?)
}
