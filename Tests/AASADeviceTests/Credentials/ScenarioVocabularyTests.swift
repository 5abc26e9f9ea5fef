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
}
