import AASADevice
import AppSiteAssociation
import Testing

/// Help and reader know the same words.
@Suite struct ScenarioVocabularyTests {
    @Test func helpNamesEveryWord() {
        let help = ScenarioVocabulary.help
        for key in ScenarioVocabulary.root + ScenarioVocabulary.user where key.key != "$schema" {
            #expect(key.key == "comment" || help.contains("  \(key.key) "), "\(key.key)")
        }
        for verb in ScenarioVocabulary.verbs {
            #expect(help.contains("  \(verb.name) "))
            for outcome in verb.outcomes { #expect(help.contains(outcome)) }
        }
    }

    /// Every outcome that the help names can be written into a story.
    @Test func everyOutcomeCanBeExpected() throws {
        for verb in ScenarioVocabulary.verbs {
            for outcome in verb.outcomes {
                let needs =
                    [
                        "create-account", "change-password", "delete-account", "add",
                    ].contains(verb.name) ? ", \"account\": \"a\"" : ""
                let time = verb.name == "wait" ? ", \"hours\": 1" : ""
                let text = """
                    {"app": "x", "domains": ["webcredentials:e.com"], "steps":
                     [{"do": "\(verb.name)", "expect": "\(outcome)"\(needs)\(time)}]}
                    """
                let document = try JSONReader.read(SourceText(name: "story", text: text))
                #expect(throws: Never.self, "\(verb.name) \(outcome)") { try Scenario(document) }
            }
        }
    }

    /// A word that is not known would change the scenario.
    @Test(arguments: [
        "{}", "{\"app\": \"x\"}", "[]", story("{}"), story("{\"do\": \"fly\"}"),
        story("{\"do\": \"request\", \"expects\": \"found\"}"),
        story("{\"do\": \"request\", \"expect\": \"fuond\"}"),
        story("{\"do\": \"request\", \"user\": {\"cancels\": true}}"),
        story("{\"do\": \"request\", \"user\": {\"allows\": \"no\"}}"),
        story("{\"do\": \"request\", \"user\": {\"answers\": [\"yes\"]}}"),
        story("{\"do\": \"wait\", \"weeks\": 1}"),
        story("{\"do\": \"change-site\", \"status\": 99}"),
        story("{\"do\": \"add\", \"account\": 5}"),
        story("{\"do\": \"request\"}", more: ", \"stepps\": []"),
        story("{\"do\": \"request\"}", more: ", \"era\": \"ios7\""),
    ])
    func theReaderRefusesOtherWords(text: String) throws {
        let document = try JSONReader.read(SourceText(name: "story", text: text))
        #expect(throws: ScenarioError.self) { try Scenario(document) }
    }

    @Test(arguments: [
        story("{\"do\": \"request\"}"),
        story("{\"do\": \"request\", \"user\": {\"answers\": [\"allows\", {\"picks\": \"a\"}]}}"),
        story(
            "{\"do\": \"change-site\", \"document\": {\"webcredentials\": {\"apps\": []}}}",
            more: ", \"era\": \"ios9.3\", \"comment\": \"a word\""),
    ])
    func theReaderTakesWhatTheHelpNames(text: String) throws {
        let document = try JSONReader.read(SourceText(name: "story", text: text))
        #expect(throws: Never.self) { try Scenario(document) }
    }

    private static func story(_ step: String, more: String = "") -> String {
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [\(step)]\(more)}"
    }
}
