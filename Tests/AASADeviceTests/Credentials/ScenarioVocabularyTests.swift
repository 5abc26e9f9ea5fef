// Covers: ScenarioShape.swift, ScenarioSchema.swift

import AASADevice
import AppSiteAssociation
import Testing

/// Help, schema and reader know the same words.
@Suite struct ScenarioVocabularyTests {
    @Test func helpNamesEveryWord() {
        let help = ScenarioVocabulary.help
        for key in ScenarioVocabulary.root + ScenarioVocabulary.user where key.name != "$schema" {
            #expect(key.name == "comment" || help.contains("  \(key.name) "), "\(key.name)")
        }
        for verb in ScenarioVocabulary.verbs {
            #expect(help.contains("  \(verb.name) "))
            for outcome in verb.outcomes { #expect(help.contains(outcome)) }
        }
    }

    @Test func schemaNamesEveryStepAndAllowsNothingElse() throws {
        let schema = ScenarioVocabulary.schema
        // What is written can be read.
        let text = String(decoding: JSONWriter.indented(schema), as: UTF8.self)
        _ = try JSONReader.read(SourceText(name: "schema", text: text))
        let steps = try #require(schema["$defs"]?["step"]?["oneOf"]?.array)
        #expect(
            steps.map { $0["properties"]?["do"]?["const"]?.string }
                == ScenarioVocabulary.verbs.map(\.name))
        for object in steps + [schema] {
            #expect(object["additionalProperties"]?.bool == false)
        }
        let required = schema["required"]?.array?.compactMap(\.string)
        #expect(required == ["app", "domains", "steps"])
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
