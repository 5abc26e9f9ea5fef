// Covers: Timestamp.swift, ProblemDocument.swift, Directory.swift, OrderResource.swift
// Covers: RenewalInfo.swift, ServerAnswer.swift

import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct MessageTests {
    @Test func `Moments as authorities write them`() {
        #expect(Timestamp.rfc3339("1970-01-01T00:00:00Z") == 0)
        #expect(Timestamp.rfc3339("2026-11-22T07:30:00.123+01:00") == 1_795_329_000)
        #expect(Timestamp.rfc3339("2026-02-29T00:00:00Z") == nil)
        #expect(Timestamp.rfc3339("2024-02-29T00:00:00Z") == 1_709_164_800)
        for bad in ["", "2026-11-22", "2026-11-22T25:00:00Z", "2026-11-22T00:00:00", "x"] {
            #expect(Timestamp.rfc3339(bad) == nil, "\(bad)")
        }
        #expect(Timestamp.httpDate("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(Timestamp.retryAfter("120", now: 5) == 120)
        #expect(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == 7)
        #expect(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_800) == 0)
        #expect(Timestamp.retryAfter("soon", now: 0) == nil)
        #expect(Timestamp.retryAfter("-5", now: 0) == nil)
    }

    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test func `Problems keep the authority's words, cleaned`() throws {
        let problem = ProblemDocument(
            try json(
                #"""
                {"type":"urn:ietf:params:acme:error:compound","detail":"several\u001b[31m",
                 "subproblems":[{"type":"urn:ietf:params:acme:error:caa","detail":"no",
                 "identifier":{"type":"dns","value":"a.test"}}]}
                """#))
        #expect(problem.kind == .compound)
        #expect(problem.cause.kind == .caa)
        #expect(problem.names == ["a.test"])
        #expect(!problem.description.unicodeScalars.contains("\u{1B}"))
        #expect(ProblemDocument(try json("{}")).kind == .other)
        #expect(ServerAnswer(status: 429).problem.kind == .rateLimited)
    }

    @Test func `Directories, orders and challenges are read strictly`() throws {
        let good =
            #"{"newNonce":"https://a/n","newAccount":"https://a/a","newOrder":"https://a/o"}"#
        #expect(throws: Never.self) { try Directory(json(good), url: "https://a/d") }
        #expect(throws: MalformedAnswer.self) {
            try Directory(
                json(good.replacing("https://a/o", with: "http://a/o")), url: "https://a/d")
        }
        let challenge = #"{"type":"http-01","url":"https://a/c","token":"../../../etc/passwd"}"#
        #expect(throws: MalformedAnswer.self) {
            try ChallengeResource(json(challenge), origin: "https://a/d")
        }
        #expect(
            try ChallengeResource(json(#"{"type":"dns-01"}"#), origin: "https://a/d") == nil)
    }

    @Test func `Renewal windows, and what is none`() throws {
        let window = try RenewalInfo(
            json(
                #"{"suggestedWindow":{"start":"2026-01-02T04:00:00Z","end":"2026-01-03T04:00:00Z"}}"#
            ))
        #expect(window.end - window.start == 86_400)
        #expect(throws: MalformedAnswer.self) {
            try RenewalInfo(
                json(
                    #"{"suggestedWindow":{"start":"2026-01-02T04:00:00Z","end":"2026-01-02T04:00:00Z"}}"#
                ))
        }
    }
}
