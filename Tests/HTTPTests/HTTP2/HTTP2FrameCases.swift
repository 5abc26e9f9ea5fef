@testable import HTTP

/// Frames, stream states and SETTINGS: rows of ``HTTP2ConformanceTests``.
extension HTTP2ConformanceTests {
    static let open = RawFrame.request(1, RawFrame.get("/a"), endStream: false)
    static let held = RawFrame.request(1, RawFrame.get("/hold"))

    // MARK: Frames: sizes, streams, values (RFC 9113 §4, §6)

    static let frameCases: [Case] = [
        Case(
            "4.1", "unknown frame type", .ignored,
            [RawFrame(type: 0x16, flags: 0xFF, stream: 0, payload: [1, 2, 3])]),
        Case(
            "4.1", "unknown frame type on a stream", .ignored,
            [RawFrame(type: 0xFF, stream: 1, payload: [])]),
        Case(
            "4.1", "undefined flags", .ignored,
            [
                RawFrame(type: RawFrame.ping, flags: 0x16, payload: Array(repeating: 0, count: 8))
            ]),
        Case(
            "4.1", "reserved bit of the stream", .ignored,
            [
                RawFrame(
                    type: RawFrame.ping, stream: 0x8000_0000, payload: Array(repeating: 0, count: 8)
                )
            ]),
        Case(
            "4.2", "DATA above SETTINGS_MAX_FRAME_SIZE", .connectionError(.frameSizeError),
            [
                open,
                RawFrame(
                    type: RawFrame.data, stream: 1, payload: Array(repeating: 0, count: 16_385)),
            ]),
        Case(
            "4.2", "HEADERS above SETTINGS_MAX_FRAME_SIZE", .connectionError(.frameSizeError),
            [
                RawFrame(
                    type: RawFrame.headers, flags: 5, stream: 1,
                    payload: RawFrame.block(RawFrame.get) + Array(repeating: 0, count: 16_385))
            ]),
        Case(
            "6.1", "DATA on stream 0", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.data, stream: 0, payload: [1])
            ]),
        Case(
            "6.1", "DATA with too long padding", .connectionError(.protocolError),
            [
                open, RawFrame(type: RawFrame.data, flags: 8, stream: 1, payload: [6, 1, 2, 3]),
            ]),
        Case(
            "6.2", "HEADERS on stream 0", .connectionError(.protocolError),
            [
                RawFrame(
                    type: RawFrame.headers, flags: 5, stream: 0,
                    payload: RawFrame.block(RawFrame.get))
            ]),
        Case(
            "6.2", "HEADERS with too long padding", .connectionError(.protocolError),
            [
                RawFrame(
                    type: RawFrame.headers, flags: 13, stream: 1,
                    payload: [255] + RawFrame.block(RawFrame.get))
            ]),
        Case(
            "6.2", "HEADERS with padding", .answered,
            [
                RawFrame(
                    type: RawFrame.headers, flags: 13, stream: 1,
                    payload: [3] + RawFrame.block(RawFrame.get) + [0, 0, 0])
            ]),
        Case(
            "6.2", "HEADERS with priority", .answered,
            [
                RawFrame(
                    type: RawFrame.headers, flags: 0x25, stream: 1,
                    payload: [0, 0, 0, 3, 7] + RawFrame.block(RawFrame.get))
            ]),
        Case(
            "6.3", "PRIORITY on stream 0", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.priority, stream: 0, payload: [0, 0, 0, 1, 7])
            ]),
        Case(
            "6.3", "PRIORITY of 4 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.priority, stream: 1, payload: [0, 0, 0, 3])
            ]),
        Case(
            "6.3", "PRIORITY of 6 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.priority, stream: 1, payload: [0, 0, 0, 3, 0, 0])
            ]),
        Case(
            "6.3", "PRIORITY on an idle stream", .ignored,
            [
                RawFrame(type: RawFrame.priority, stream: 3, payload: [0, 0, 0, 1, 7])
            ]),
        Case("6.4", "RST_STREAM on stream 0", .connectionError(.protocolError), [.reset(0)]),
        Case("6.4", "RST_STREAM on an idle stream", .connectionError(.protocolError), [.reset(1)]),
        Case(
            "6.4", "RST_STREAM of 3 octets", .connectionError(.frameSizeError),
            [
                open, RawFrame(type: RawFrame.rstStream, stream: 1, payload: [0, 0, 0]),
            ]),
        Case(
            "6.4", "RST_STREAM of 5 octets", .connectionError(.frameSizeError),
            [
                open, RawFrame(type: RawFrame.rstStream, stream: 1, payload: [0, 0, 0, 0, 8]),
            ]),
        Case(
            "6.6", "PUSH_PROMISE from a client", .connectionError(.protocolError),
            [
                open,
                RawFrame(
                    type: RawFrame.pushPromise, flags: 4, stream: 1,
                    payload: [0, 0, 0, 2] + RawFrame.block(RawFrame.get)),
            ]),
        Case(
            "6.7", "PING on a stream", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.ping, stream: 1, payload: Array(repeating: 0, count: 8))
            ]),
        Case(
            "6.7", "PING of 7 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.ping, payload: Array(repeating: 0, count: 7))
            ]),
        Case(
            "6.7", "PING of 9 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.ping, payload: Array(repeating: 0, count: 9))
            ]),
        Case(
            "6.7", "PING acknowledgement nobody asked for", .ignored,
            [
                RawFrame(type: RawFrame.ping, flags: 1, payload: Array(repeating: 0, count: 8))
            ]),
        Case(
            "6.8", "GOAWAY on a stream", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.goAway, stream: 1, payload: Array(repeating: 0, count: 8))
            ]),
        Case(
            "6.8", "GOAWAY of 7 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.goAway, payload: Array(repeating: 0, count: 7))
            ]),
        Case(
            "6.9", "WINDOW_UPDATE of 3 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.windowUpdate, payload: [0, 0, 1])
            ]),
        Case(
            "6.9", "WINDOW_UPDATE of 5 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.windowUpdate, payload: [0, 0, 0, 0, 1])
            ]),
        Case(
            "6.9", "increment 0 for the connection", .connectionError(.protocolError),
            [
                .windowUpdate(0)
            ]),
        Case(
            "6.9", "increment 0 for a stream", .connectionError(.protocolError),
            [
                held, .windowUpdate(0, stream: 1),
            ]),
        Case(
            "6.9", "WINDOW_UPDATE on an idle stream", .connectionError(.protocolError),
            [
                .windowUpdate(1, stream: 1)
            ]),
        Case(
            "6.9.1", "connection window above 2^31-1", .connectionError(.flowControlError),
            [
                .windowUpdate(0x7FFF_FFFF)
            ]),
        Case(
            "6.9.1", "stream window above 2^31-1", .streamError(.flowControlError),
            [
                held, .windowUpdate(0x7FFF_FFFF, stream: 1),
            ]),
        Case(
            "6.10", "CONTINUATION without HEADERS", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.continuation, flags: 4, stream: 1, payload: [])
            ]),
        Case(
            "6.10", "CONTINUATION on stream 0", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.continuation, flags: 4, stream: 0, payload: [])
            ]),
        Case(
            "6.10", "CONTINUATION behind END_HEADERS", .connectionError(.protocolError),
            [
                open, RawFrame(type: RawFrame.continuation, flags: 4, stream: 1, payload: []),
            ]),
        Case(
            "6.10", "CONTINUATION of another stream", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.headers, flags: 1, stream: 1, payload: []),
                RawFrame(
                    type: RawFrame.continuation, flags: 4, stream: 3,
                    payload: RawFrame.block(RawFrame.get)),
            ]),
        Case(
            "6.10", "another frame inside a field block", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.headers, flags: 1, stream: 1, payload: []),
                RawFrame(type: RawFrame.ping, payload: Array(repeating: 0, count: 8)),
            ]),
        Case(
            "6.10", "unknown frame inside a field block", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.headers, flags: 1, stream: 1, payload: []),
                RawFrame(type: 0x16, stream: 1, payload: []),
            ]),
        Case(
            "6.10", "a field block in three frames", .answered,
            {
                let block = RawFrame.block(RawFrame.get)
                return [
                    RawFrame(
                        type: RawFrame.headers, flags: 1, stream: 1, payload: Array(block[..<5])),
                    RawFrame(type: RawFrame.continuation, stream: 1, payload: Array(block[5..<9])),
                    RawFrame(
                        type: RawFrame.continuation, flags: 4, stream: 1,
                        payload: Array(block[9...])),
                ]
            }()),
    ]

    // MARK: Stream states (RFC 9113 §5.1)

    static let streamStateCases: [Case] = [
        Case(
            "5.1", "DATA on an idle stream", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.data, flags: 1, stream: 1, payload: [1])
            ]),
        Case(
            "5.1", "DATA on a half-closed stream", .connectionError(.streamClosed),
            [
                held, RawFrame(type: RawFrame.data, flags: 1, stream: 1, payload: [1]),
            ]),
        Case(
            "5.1", "HEADERS on a half-closed stream", .connectionError(.streamClosed),
            [
                held, .request(1),
            ]),
        Case(
            "5.1", "DATA on a stream that was reset", .connectionError(.streamClosed),
            [
                open, .reset(1), RawFrame(type: RawFrame.data, flags: 1, stream: 1, payload: [1]),
            ]),
        Case(
            "5.1", "HEADERS on a stream that was reset", .connectionError(.streamClosed),
            [
                open, .reset(1), .request(1),
            ]),
        Case(
            "5.1", "WINDOW_UPDATE on a closed stream", .answered,
            [
                .request(1), .windowUpdate(1, stream: 1),
            ]),
        Case(
            "5.1", "RST_STREAM on a closed stream", .ignored, [.request(1), .reset(1)],
            inPieces: .answered),
        Case(
            "5.1", "PRIORITY on a closed stream", .answered,
            [
                .request(1),
                RawFrame(type: RawFrame.priority, stream: 1, payload: [0, 0, 0, 3, 7]),
            ]),
        Case("5.1.1", "even stream identifier", .connectionError(.protocolError), [.request(2)]),
        Case(
            "5.1.1", "smaller stream identifier", .connectionError(.protocolError),
            [
                .request(5), .request(3),
            ]),
        Case(
            "5.3.1", "HEADERS that depend on themselves", .connectionError(.protocolError),
            [
                RawFrame(
                    type: RawFrame.headers, flags: 0x25, stream: 1,
                    payload: [0, 0, 0, 1, 7] + RawFrame.block(RawFrame.get))
            ]),
    ]

    // MARK: SETTINGS (RFC 9113 §6.5)

    static let settingsCases: [Case] = [
        Case(
            "6.5", "on a stream", .connectionError(.protocolError),
            [
                RawFrame(type: RawFrame.settings, stream: 1)
            ]),
        Case(
            "6.5", "of 5 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.settings, payload: [0, 3, 0, 0, 0])
            ]),
        Case(
            "6.5", "of 7 octets", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.settings, payload: [0, 3, 0, 0, 0, 1, 0])
            ]),
        Case(
            "6.5", "acknowledgement with content", .connectionError(.frameSizeError),
            [
                RawFrame(type: RawFrame.settings, flags: 1, payload: [0, 3, 0, 0, 0, 1])
            ]),
        Case("6.5.2", "ENABLE_PUSH 2", .connectionError(.protocolError), [.settings([(2, 2)])]),
        Case(
            "6.5.2", "INITIAL_WINDOW_SIZE 2^31", .connectionError(.flowControlError),
            [
                .settings([(4, 0x8000_0000)])
            ]),
        Case("6.5.2", "INITIAL_WINDOW_SIZE 2^31-1", .ignored, [.settings([(4, 0x7FFF_FFFF)])]),
        Case(
            "6.5.2", "MAX_FRAME_SIZE 16383", .connectionError(.protocolError),
            [
                .settings([(5, 16_383)])
            ]),
        Case("6.5.2", "MAX_FRAME_SIZE 16384", .ignored, [.settings([(5, 16_384)])]),
        Case(
            "6.5.2", "MAX_FRAME_SIZE 2^24", .connectionError(.protocolError),
            [
                .settings([(5, 0x100_0000)])
            ]),
        Case("6.5.2", "MAX_FRAME_SIZE 2^24-1", .ignored, [.settings([(5, 0xFF_FFFF)])]),
        Case("6.5.2", "unknown setting", .ignored, [.settings([(0xFF, 1)])]),
        Case("6.5.2", "HEADER_TABLE_SIZE 0", .ignored, [.settings([(1, 0)])]),
        Case(
            "6.5.3", "the last of several values counts", .ignored,
            [
                .settings([(4, 1), (4, 65_535)])
            ]),
        Case(
            "6.9.2", "initial window that overflows a stream", .streamError(.flowControlError),
            [
                .settings([(4, 0)]), held, .windowUpdate(0x7FFF_FFFF, stream: 1),
                .settings([(4, 0x7FFF_FFFF)]),
            ]),
    ]
}
