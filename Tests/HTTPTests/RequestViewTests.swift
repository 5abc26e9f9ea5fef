import Testing

@testable import HTTP

@Suite struct RequestViewTests {
    /// What is done with a message that is not as it should be.
    enum Consequence: Sendable {
        /// No reading of it is safe: an error, and closed behind it.
        case unclear
        /// Its host is not clear: an error, and closed behind it.
        case malformed
        /// Answered as if nothing were wrong, and closed behind it.
        case answered
    }

    private static let line = "GET / HTTP/1.1\r\n"
    private static let host = line + "Host: a\r\n"

    /// For every reason the shortest message that has it, and what RFC 9112 wants.
    static let examples: [(RejectReason, String, Consequence)] = [
        (.requestLineTooLong, "GET /" + String(repeating: "a", count: 70_000), .unclear),
        (.emptyLines, "\r\n\r\n\r\n" + host, .unclear),
        (.invalidMethod, "G(T / HTTP/1.1\r\n", .unclear),
        (.invalidTarget, "GET a HTTP/1.1\r\n", .unclear),
        (.invalidVersion, "GET / HTTP/1\r\n", .unclear),
        (.unsupportedVersion, "GET / HTTP/2.0\r\n", .unclear),
        (.bareLineFeed, line + "Host: a\n\n", .unclear),
        (.bareCarriageReturn, line + "Host: a\rb\r\n", .unclear),
        (.controlOctet, line + "Host: a\u{1}\r\n", .unclear),
        (.foldedField, host + " b\r\n", .unclear),
        (.spaceBeforeColon, line + "Host : a\r\n", .unclear),
        (.invalidFieldName, line + "Ho(st: a\r\n", .unclear),
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
        case .unclear:
            #expect(outcome == .reject(reason))
            #expect(!reason.isAnswered)
        case .malformed, .answered:
            #expect(outcome.request?.fault == reason)
            #expect(outcome.request?.wantsClose == true, "what follows is not read")
            #expect(reason.isAnswered == (consequence == .answered))
        }
    }

    @Test func `No fault is without an example`() {
        #expect(Self.examples.map(\.0) == RejectReason.allCases)
    }
}
