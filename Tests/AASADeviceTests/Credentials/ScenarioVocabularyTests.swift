import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

/// Help and reader know the same words: the help is what is read.
@Suite struct ScenarioVocabularyTests {
    @Test func theHelpIsRead() {
        let verbs = ScenarioVocabulary.verbs
        expectEqual(verbs.count, 13)
        for verb in verbs {
            #expect(Scenario.Action(rawValue: verb.name) != nil, "\(verb.name)")
            #expect(!verb.outcomes.isEmpty, "\(verb.name)")
        }
        expectEqual(verbs.first?.outcomes.first, "logged-in")
        #expect(ScenarioVocabulary.help.hasSuffix("no-app"))
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
