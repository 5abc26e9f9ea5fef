import CNGHTTP2
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP2CloseReasonTests {
    /// Clients take NO_ERROR for a good end and ask again at once.
    @Test func codesHaveTheNamesOfTheProtocol() {
        expectEqual("\(HTTP2ErrorCode.refusedStream)", "REFUSED_STREAM")
        expectEqual("\(HTTP2ErrorCode.enhanceYourCalm)", "ENHANCE_YOUR_CALM")
        expectEqual("\(HTTP2ErrorCode(rawValue: 0xD))", "HTTP_1_1_REQUIRED")
        expectEqual("\(HTTP2ErrorCode(rawValue: 99))", "error code 99")
    }

    @Test func `What ends in good order was the server's wish or the peer's`() {
        let orderly = HTTP2CloseReason.allCases.filter { $0.errorCode == .noError }
        expectEqual(orderly, [.requestLimit, .drained, .peerGoAway])
    }

    /// RFC 9113 section 10.5: a peer that costs too much, not one that broke the protocol.
    @Test func `Whoever spends a budget is asked to calm down`() {
        let budgets = HTTP2CloseReason.allCases.filter { $0.rawValue.hasSuffix("Budget") }
        expectEqual(budgets.count, 9)
        for reason in budgets + [.stalled] { expectEqual(reason.errorCode, .enhanceYourCalm) }
    }

    /// A code of nghttp2 comes to a reason, and that reason says the same code to the peer.
    @Test func `A code survives the way through a reason`() {
        let codes: [HTTP2ErrorCode] = [
            .protocolError, .internalError, .flowControlError, .streamClosed, .frameSizeError,
            .compressionError, .enhanceYourCalm,
        ]
        for code in codes { expectEqual(HTTP2CloseReason(errorCode: code).errorCode, code) }
        // Others are the peer's breach.
        for code: HTTP2ErrorCode in [.refusedStream, .cancel, HTTP2ErrorCode(rawValue: 0x4)] {
            expectEqual(HTTP2CloseReason(errorCode: code), .protocolError)
        }
        expectEqual(HTTP2CloseReason(errorCode: .enhanceYourCalm), .acknowledgementBudget)
    }

    @Test func `Codes have the numbers of the library`() {
        let pairs: [(HTTP2ErrorCode, nghttp2_error_code)] = [
            (.noError, NGHTTP2_NO_ERROR), (.protocolError, NGHTTP2_PROTOCOL_ERROR),
            (.internalError, NGHTTP2_INTERNAL_ERROR),
            (.flowControlError, NGHTTP2_FLOW_CONTROL_ERROR),
            (.streamClosed, NGHTTP2_STREAM_CLOSED), (.frameSizeError, NGHTTP2_FRAME_SIZE_ERROR),
            (.refusedStream, NGHTTP2_REFUSED_STREAM), (.cancel, NGHTTP2_CANCEL),
            (.compressionError, NGHTTP2_COMPRESSION_ERROR),
            (.enhanceYourCalm, NGHTTP2_ENHANCE_YOUR_CALM),
        ]
        for (ours, library) in pairs { expectEqual(ours.rawValue, UInt32(library.rawValue)) }
    }
}
