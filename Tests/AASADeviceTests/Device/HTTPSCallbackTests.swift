import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct HTTPSCallbackTests: DeviceSuite {
    private func obstacle(_ era: Era, _ domains: [String]) throws -> String? {
        let callback = try #require(HTTPSCallback("https://example.com/done"))
        let (played, _) = Self.play(era, domains, [Self.answer(200, Self.document)])
        return callback.obstacle(domains.map { EntitlementEntry($0) }, played)
    }

    @Test func needsWebcredentialsForItsHost() throws {
        try expectEqual(
            obstacle(.ios14, ["applinks:example.com"])?.contains("it for applinks only"), true
        )
        try expectEqual(obstacle(.ios14, ["webcredentials:a.de"])?.contains("for no service"), true)
        try expectEqual(
            obstacle(.ios13, ["webcredentials:example.com"])?.contains("iOS 17.4"), true)
    }

    @Test(arguments: ["http://example.com/a", "myapp://done", "/done", ""])
    func isAnAddressOfHTTPS(_ text: String) {
        #expect(HTTPSCallback(text) == nil)
    }

    @Test func saysSoInWords() throws {
        let callback = try #require(HTTPSCallback("https://example.com/done"))
        expectEqual(callback.sentence(nil), "callback https://example.com/done: returns to the app")
        #expect(callback.sentence("why").hasSuffix("does not return to the app: why"))
        expectEqual(callback.json("why")["works"]?.bool, false)
    }
}
