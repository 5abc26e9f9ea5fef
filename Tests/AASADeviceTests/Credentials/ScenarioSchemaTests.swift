import AASADevice
import AppSiteAssociation
import Testing

@Suite struct ScenarioSchemaTests {
    private static func problems(_ text: String) throws -> [String] {
        let value = try JSONReader.read(SourceText(name: "story", text: text)).root
        return SchemaValidator.problems(value, ScenarioVocabulary.schema)
    }

    private static func story(_ step: String, _ more: String = "") -> String {
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [\(step)]\(more)}"
    }

    @Test func namesEveryStepAndAllowsNothingElse() throws {
        let schema = ScenarioVocabulary.schema
        // What is written can be read.
        let text = String(decoding: JSONWriter.indented(schema), as: UTF8.self)
        _ = try JSONReader.read(SourceText(name: "schema", text: text))
        let steps = try #require(schema["$defs"]?["step"]?["oneOf"]?.array)
        #expect(
            steps.map { $0["properties"]?["do"]?["const"]?.string }
                == ScenarioVocabulary.verbs.map(\.name))
        for (step, verb) in zip(steps, ScenarioVocabulary.verbs) {
            #expect(step["description"]?.string == verb.meaning)
            let outcomes = step["properties"]?["expect"]?["enum"]?.array
            #expect(outcomes?.compactMap(\.string) == verb.outcomes)
            #expect(step["required"]?.array?.first?.string == "do")
        }
        for object in steps + [schema] {
            #expect(object["additionalProperties"]?.bool == false)
        }
        let required = schema["required"]?.array?.compactMap(\.string)
        #expect(required == ["app", "domains", "steps"])
        for key in ScenarioVocabulary.root {
            #expect(schema["properties"]?[key.name]?["description"]?.string == key.meaning)
        }
    }

    /// Bounds, words and kinds, just inside and just outside.
    @Test(arguments: [
        (story("{\"do\": \"change-site\", \"status\": 100}"), true),
        (story("{\"do\": \"change-site\", \"status\": 99}"), false),
        (story("{\"do\": \"change-site\", \"status\": 599}"), true),
        (story("{\"do\": \"change-site\", \"status\": 600}"), false),
        (story("{\"do\": \"wait\", \"days\": 365}"), true),
        (story("{\"do\": \"wait\", \"days\": 366}"), false),
        (story("{\"do\": \"wait\", \"days\": \"1\"}"), false),
        (story("{\"do\": \"change-site\", \"document\": {\"a\": 1}}"), true),
        (story("{\"do\": \"change-site\", \"document\": []}"), false),
        (story("{\"do\": \"request\", \"user\": {\"allows\": true}}"), true),
        (story("{\"do\": \"request\", \"user\": {\"allows\": 1}}"), false),
        (story("{\"do\": \"request\", \"user\": {\"answers\": [{\"picks\": \"a\"}]}}"), true),
        (story("{\"do\": \"request\", \"user\": {\"answers\": [{\"allows\": true}]}}"), false),
        (story("{\"do\": \"request\", \"user\": {\"answers\": [{}]}}"), false),
        (story("", ", \"era\": \"ios8\""), true), (story("", ", \"era\": \"ios08\""), false),
        (story("", ", \"safari\": [{\"account\": \"a\", \"password\": \"p\"}]"), true),
        (story("", ", \"safari\": [{\"account\": \"a\"}]"), false),
        (story("", ", \"comment\": {\"any\": [1]}"), true),
        (story("{\"do\": \"relaunch\", \"expect\": \"added\"}"), false),
        (story("{\"do\": \"add\", \"account\": \"a\", \"expect\": \"added\"}"), true),
    ])
    func marksWhatIsWrong(text: String, isRight: Bool) throws {
        #expect(try Self.problems(text).isEmpty == isRight)
    }
}
