/// How one device's try ended, in the device's own terms.
///
/// Source: Apple's SharedWebCredentials reference for systems until iOS 13: 200 is read, 300–499
/// denies the association, 500–599 is asked again after three hours, anything else is a failed
/// association. What each system makes of it is told by ``AssociationStateMachine``.
package enum DeviceOutcome: Hashable, Sendable {
    /// 200 with a whole body.
    case associated
    /// 500–599: asks again later.
    case willRetry
    /// Answered, and the answer is no.
    case denied(Denial)
    /// No valid answer.
    case failed(FailureReason)
}

/// What kind of no a device was told.
package enum Denial: String, Hashable, Sendable, CaseIterable {
    /// 300–499, and the device does not ask again before the app is updated.
    case refused
    /// iOS 8: 200 with a document that is not signed.
    case unsigned
    /// 300–499 to a system that asks again all the same: iOS 14 and later by way of Apple's CDN,
    /// developer and managed mode.
    case asksAgain = "asks-again"

    /// For people.
    package var explanation: String {
        switch self {
        case .refused: "300–499 on the association path: not asked again before an update"
        case .unsigned: "200 with a document that is not signed, which iOS 8 demands"
        case .asksAgain: "300–499 on the association path: asked again in 3 to 4 hours"
        }
    }
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
    /// The eighth try of the old rule (until iOS 12) failed like the others.
    case triesUsedUp = "tries-used-up"
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
        case .triesUsedUp: "eight tries got 500–599: not asked again before an update"
        case .generator: "this machine ran out of ports or descriptors: the generator's limit"
        }
    }
}
