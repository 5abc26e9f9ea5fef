import CNGHTTP2

/// Why an HTTP/2 session closed the connection. The server counts each reason.
package enum HTTP2CloseReason: String, Sendable, Hashable, CaseIterable {
    // Orderly ends.
    /// The limit of requests per connection: GOAWAY after the last answer.
    case requestLimit
    /// The server drains: GOAWAY after the answers under way.
    case drained
    /// The peer sent GOAWAY and has all its answers.
    case peerGoAway

    // Budgets (``FloodLimits``), sent to the peer as ENHANCE_YOUR_CALM.
    case byteBudget
    case frameBudget
    case settingsBudget
    case pingBudget
    /// RST_STREAM from the peer: rapid reset, CVE-2023-44487.
    case resetBudget
    /// Stream errors that the peer provoked: MadeYouReset, CVE-2025-8671.
    case provokedResetBudget
    /// CONTINUATION frames of one field block: CVE-2024-27316.
    case continuationBudget
    /// Decoded size of one field block: HPACK bombs.
    case headerListBudget
    /// More SETTINGS and PING acknowledgements queued than ``FloodLimits`` allows: CVE-2019-9512.
    case acknowledgementBudget
    /// The peer's windows, or its slow reading, stall an answer: CVE-2019-9517.
    case stalled

    // Violations of RFC 9113.
    case badPreface
    case protocolError
    case compressionError
    case flowControlError
    case frameSizeError
    case streamClosed
    /// Our fault: out of memory or an impossible state.
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

    /// The reason for a GOAWAY that nghttp2 sent on its own.
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

extension HTTP2ErrorCode: CustomStringConvertible {
    /// The name in RFC 9113 §7.
    package var description: String {
        let name = nghttp2_http2_strerror(rawValue).map { String(cString: $0) } ?? "unknown"
        return name == "unknown" ? "error code \(rawValue)" : name
    }
}
