/// Why an HTTP/2 session ended the connection. The server counts each.
package enum HTTP2CloseReason: String, Sendable, Hashable, CaseIterable {
    // Ends in good order.
    /// As many requests as a connection may ask: GOAWAY behind the last answer.
    case requestLimit
    /// The server drains: GOAWAY behind the answers under way.
    case drained
    /// The peer said GOAWAY and has all its answers.
    case peerGoAway

    // Budgets (``FloodLimits``), told to the peer as ENHANCE_YOUR_CALM.
    case byteBudget
    case frameBudget
    case settingsBudget
    case pingBudget
    /// RST_STREAM from the peer: rapid reset, CVE-2023-44487.
    case resetBudget
    /// Stream errors the peer made us answer with RST_STREAM: MadeYouReset, CVE-2025-8671.
    case provokedResetBudget
    /// CONTINUATION frames of one field block: CVE-2024-27316.
    case continuationBudget
    /// Decoded size of one field block: HPACK bombs.
    case headerListBudget
    /// More SETTINGS and PING acknowledgements queued than ``FloodLimits`` allows: CVE-2019-9512.
    case acknowledgementBudget
    /// The peer's windows (or its reading) let too little of an answer through: CVE-2019-9517.
    case stalled

    // Breaches of RFC 9113.
    case badPreface
    case protocolError
    case compressionError
    case flowControlError
    case frameSizeError
    case streamClosed
    /// Ours: out of memory or a state that should not be.
    case internalError

    /// The error code of the GOAWAY frame (RFC 9113 §7).
    package var errorCode: HTTP2ErrorCode {
        switch self {
        case .requestLimit, .drained, .peerGoAway: .noError
        case .byteBudget, .frameBudget, .settingsBudget, .pingBudget, .resetBudget,
            .provokedResetBudget, .continuationBudget, .headerListBudget, .acknowledgementBudget,
            .stalled:
            .enhanceYourCalm
        case .badPreface, .protocolError: .protocolError
        case .compressionError: .compressionError
        case .flowControlError: .flowControlError
        case .frameSizeError: .frameSizeError
        case .streamClosed: .streamClosed
        case .internalError: .internalError
        }
    }

    /// The reason behind a GOAWAY that nghttp2 decided on.
    init(errorCode: HTTP2ErrorCode) {
        switch errorCode {
        case .compressionError: self = .compressionError
        case .flowControlError: self = .flowControlError
        case .frameSizeError: self = .frameSizeError
        case .streamClosed: self = .streamClosed
        case .internalError: self = .internalError
        case .enhanceYourCalm: self = .acknowledgementBudget
        default: self = .protocolError
        }
    }
}

/// The error codes of RFC 9113 §7; unknown ones are kept as numbers.
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let noError = Self(rawValue: 0x0)
    package static let protocolError = Self(rawValue: 0x1)
    package static let internalError = Self(rawValue: 0x2)
    package static let flowControlError = Self(rawValue: 0x3)
    package static let streamClosed = Self(rawValue: 0x5)
    package static let frameSizeError = Self(rawValue: 0x6)
    package static let refusedStream = Self(rawValue: 0x7)
    package static let cancel = Self(rawValue: 0x8)
    package static let compressionError = Self(rawValue: 0x9)
    package static let enhanceYourCalm = Self(rawValue: 0xB)
}
