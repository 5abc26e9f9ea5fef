import AASAClient
import AASADevice
import AppSiteAssociation
import Testing

@Suite struct ScenarioTests: RehearsalSuite {
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
