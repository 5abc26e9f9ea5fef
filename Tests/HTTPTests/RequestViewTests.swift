import Testing

@testable import HTTP

@Suite struct RequestViewTests {
    /// What is done with a message that is not as it should be.
    enum Consequence: Sendable {
        /// Nothing is said: no reading of it is safe.
        case closed
        /// 400, whatever was asked for.
        case malformed
        /// Answered as if nothing were wrong, and closed behind it.
        case answered
    }

    private static let line = "GET / HTTP/1.1\r\n"
    private static let host = line + "Host: a\r\n"

    /// For every reason the shortest message that has it, and what RFC 9112 wants.
    static let examples: [(RejectReason, String, Consequence)] = [
        (.requestLineTooLong, "GET /" + String(repeating: "a", count: 70_000), .closed),
        (.emptyLines, "\r\n\r\n\r\n" + host, .closed),
        (.invalidMethod, "G(T / HTTP/1.1\r\n", .closed),
        (.invalidTarget, "GET a HTTP/1.1\r\n", .closed),
        (.invalidVersion, "GET / HTTP/1\r\n", .closed),
        (.unsupportedVersion, "GET / HTTP/2.0\r\n", .closed),
        (.bareLineFeed, line + "Host: a\n\n", .closed),
        (.bareCarriageReturn, line + "Host: a\rb\r\n", .closed),
        (.controlOctet, line + "Host: a\u{1}\r\n", .closed),
        (.foldedField, host + " b\r\n", .closed),
        (.spaceBeforeColon, line + "Host : a\r\n", .closed),
        (.invalidFieldName, line + "Ho(st: a\r\n", .closed),
        (.missingHost, line, .malformed),
        (.invalidHost, line + "Host: a/b\r\n", .malformed),
        (.duplicateHost, host + "Host: b\r\n", .malformed),
        (.headTooLarge, host + "A: " + String(repeating: "b", count: 70_000), .answered),
        (.tooManyFields, host + String(repeating: "A: b\r\n", count: 64), .answered),
        (
            .targetTooLong,
            "GET /" + String(repeating: "a", count: 2048) + " HTTP/1.1\r\nHost: a\r\n", .answered
        ),
        (.body, host + "Content-Length: 1\r\n", .answered),
        (.transferEncoding, host + "Transfer-Encoding: chunked\r\n", .answered),
        (.invalidContentLength, host + "Content-Length: +1\r\n", .answered),
        (.duplicateContentLength, host + "Content-Length: 1\r\nContent-Length: 1\r\n", .answered),
        (
            .contentLengthAndTransferEncoding,
            host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", .answered
        ),
    ]

    @Test(arguments: examples)
    func `Each fault has its consequence`(
        reason: RejectReason, text: String, consequence: Consequence
    ) {
        let outcome = parseOnce(text + "\r\n")
        switch consequence {
        case .closed:
            #expect(outcome == .reject(reason))
            #expect(!reason.isAnswered && !reason.isMalformed)
        case .malformed, .answered:
            #expect(outcome.request?.fault == reason)
            #expect(outcome.request?.wantsClose == true, "what follows is not read")
            #expect(reason.isAnswered)
            #expect(reason.isMalformed == (consequence == .malformed))
        }
    }

    @Test func `No fault is without an example`() {
        #expect(Self.examples.map(\.0) == RejectReason.allCases)
    }
}
