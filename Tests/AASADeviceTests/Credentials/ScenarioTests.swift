import AASAClient
import AASADevice
import AppSiteAssociation
import Testing

/// Apple's four workflows, word for word.
@Suite struct ScenarioTests {
    private static let app = "D3KQX62K1A.com.example.app"

    /// Plays a story against answers with these statuses, the last one for ever.
    private static func play(
        _ story: String, statuses: [Int] = [200]
    ) throws -> (lines: [String], isGood: Bool) {
        let document = try JSONReader.read(SourceText(name: "story", text: story))
        let scenario = try Scenario(document)
        var left = statuses
        var settings = Device.Settings(app: scenario.app, era: scenario.era)
        settings.cdn = .played
        let domains = AssociatedDomains(
            scenario.entries, settings, resolver: Resolver(),
            signatures: { _, _ in SignedDocument(payload: [], problem: "not signed") },
            chance: { 0 },
            ask: { request in
                var exchange = ClientExchange(request: request)
                let status = left.count > 1 ? left.removeFirst() : left[0]
                exchange.head = ResponseHead(
                    lines: ["HTTP/1.1 \(status)"], status: status, reason: "", fields: [])
                exchange.body = Array("{\"webcredentials\":{\"apps\":[\"\(app)\"]}}".utf8)
                return exchange
            })
        var rehearsal = Rehearsal(
            scenario, domains: domains, makePassword: { "abc-def-ghi-jkm" })
        rehearsal.run()
        return (rehearsal.lines, rehearsal.isGood)
    }

    private static func story(_ rest: String, era: String = "ios13") -> String {
        """
        {"app": "\(app)", "domains": ["webcredentials:example.com"], "era": "\(era)",
         "accounts": [{"account": "ada", "password": "lovelace"}], \(rest)}
        """
    }

    /// A misspelt word would play another story: each is an error that names its place.
    @Test(arguments: [
        ("{\"do\": \"request\", \"user\": {\"cancels\": true}}", "cancels"),
        ("{\"do\": \"request\", \"expects\": \"found\"}", "expects"),
        ("{\"do\": \"request\", \"expect\": \"fuond\"}", "fuond"),
        ("{\"do\": \"request\", \"password\": \"x\"}", "password"),
        ("{\"do\": \"request\", \"user\": {\"allows\": \"no\"}}", "no"),
        ("{\"do\": \"request\", \"user\": {\"answers\": [\"yes\"]}}", "yes"),
        ("{\"do\": \"request\", \"user\": {\"allows\": true, \"picks\": \"a\"}}", "allows"),
        ("{\"do\": \"wait\", \"hours\": 1, \"days\": 1}", "wait"),
        ("{\"do\": \"wait\", \"weeks\": 1}", "weeks"),
        ("{\"do\": \"change-site\", \"status\": 99}", "99"),
        ("{\"do\": \"add\", \"account\": 5}", "5"),
    ])
    func misspeltWordsAreErrors(step: String, place: String) throws {
        let text = Self.story("\"steps\": [\(step)]")
        let document = try JSONReader.read(SourceText(name: "story", text: text))
        do throws(ScenarioError) {
            _ = try Scenario(document)
            Issue.record("\(step) was taken")
        } catch {
            #expect(document.text(in: error.range).contains(place), "\(error.message)")
        }
        let root = Self.story("\"stepps\": [], \"steps\": []")
        #expect(throws: ScenarioError.self) {
            try Scenario(JSONReader.read(SourceText(name: "story", text: root)))
        }
    }

    @Test(arguments: [
        "[]", "{}", "{\"app\": \"x\"}", "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"]}",
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [{}]}",
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [{\"do\": \"add\"}]}",
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"era\": \"ios7\", \"steps\": "
            + "[]}",
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [{\"do\": "
            + "\"wait\"}]}",
    ])
    func saysWhatIsWrongWithAStory(_ story: String) throws {
        let document = try JSONReader.read(SourceText(name: "story", text: story))
        #expect(throws: ScenarioError.self) { try Scenario(document) }
    }
}
