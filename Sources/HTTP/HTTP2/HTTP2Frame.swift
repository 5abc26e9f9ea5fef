import CNGHTTP2

/// The few things about frames (RFC 9113 §4.1) that are not left to nghttp2.
enum HTTP2Frame {
    /// Length (24 bits), type, flags, stream.
    static let headCount = 9

    static func kind(_ head: nghttp2_frame_hd) -> FloodGuard.Frame {
        let isAcknowledgement = head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        switch nghttp2_frame_type(UInt32(head.type)) {
        case NGHTTP2_SETTINGS: return isAcknowledgement ? .acknowledgement : .settings
        case NGHTTP2_PING: return isAcknowledgement ? .acknowledgement : .ping
        case NGHTTP2_CONTINUATION: return .continuation
        case NGHTTP2_RST_STREAM: return .reset
        default: return .other
        }
    }

    /// A GOAWAY frame (RFC 9113 §6.8) for a session that nghttp2 is not asked about any more.
    static func goAway(lastStream: HTTP2StreamID, code: HTTP2ErrorCode) -> [UInt8] {
        [0, 0, 8, 7, 0, 0, 0, 0, 0] + bigEndian(UInt32(bitPattern: lastStream))
            + bigEndian(code.rawValue)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
