/// The outcome of one device's try, from the device's point of view.
///
/// Source: Apple's SharedWebCredentials reference for systems until iOS 13: 200 is read, 300–499
/// denies the association, 500–599 is retried after three hours, anything else is a failed
/// association. ``AssociationStateMachine`` describes each system's reaction.
package enum DeviceOutcome: Hashable, Sendable {
    /// 200 with a document that lists an app.
    case associated
    /// 500–599: retried later.
    case willRetry
    /// Answered with a denial.
    case denied(Denial)
    /// No valid answer.
    case failed(FailureReason)
}

/// The kinds of denial.
package enum Denial: String, Hashable, Sendable, CaseIterable {
    /// 300–499, and the device does not retry before an update of the app.
    case refused
    /// iOS 8: 200 with an unsigned document.
    case unsigned
    /// 200 with a document that lists no app.
    case nothingListed = "nothing-listed"
    /// 200 with a signed document whose signature is not accepted.
    case badSignature = "bad-signature"
    /// 300–499 to a system that retries anyway: iOS 14 and later through Apple's CDN, developer and
    /// managed mode.
    case asksAgain = "asks-again"

    /// For people.
    package var explanation: String {
        switch self {
        case .refused:
            "300–499 on the association path: no retry before an update"
        case .unsigned: "200 with an unsigned document; iOS 8 requires a signed one"
        case .nothingListed: "200 with a document that lists no app"
        case .badSignature: "200 with a signature that devices do not accept"
        case .asksAgain: "300–499 on the association path: retry in 3 to 4 hours"
        }
    }
}

/// Why a try ended without a valid response.
package enum FailureReason: String, Hashable, Sendable, CaseIterable {
    /// The connection was refused (RST after SYN).
    case refused
    /// The connection was reset before the response was complete.
    case reset
    /// The device's timeout expired.
    case timedOut = "timed-out"
    /// The server closed the connection before the response was complete.
    case cut
    /// The TLS handshake failed.
    case tls
    /// The response was not HTTP that a device could parse.
    case badAnswer = "bad-answer"
    /// 200 with something other than a document: a page, nothing, truncated JSON.
    case noDocument = "no-document"
    /// The eighth try also failed, and devices up to iOS 12 try eight times.
    case triesUsedUp = "tries-used-up"
    /// This machine could not start the try (ports, descriptors): a limit of the generator.
    case generator

    /// For people: the meaning and where to look.
    package var explanation: String {
        switch self {
        case .refused: "no server listens there, or a firewall rejected the connection"
        case .reset: "the server or the network reset the connection"
        case .timedOut: "no complete answer within the device's patience"
        case .cut: "the server closed the connection before the answer was complete"
        case .tls: "the TLS handshake failed: name, trust, protocol or a closed connection"
        case .badAnswer: "the bytes were not an HTTP answer"
        case .noDocument: "200 with something other than an association document"
        case .triesUsedUp: "eight tries got 500–599: no retry before an update"
        case .generator:
            "this machine ran out of ports or descriptors: a limit of the generator, not of the server"
        }
    }
}
