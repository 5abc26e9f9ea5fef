import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalInfoTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(text: text).root }

    @Test func `Renewal windows, and what is none`() throws {
        let window = try RenewalInfo(
            json(
                #"{"suggestedWindow":{"start":"2026-01-02T04:00:00Z","end":"2026-01-03T04:00:00Z"}}"#
            ))
        expectEqual(window.end - window.start, 86_400)
        #expect(throws: InvalidResponse.self) {
            try RenewalInfo(
                json(
                    #"{"suggestedWindow":{"start":"2026-01-02T04:00:00Z","end":"2026-01-02T04:00:00Z"}}"#
                ))
        }
    }
}
