import AppSiteAssociation
import OpenSSL
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
        #expect(problem.kind == .compound)
        #expect(problem.cause.kind == .caa)
        #expect(problem.names == ["a.test"])
        #expect(!problem.description.unicodeScalars.contains("\u{1B}"))
        #expect(ProblemDocument(try json("{}")).kind == .other)
        #expect(AuthorityResponse(status: 429).problem.kind == .rateLimited)
    }
}
