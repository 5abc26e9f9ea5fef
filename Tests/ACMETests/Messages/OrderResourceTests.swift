import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct OrderResourceTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test func `Directories, orders and challenges are read strictly`() throws {
        let good =
            #"{"newNonce":"https://a/n","newAccount":"https://a/a","newOrder":"https://a/o"}"#
        #expect(throws: Never.self) { try Directory(json(good), url: "https://a/d") }
        #expect(throws: InvalidResponse.self) {
            try Directory(
                json(good.replacing("https://a/o", with: "http://a/o")), url: "https://a/d")
        }
        let challenge = #"{"type":"http-01","url":"https://a/c","token":"../../../etc/passwd"}"#
        #expect(throws: InvalidResponse.self) {
            try ChallengeResource(json(challenge), origin: "https://a/d")
        }
        #expect(
            try ChallengeResource(json(#"{"type":"dns-01"}"#), origin: "https://a/d") == nil)
    }
}
