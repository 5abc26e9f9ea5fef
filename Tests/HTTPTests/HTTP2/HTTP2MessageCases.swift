@testable import HTTP

/// Messages and field blocks: rows of ``HTTP2ConformanceTests``.
extension HTTP2ConformanceTests {
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
