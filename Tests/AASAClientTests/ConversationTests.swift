import AASAClient
import OpenSSL
import TestSupport
import Testing

@Suite struct ConversationTests: ClientSuite {
    private func bytes(_ text: String) -> FaultAnswer { .send(Array(text.utf8)) }

    // MARK: - HTTP/1.1

    /// Where an answer ends tells what broke: before it, in its head, or in its body.
    @Test(arguments: [
        ("", ClientFailure.closed(.head, missing: nil)),
        ("HTTP/1.1 200 OK\r\nContent-", .closed(.partialHead, missing: nil)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123", .closed(.body, missing: 7)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", .closed(.body, missing: 10)),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            .closed(.body, missing: nil)
        ),
    ])
    func tellsWhereAnAnswerWasCut(text: String, failure: ClientFailure) throws {
        let exchange = try exchange(bytes(text))
        expectEqual(exchange.failure, failure)
        #expect(exchange.status == nil)
        // What came is kept all the same.
        expectEqual((exchange.head != nil), text.contains("\r\n\r\n"))
        expectEqual((exchange.timing.firstByte == nil), text.isEmpty)
    }

    @Test func waitsForTheWholeAnswerOnly() throws {
        for (start, phase) in [
            ("", ClientFailure.Phase.head), ("HTTP/1.1 200 OK\r\n", .partialHead),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", .body),
        ] {
            #expect(try waited(for: .sendAndWait(Array(start.utf8)), in: phase))
        }
    }

    private func waited(for answer: FaultAnswer, in phase: ClientFailure.Phase) throws -> Bool {
        try timesOut(in: phase) { total in
            try exchange(answer) { $0.limits.total = total }.failure
        }
    }

    @Test func showsTheStartOfWhatIsNoHTTP() throws {
        let noise = "SSH-2.0-" + String(repeating: "x", count: 51) + "\u{1}" + "beyond\r\n\r\n"
        let exchange = try exchange(bytes(noise))
        expectEqual(
            exchange.failure,
            .notHTTP("SSH-2.0-" + String(repeating: "x", count: 51) + "?"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func saysThatAFramingCannotBeRead(text: String) throws {
        guard case .badFraming(let reason) = try exchange(bytes(text)).failure else {
            Issue.record("it was read")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func readsAsMuchAsIsAllowed() throws {
        let answer = FaultAnswer.http("200 OK", [], "0123456789")
        try expectEqual(exchange(answer) { $0.limits.body = 10 }.status, 200)
        try expectEqual(exchange(answer) { $0.limits.body = 9 }.failure, .tooLarge(9))
    }

    @Test func keepsWhatStandsAroundTheAnswer() throws {
        let exchange = try exchange(
            bytes(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 Fine\r\nX-A: b\r\nContent-Length: 2\r\n\r\nokmore"))
        expectEqual(exchange.head?.lines, ["HTTP/1.1 200 Fine", "X-A: b", "Content-Length: 2"])
        expectEqual(exchange.head?.reason, "Fine")
        expectEqual(exchange.body, Array("ok".utf8))
        expectEqual(exchange.surplus, 4)
    }

    /// An answer to HEAD has the length of what GET would bring, and no body.
    @Test func expectsNoBodyOfAnAnswerToHEAD() throws {
        let head = bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        let exchange = try exchange(head) { $0.method = "HEAD" }
        expectEqual(exchange.status, 200)
        #expect(exchange.body.isEmpty)
    }

    /// Over TLS a reset in the middle of a body is a cut body as well.
    @Test func knowsACutBodyUnderTLS() throws {
        let certificates = try ClientCertificates()
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123"
        let server = try FaultServer(tls: certificates.settings()) { _ in
            .send(Array(start.utf8))
        }
        let exchange = try client(server).fetch(certificates.request(server))
        expectEqual(exchange.failure, .closed(.body, missing: 7))
        #expect(exchange.timing.secured != nil)
    }

    // MARK: - HTTP/2

    private func http2(
        _ frames: [UInt8], _ change: (inout ClientRequest) -> Void = { _ in }
    ) throws -> ClientExchange {
        let certificates = try ClientCertificates()
        let server = try FaultServer(tls: certificates.settings(nil, [.http2])) { request in
            #expect(request.isHTTP2)
            return .send(frames)
        }
        var request = certificates.request(server)
        request.security.offer.protocols = [.http2, .http11]
        change(&request)
        return try client(server).fetch(request)
    }

    @Test func readsAnAnswerOverHTTP2() throws {
        let exchange = try http2(HTTP2Frames.answer(status: 0x88, "hello"))
        #expect(exchange.failure == nil)
        expectEqual(exchange.status, 200)
        expectEqual(exchange.head?.lines.first, "HTTP/2 200")
        expectEqual(exchange.body, Array("hello".utf8))
        #expect(exchange.timing.firstByte != nil)
    }

    /// The first is read as if the blank were not there, the second left out: other clients read
    /// both answers.
    @Test func `A field that other clients overlook does not end HTTP2`() throws {
        let fields = [
            (name: "content-security-policy", value: "default-src 'self'; "),
            (name: "x-bad", value: "\u{1}"),
        ]
        let exchange = try http2(HTTP2Frames.answer(status: 0x88, fields: fields, "hello"))
        #expect(exchange.failure == nil)
        expectEqual(exchange.head?.values("Content-Security-Policy"), ["default-src 'self';"])
        expectEqual(exchange.head?.values("X-Bad"), [])
        expectEqual(exchange.body, Array("hello".utf8))
    }

    @Test func boundsABodyOverHTTP2() throws {
        let frames = HTTP2Frames.answer(status: 0x88, "0123456789")
        try expectEqual(http2(frames) { $0.limits.body = 10 }.status, 200)
        try expectEqual(http2(frames) { $0.limits.body = 9 }.failure, .tooLarge(9))
    }

    @Test(arguments: [
        // RST_STREAM with CANCEL; GOAWAY with INTERNAL_ERROR and a word; a frame too long.
        (HTTP2Frames.frame(type: 3, stream: 1, [0, 0, 0, 8]), "the stream was reset"),
        (
            HTTP2Frames.frame(
                type: 7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 2] + Array("bye\u{1}".utf8)),
            "bye?"
        ),
        (HTTP2Frames.frame(type: 0, stream: 1, [UInt8](repeating: 1, count: 20_000)), ""),
    ])
    func saysHowHTTP2Broke(frames: [UInt8], words: String) throws {
        guard case .http2(let reason) = try http2(HTTP2Frames.settings + frames).failure else {
            Issue.record("it was read")
            return
        }
        #expect(words.isEmpty || reason.contains(words), "\(reason)")
        #expect(!reason.isEmpty)
    }

    /// A server that takes no more requests may still finish this one (RFC 9113 section 6.8).
    @Test func waitsForAnAnswerBehindAGoodbye() throws {
        let goodbye = HTTP2Frames.frame(type: 7, stream: 0, [0, 0, 0, 1, 0, 0, 0, 0])
        let answer = HTTP2Frames.answer(status: 0x88, "hello").dropFirst(
            HTTP2Frames.settings.count)
        let exchange = try http2(HTTP2Frames.settings + goodbye + answer)
        expectEqual(exchange.body, Array("hello".utf8))
    }

    @Test func saysThatTheServerWentAwayInHTTP2() throws {
        try expectEqual(http2(HTTP2Frames.settings).failure, .closed(.head, missing: nil))
    }

    @Test func demandsThatHTTP2IsChosen() throws {
        let certificates = try ClientCertificates()
        let server = try FaultServer(tls: certificates.settings()) { _ in .http("200 OK") }
        var request = certificates.request(server)
        request.security.offer.protocols = [.http2, .http11]
        let exchange = try client(server).fetch(request)
        #expect(exchange.status == 200 && !exchange.isHTTP2)
    }

    @Test func sayThatThereWasANUL() throws {
        for (value, hasNUL) in [("a\0b", true), ("ab", false)] {
            let server = try FaultServer(tls: nil) { _ in .http("200 OK", ["X: \(value)"]) }
            let exchange = try client(server).fetch(plain(server))
            expectEqual(exchange.head?.hasNUL, hasNUL)
        }
    }

    @Test func aPeerThatNeverStopsHasItsTime() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        let trailers = String(repeating: "a: b\r\n", count: 10_000)
        #expect(
            try waited(for: .endless(head: Array(head.utf8), Array(trailers.utf8)), in: .body))
    }
}
