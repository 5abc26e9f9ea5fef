package import HTTP

/// What a listener beside the public ones answers: admin pages, challenges of certificate
/// authorities, documents for a terminator of TLS on this machine.
package protocol AuxiliaryService: Sendable {
    /// A head of more bytes is refused.
    var headBytesMaximum: Int { get }
    /// Sent to whoever sends no request that can be read; empty: the connection ends without a
    /// byte.
    var refusal: [UInt8] { get }
    /// Asked by the loop's thread, in the order of requests.
    ///
    /// - Parameter question: what the service keeps with a request that waits; 0 at first.
    /// - Returns: nil where the answer is not known yet: it is asked again in a moment.
    mutating func answer(_ request: RequestView, question: inout UInt64) -> AuxiliaryAnswer?
}

/// A whole message, and whether the connection ends behind it.
package struct AuxiliaryAnswer: Sendable, Equatable {
    package let message: [UInt8]
    package let isLast: Bool

    package init(message: [UInt8], isLast: Bool) {
        self.message = message
        self.isLast = isLast
    }
}
