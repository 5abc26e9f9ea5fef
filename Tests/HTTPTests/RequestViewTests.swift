import TestSupport
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
        (.unreadable, "G(T / HTTP/1.1\r\n", .unclear),
        (.requestLineTooLong, "GET /" + String(repeating: "a", count: 70_000), .unclear),
        (.invalidHost, line + "Host: a/b\r\n", .malformed),
        (.headTooLarge, host + "A: " + String(repeating: "b", count: 70_000), .answered),
        (.overLimit, host + String(repeating: "A: b\r\n", count: 64), .answered),
        (.content, host + "Content-Length: 1\r\n", .answered),
    ]

    @Test(arguments: examples)
    func `Each fault has its consequence`(
        reason: RejectReason, text: String, consequence: Consequence
    ) {
        let outcome = parseOnce(text + "\r\n")
        switch consequence {
        case .unclear:
            expectEqual(outcome, .reject(reason))
            #expect(!reason.isAnswered)
        case .malformed, .answered:
            expectEqual(outcome.request?.fault, reason)
            expectEqual(outcome.request?.wantsClose, true, "what follows is not read")
            expectEqual(reason.isAnswered, (consequence == .answered))
        }
    }

    @Test func `No fault is without an example`() {
        expectEqual(Self.examples.map(\.0), RejectReason.allCases)
    }
}
