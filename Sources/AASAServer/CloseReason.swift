/// Why a connection ended. Every close names exactly one reason; each reason is counted per worker
/// and shown in the metrics.
///
/// The metrics are made from `CaseIterable`, so a new case needs no other change.
package enum CloseReason: UInt8, CaseIterable, Sendable {
    // The ordinary ends.
    /// Answered, and the client had asked for the close (`Connection: close`, HTTP/1.0).
    case answered
    /// The client closed between requests.
    case peerClosed
    /// No request within the keep-alive time.
    case idleTimeout
    /// The connection's limit of requests or bytes was reached; the last answer announced the
    /// close.
    case requestLimit
    /// The server is stopping or handing over.
    case draining
    /// A certificate authority fetched the certificate of its challenge (TLS-ALPN-01).
    case challengeAnswered

    // Before the handshake.
    /// The client left while it waited for its handshake.
    case leftWhileWaiting
    /// Connected and sent nothing within `ServerLimits.firstByteTime`, or within
    /// `firstByteTimeAfterQueue` if the connection came from a full queue.
    case silent
    /// A health check of a front: a LOCAL header of the PROXY protocol, and nothing else.
    case frontCheck
    /// A header of the PROXY protocol from an address that is not in `--proxy-protocol`.
    case proxyHeaderRefused
    /// A front of `--proxy-protocol` sent no header, or a broken one.
    case proxyHeaderInvalid
    /// No slot or descriptor was free; the connection was open and idle and the oldest of its kind.
    case descriptorPressure

    /// Parts of ClientHellos took more memory than allowed, and this client held most of it for
    /// longest.
    case helloPressure

    // The handshake.
    case handshakeTimeout
    /// More handshakes were under way than memory allows, and this peer was silent for longest.
    case handshakePressure
    /// The client left in the middle of the handshake.
    case handshakeAbandoned
    /// No common version or cipher, a broken record, or an alert from the peer.
    case handshakeFailed
    /// Plain HTTP or noise on the TLS port.
    case notTLS

    // Requests.
    /// A request head began and did not end within `ServerLimits.headTime`.
    case headTimeout
    /// The bytes sent are no valid request; answered with an error, then closed.
    case badRequest
    /// The peer ended its input in the middle of a head.
    case truncatedRequest
    /// A request with a body; answered, then closed without reading the body.
    case requestBody

    // Answers.
    /// The client reads slower than `ServerLimits.answerBytesPerSecondMinimum`, or stalls.
    case slowReader
    /// The client closed or reset before it had the whole answer.
    case leftBeforeAnswer

    // TLS and HTTP/2 after the handshake.
    /// A bad TLS record or a fatal alert.
    case brokenTLS
    /// Too many key updates, empty records or renegotiations.
    case controlFlood
    // Budgets of HTTP/2's flood guard, told to the peer as GOAWAY(ENHANCE_YOUR_CALM); see
    // `FloodLimits`.
    case http2ByteBudget
    case http2FrameBudget
    case http2SettingsBudget
    case http2PingBudget
    case http2ResetBudget
    case http2ProvokedResetBudget
    case http2ContinuationBudget
    case http2HeaderListBudget
    case http2AcknowledgementBudget
    case http2Stalled
    // Connection errors of HTTP/2 (RFC 9113 section 5.4.1).
    case http2BadPreface
    case http2ProtocolError
    case http2CompressionError
    case http2FlowControlError
    case http2FrameSizeError
    case http2StreamClosed
    case http2InternalError

    // The network and ourselves.
    /// Reset or another network error.
    case networkError
    /// The longest lifetime of a connection is over (`ServerLimits.connectionTime`).
    case lifetime
    /// A fault of our own: out of memory, a failed epoll_ctl. Always logged.
    case internalError

    /// The label in metrics and logs: the case's name in snake case, initialisms as one word.
    package var label: String { Self.labels[Int(rawValue)] }

    /// Made once: the monitor reads the labels every second, and each takes thousands of
    /// instructions.
    private static let labels = allCases.map(\.made)

    private var made: String {
        var label = ""
        var afterLowercase = false
        for character in "\(self)" {
            if character.isUppercase && afterLowercase { label += "_" }
            afterLowercase = !character.isUppercase
            label += character.lowercased()
        }
        return label
    }
}
