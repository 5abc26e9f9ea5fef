/// How one device's try ended, in the device's own terms.
///
/// Source: Apple's SharedWebCredentials reference: 200 is read, 300–499 denies the association for
/// good, 500–599 is asked again after three hours, anything else is a failed association.
package enum DeviceOutcome: Hashable, Sendable {
    /// 200 with a whole body.
    case associated
    /// 500–599: asks again later.
    case willRetry
    /// 300–499: denied for good.
    case denied
    /// No valid answer.
    case failed(FailureReason)
}

/// Why a try ended without a valid answer.
package enum FailureReason: String, Hashable, Sendable, CaseIterable {
    /// The connection was refused (RST in answer to SYN).
    case refused
    /// The connection was reset before the answer was complete.
    case reset
    /// The device's patience ended.
    case timedOut = "timed-out"
    /// The server closed the connection before the answer was complete.
    case cut
    /// The TLS handshake failed.
    case tls
    /// What came was not an HTTP answer that a device could read.
    case badAnswer = "bad-answer"
    /// This machine could not start the try (ports, descriptors): a limit of the generator.
    case generator

    /// For people: what it means and where to look.
    package var explanation: String {
        switch self {
        case .refused: "nobody listened, or a firewall said no"
        case .reset: "the server or the network reset the connection"
        case .timedOut: "no complete answer within the device's patience"
        case .cut: "the server closed before the answer was complete"
        case .tls: "the TLS handshake failed: name, trust, protocol or a closed connection"
        case .badAnswer: "the bytes were not an HTTP answer"
        case .generator: "this machine ran out of ports or descriptors: the generator's limit"
        }
    }
}
