import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP1ResponseParserTests {
    private func parse(
        _ text: String, pieces: Int = .max, answersHead: Bool = false, maximum: Int = 1 << 20,
        close: Bool = false
    ) -> HTTP1ResponseParser {
        var parser = HTTP1ResponseParser(answersHead: answersHead, bodyMaximum: maximum)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            Array(rest.prefix(pieces)).withUnsafeBytes { _ = parser.receive($0) }
            rest = rest.dropFirst(pieces)
        }
        if close { parser.endOfStream() }
        return parser
    }

    /// RFC 9112 §2.3: the highest minor version that the reader knows.
    @Test func laterMinorVersionsAreReadAs11() {
        let parser = parse("HTTP/1.2 200 OK\r\nContent-Length: 1\r\n\r\na")
        #expect(parser.state == .complete && parser.head?.status == 200)
    }

    @Test(arguments: [1, 2, 7, .max])
    func countedBody(pieces: Int) {
        let parser = parse(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{\"a\"}",
            pieces: pieces)
        expectEqual(parser.state, .complete)
        expectEqual(parser.head?.status, 200)
        expectEqual(parser.head?.reason, "OK")
        expectEqual(parser.head?.values(of: "content-type"), ["application/json"])
        expectEqual(parser.body, Array("{\"a\"}".utf8))
        expectEqual(parser.framing, .length(5))
        expectEqual(parser.surplus, 0)
    }

    @Test(arguments: [1, 3, .max])
    func chunkedBody(pieces: Int) {
        let parser = parse(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nabcd\r\n02\r\nef\r\n0\r\n"
                + "Trailer: 1\r\n\r\n", pieces: pieces)
        expectEqual(parser.state, .complete)
        expectEqual(parser.body, Array("abcdef".utf8))
    }

    @Test func closeEndsABodyWithoutLength() {
        let open = parse("HTTP/1.0 200 OK\r\n\r\nabc")
        expectEqual(open.state, .needsMore)
        let closed = parse("HTTP/1.0 200 OK\r\n\r\nabc", close: true)
        expectEqual(closed.state, .complete)
        expectEqual(closed.framing, .untilClose)
    }

    @Test func interimAnswersAreLeftOut() {
        let parser = parse(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n\r\n")
        expectEqual(parser.head?.status, 204)
        expectEqual(parser.state, .complete)
    }

    @Test func headAnd304HaveNoBody() {
        expectEqual(
            parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", answersHead: true).state,
            .complete)
        expectEqual(parse("HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n").state, .complete)
    }

    @Test func bareLineFeedsAndFoldsAreRead() {
        let parser = parse("HTTP/1.1 200\nA: one\n  two\nB:\t3 \nContent-Length: 0, 0\n\n")
        expectEqual(parser.state, .complete)
        expectEqual(parser.head?.values(of: "a"), ["one two"])
        expectEqual(parser.head?.values(of: "b"), ["3"])
        expectEqual(parser.head?.reason, "")
    }

    @Test func surplusIsCounted() {
        let parser = parse("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc", pieces: 2)
        expectEqual(parser.state, .complete)
        expectEqual(parser.surplus, 2)
    }

    static let faultCases: [(String, HTTP1ResponseFault)] = [
        ("SSH-2.0", .notHTTP),
        ("HTTP/2.0 200 OK\r\n\r\n", .notHTTP),
        ("HTTP/1.x 200 OK\r\n\r\n", .notHTTP),
        ("HTTP/1.1 20 OK\r\n\r\n", .notHTTP),
        ("HTTP/1.1 2000 OK\r\n\r\n", .notHTTP),
        ("HTTP/1.1 099 OK\r\n\r\n", .notHTTP),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .invalidField),
        ("HTTP/1.1 200 OK\r\nA b: 1\r\n\r\n", .invalidField),
        ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", .invalidContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .invalidContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", .conflictingContentLength),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .invalidChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .invalidChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n123456789\r\n", .invalidChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .invalidChunk),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", .bodyTooLarge),
        // The limit holds for the chunks together.
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E8\r\n"
                + String(repeating: "x", count: 1000) + "\r\n1\r\nx\r\n0\r\n\r\n", .bodyTooLarge
        ),
        ("HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 70_000), .headTooLarge),
        (String(repeating: "HTTP/1.1 100 X\r\n\r\n", count: 9), .tooManyInterim),
    ]

    @Test(arguments: faultCases)
    func faults(text: String, fault: HTTP1ResponseFault) {
        expectEqual(parse(text, maximum: 1000).state, .failed(fault))
        expectEqual(parse(text, pieces: 1, maximum: 1000).state, .failed(fault))
        #expect(!fault.explanation.isEmpty)
    }

    @Test(arguments: [
        ("", HTTP1ResponseFault.cutInHead), ("HTTP/1.1 200", .cutInHead),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", .cutInBody),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", .cutInBody),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", .cutInBody),
    ])
    func cutAnswers(text: String, fault: HTTP1ResponseFault) {
        expectEqual(parse(text, close: true).state, .failed(fault))
    }

    @Test func countsWhatWasTaken() {
        var parser = HTTP1ResponseParser()
        Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".utf8).withUnsafeBytes {
            _ = parser.receive($0)
        }
        expectEqual(parser.takeBody(), Array("abc".utf8))
        #expect(parser.body.isEmpty && parser.bodyCount == 3)
    }
}
