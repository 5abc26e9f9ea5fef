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

/// A service that answers each request it can read with a response, one per connection.
package protocol ResponseService: AuxiliaryService {
    /// The response to a request; see ``AuxiliaryService/answer(_:question:)``.
    mutating func response(
        to request: AuxiliaryRequest, question: inout (any Sendable)?
    ) -> AuxiliaryResponse?
}

extension ResponseService {
    /// A request head is small here; a browser's is about 1 KB.
    package var headBytesMaximum: Int { 8192 }

    package var refusal: [UInt8] {
        AuxiliaryResponse.badRequest.serialized(headOnly: false)
    }

    package mutating func answer(
        _ request: RequestView, question: inout (any Sendable)?
    ) -> AuxiliaryAnswer? {
        let response =
            request.fault?.isMalformed == true
            ? .badRequest : response(to: AuxiliaryRequest(request), question: &question)
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
