import Testing

@testable import HTTP

/// RFC 9113 and RFC 7541, breach by breach, with raw frames: what ends the stream, what ends the
/// connection, and what is to be ignored. The sections are named as h2spec names them.
struct HTTP2ConformanceTests {
    /// What a peer gets to see.
    enum Reaction: Equatable, CustomStringConvertible {
        /// GOAWAY with the code, nothing read afterwards.
        case connectionError(HTTP2ErrorCode)
        /// RST_STREAM with the code for stream 1; the connection goes on.
        case streamError(HTTP2ErrorCode)
        /// Nothing: the connection goes on, a later request is answered.
        case ignored
        /// Stream 1 is answered.
        case answered

        var description: String {
            switch self {
            case .connectionError(let code): "connection error \(code.rawValue)"
            case .streamError(let code): "stream error \(code.rawValue)"
            case .ignored: "ignored"
            case .answered: "answered"
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var section: String
        var name: String
        var octets: [UInt8]
        var expected: Reaction
        /// In single bytes the answer is out before the rest arrives, and the stream closed.
        var expectedInPieces: Reaction
        var testDescription: String { "\(section) \(name)" }

        init(
            _ section: String, _ name: String, _ expected: Reaction, _ frames: [RawFrame],
            inPieces: Reaction? = nil
        ) {
            expectedInPieces = inPieces ?? expected
            self.section = section
            self.name = name
            self.octets = frames.flatMap(\.octets)
            self.expected = expected
        }
    }

    func reaction(to octets: [UInt8], pieces: Bool) throws -> Reaction {
        let server = try ServerHarness(answer: { request in
            request.path == "/hold" ? nil : ServerHarness.small
        })
        server.open()
        var frames: [RawFrame] = []
        if pieces {
            for octet in octets {
                server.receive([octet])
                frames += server.sentFrames()
            }
        } else {
            server.receive(octets)
            frames += server.sentFrames()
        }
        if let goAway = frames.goAway {
            #expect(server.session.isFinished)
            server.receive(.request(101))
            #expect(server.sentFrames().isEmpty)
            #expect(server.session.closeReason?.isOrderly == false)
            return .connectionError(HTTP2ErrorCode(rawValue: goAway.code ?? 0))
        }
        // The connection is alive: a request on a fresh stream is answered, the HPACK state is
        // whole.
        server.receive(.request(101))
        let later = server.sentFrames()
        #expect(later.content(of: 101) == Array("{}".utf8))
        if let reset = frames.of(RawFrame.rstStream).first(where: { $0.stream == 1 }),
            reset.code != 0
        {
            return .streamError(HTTP2ErrorCode(rawValue: reset.code ?? 0))
        }
        let isAnswered = frames.contains {
            $0.stream == 1 && $0.flags & RawFrame.endStream != 0
                && ($0.type == RawFrame.data || $0.type == RawFrame.headers)
        }
        return isAnswered ? .answered : .ignored
    }

    @Test(arguments: frameCases + streamStateCases + settingsCases)
    func frames(_ example: Case) throws {
        let whole = try reaction(to: example.octets, pieces: false)
        #expect(whole == example.expected)
        let pieces = try reaction(to: example.octets, pieces: true)
        #expect(pieces == example.expectedInPieces)
    }

    @Test(arguments: messageCases + fieldBlockCases)
    func messages(_ example: Case) throws {
        let whole = try reaction(to: example.octets, pieces: false)
        #expect(whole == example.expected)
        let pieces = try reaction(to: example.octets, pieces: true)
        #expect(pieces == example.expectedInPieces)
    }

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

    // MARK: Messages (RFC 9113 §8)

    static func message(
        _ section: String, _ name: String, _ expected: Reaction, _ fields: [(String, String)]
    ) -> Case {
        Case(section, name, expected, [.request(1, fields)])
    }

    static func withField(_ name: String, _ value: String) -> [(String, String)] {
        RawFrame.get + [(name, value)]
    }

    static func without(_ name: String) -> [(String, String)] {
        RawFrame.get.filter { $0.0 != name }
    }

    static let messageCases: [Case] = [
        message(
            "8.2", "field name in upper case", .streamError(.protocolError), withField("X-A", "b")),
        message("8.2.1", "empty field name", .streamError(.protocolError), withField("", "b")),
        message(
            "8.2.1", "space in a field name", .streamError(.protocolError), withField("a b", "c")),
        message("8.2.1", "NUL in a value", .streamError(.protocolError), withField("a", "b\u{0}c")),
        message(
            "8.2.1", "CR LF in a value", .streamError(.protocolError), withField("a", "b\r\nc: d")),
        message("8.2.1", "LF in a value", .streamError(.protocolError), withField("a", "b\nc")),
        message(
            "8.2.1", "DEL in a value", .streamError(.protocolError), withField("a", "b\u{7F}c")),
        message(
            "8.2.1", "space before a value", .streamError(.protocolError), withField("a", " b")),
        message(
            "8.2.1", "space behind a value", .streamError(.protocolError), withField("a", "b ")),
        message(
            "8.2.2", "connection", .streamError(.protocolError), withField("connection", "close")),
        message("8.2.2", "keep-alive", .streamError(.protocolError), withField("keep-alive", "1")),
        message(
            "8.2.2", "proxy-connection", .streamError(.protocolError),
            withField("proxy-connection", "x")),
        message(
            "8.2.2", "transfer-encoding", .streamError(.protocolError),
            withField("transfer-encoding", "chunked")),
        message("8.2.2", "upgrade", .streamError(.protocolError), withField("upgrade", "h2c")),
        message("8.2.2", "te: gzip", .streamError(.protocolError), withField("te", "gzip")),
        message("8.2.2", "te: trailers", .answered, withField("te", "trailers")),
        message(
            "8.3", "unknown pseudo-header field", .streamError(.protocolError),
            [(":x", "y")] + RawFrame.get),
        message(
            "8.3", "response pseudo-header field", .streamError(.protocolError),
            [(":status", "200")] + RawFrame.get),
        message(
            "8.3", "pseudo-header field behind a field", .streamError(.protocolError),
            [
                (":method", "GET"), (":scheme", "https"), (":path", "/"), ("a", "b"),
                (":authority", "x"),
            ]),
        message("8.3.1", "no :method", .streamError(.protocolError), without(":method")),
        message("8.3.1", "no :scheme", .streamError(.protocolError), without(":scheme")),
        message("8.3.1", "no :path", .streamError(.protocolError), without(":path")),
        message(
            "8.3.1", "no :authority and no host", .streamError(.protocolError),
            without(":authority")),
        message(
            "8.3.1", "host instead of :authority", .answered,
            without(":authority") + [("host", "x")]),
        message(
            "8.3.1", ":method twice", .streamError(.protocolError),
            [(":method", "GET")] + RawFrame.get),
        message(
            "8.3.1", ":scheme twice", .streamError(.protocolError),
            [(":scheme", "https")] + RawFrame.get),
        message(
            "8.3.1", ":path twice", .streamError(.protocolError), [(":path", "/")] + RawFrame.get),
        message(
            "8.3.1", ":authority twice", .streamError(.protocolError),
            [(":authority", "x")] + RawFrame.get),
        message(
            "8.3.1", "empty :path", .streamError(.protocolError), without(":path") + [(":path", "")]
        ),
        message(
            "8.3.1", ":path without a slash", .streamError(.protocolError),
            without(":path") + [(":path", "a")]),
        message(
            "8.3.1", "empty :method", .streamError(.protocolError),
            without(":method") + [(":method", "")]),
        message(
            "8.3.1", "space in :path", .streamError(.protocolError),
            without(":path") + [(":path", "/a b")]),
        message(
            "8.3.1", "LF in :path", .streamError(.protocolError),
            without(":path") + [(":path", "/a\nb")]),
        message(
            "8.3.1", "asterisk with GET", .streamError(.protocolError),
            without(":path") + [(":path", "*")]),
        message("8.5", "CONNECT", .answered, [(":method", "CONNECT"), (":authority", "x:443")]),
        message(
            "8.5", "CONNECT with :path", .streamError(.protocolError),
            [
                (":method", "CONNECT"), (":authority", "x:443"), (":path", "/"),
                (":scheme", "https"),
            ]),
        Case(
            "8.1", "content as announced", .answered,
            [
                .request(1, withField("content-length", "2"), endStream: false),
                RawFrame(type: RawFrame.data, flags: 1, stream: 1, payload: [1, 2]),
            ]),
        message(
            "8.1.1", "END_STREAM instead of the content announced", .streamError(.protocolError),
            withField("content-length", "1")),
        message(
            "8.1.1", "content-length twice", .streamError(.protocolError),
            withField("content-length", "0") + [("content-length", "0")]),
        message(
            "8.1.1", "content-length that is no number", .streamError(.protocolError),
            withField("content-length", "x")),
        message("8.1.1", "content-length 0", .answered, withField("content-length", "0")),
    ]

    // MARK: Field blocks (RFC 7541)

    static func block(
        _ section: String, _ name: String, _ expected: Reaction, _ octets: [UInt8]
    ) -> Case {
        Case(
            section, name, expected,
            [
                RawFrame(type: RawFrame.headers, flags: 5, stream: 1, payload: octets)
            ])
    }

    /// :method GET, :scheme https, :path / from the static table, and an authority.
    static let indexed: [UInt8] = [0x82, 0x87, 0x84, 0x41, 0x01, 0x78]

    static let fieldBlockCases: [Case] = [
        block("7541 6.1", "indexed fields", .answered, indexed),
        block(
            "7541 2.3.3", "index beyond both tables", .connectionError(.compressionError),
            indexed + [0xFE]),
        block("7541 6.1", "index 0", .connectionError(.compressionError), indexed + [0x80]),
        block(
            "7541 2.3.3", "literal with a name index beyond both tables",
            .connectionError(.compressionError), indexed + [0x7F, 0x20, 0x01, 0x61]),
        block(
            "7541 5.1", "integer that never ends", .connectionError(.compressionError),
            indexed + [0xFF] + Array(repeating: 0xFF, count: 20)),
        block(
            "7541 5.1", "integer beyond 32 bits", .connectionError(.compressionError),
            indexed + [0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        block(
            "7541 5.2", "string cut short", .connectionError(.compressionError),
            indexed + [0x00, 0x05, 0x61]),
        block("7541 4.2", "table size within the limit", .answered, [0x20] + indexed),
        block("7541 4.2", "two table sizes", .answered, [0x20, 0x3F, 0xE1, 0x1F] + indexed),
        block(
            "7541 6.3", "table size beyond the limit", .connectionError(.compressionError),
            [0x3F, 0xE2, 0x1F] + indexed),
        block(
            "7541 4.2", "table size behind a field", .connectionError(.compressionError),
            indexed + [0x20]),
        block(
            "7541 5.2", "Huffman string", .answered,
            [
                0x82, 0x87, 0x84, 0x41, 0x8C, 0xF1, 0xE3, 0xC2, 0xE5, 0xF2, 0x3A, 0x6B, 0xA0, 0xAB,
                0x90, 0xF4, 0xFF,
            ]),
        block(
            "7541 5.2", "Huffman padding longer than 7 bits", .connectionError(.compressionError),
            indexed + [0x00, 0x01, 0x61, 0x82, 0x1F, 0xFF]),
        block(
            "7541 5.2", "Huffman padding of zeros", .connectionError(.compressionError),
            indexed + [0x00, 0x01, 0x61, 0x81, 0x18]),
        block(
            "7541 5.2", "Huffman EOS inside a string", .connectionError(.compressionError),
            indexed + [0x00, 0x01, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFC]),
        block("7541 4.3", "empty block", .streamError(.protocolError), []),
    ]
}
