import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct ProblemDocumentTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test func `Problems keep the authority's words, cleaned`() throws {
        let problem = ProblemDocument(
            try json(
                #"""
                {"type":"urn:ietf:params:acme:error:compound","detail":"several\u001b[31m",
                 "subproblems":[{"type":"urn:ietf:params:acme:error:caa","detail":"no",
                 "identifier":{"type":"dns","value":"a.test"}}]}
                """#))
        expectEqual(problem.kind, .compound)
        expectEqual(problem.cause.kind, .caa)
        expectEqual(problem.names, ["a.test"])
        #expect(!problem.description.unicodeScalars.contains("\u{1B}"))
        expectEqual(ProblemDocument(try json("{}")).kind, .other)
        expectEqual(AuthorityResponse(status: 429).problem.kind, .rateLimited)
    }

    @Test func `Refused names come from subproblems or from quotes`() {
        let order = ["a.test", "www.a.test"]
        func names(_ problem: ProblemDocument) -> [String] { problem.refusedNames(of: order) }
        expectEqual(
            names(ProblemDocument(.rejectedIdentifier, "Cannot issue for \"WWW.a.test\": no")),
            ["www.a.test"])
        expectEqual(names(ProblemDocument(.rejectedIdentifier, "Cannot issue for a.test")), [])
        expectEqual(
            names(
                ProblemDocument(
                    .caa, "several",
                    subproblems: [
                        ProblemDocument(.caa, "no", identifier: "a.test"),
                        ProblemDocument(.caa, "no", identifier: "elsewhere.test"),
                    ])), ["a.test"])
        // The limit of a domain is not the fault of a name.
        expectEqual(names(ProblemDocument(.rateLimited, "too many for \"a.test\"")), [])
    }
}
