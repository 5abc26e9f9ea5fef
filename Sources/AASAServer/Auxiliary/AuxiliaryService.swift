package import HTTP
package import Reactor

/// The answers of an auxiliary listener: admin pages, commands, challenges of certificate
/// authorities, documents for a TLS terminator on this machine.
package protocol AuxiliaryService: Sendable {
    /// Whether a request that waits for its answer is cut after a while, or when room is needed.
    var limitsWaiting: Bool { get }
    /// Whether a client may ask; called once, when its connection is accepted.
    ///
    /// - Parameter peer: nil if it comes over the network.
    func admits(_ peer: PeerIdentity?) -> Bool
    /// Called on the loop's thread, in the order of the requests.
    ///
    /// A message that cannot be read is passed with its fault and with what was read of it; it is
    /// the last of its connection.
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

/// A service that answers each request it can read with a response, one per connection.
package protocol ResponseService: AuxiliaryService {
    /// The response to a request; see ``AuxiliaryService/answer(_:question:)``.
    mutating func response(
        to request: AuxiliaryRequest, question: inout (any Sendable)?
    ) -> AuxiliaryResponse?
    /// The response to a request of which not everything that decides was read.
    func refusal(of request: AuxiliaryRequest) -> AuxiliaryResponse
}

extension ResponseService {
    package func refusal(of request: AuxiliaryRequest) -> AuxiliaryResponse { .badRequest }

    package mutating func answer(
        _ request: RequestView, question: inout (any Sendable)?
    ) -> AuxiliaryAnswer? {
        let asked = AuxiliaryRequest(request)
        // Fields behind the limit may name the host or hold the token.
        let isUnclear = request.fault.map { !$0.isAnswered || $0 == .headTooLarge } ?? false
        let response =
            isUnclear ? refusal(of: asked) : response(to: asked, question: &question)
        return response.map {
            AuxiliaryAnswer(
                message: $0.serialized(headOnly: request.method == .head), isLast: true)
        }
    }
}

/// A whole message, and whether the connection ends after it.
package struct AuxiliaryAnswer: Sendable, Equatable {
    package let message: [UInt8]
    package let isLast: Bool
}
