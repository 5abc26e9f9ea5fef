import AppSiteAssociation
import Testing

@testable import AASADevice

@Suite struct ScenarioShapeTests {
    /// What is wrong, and the text that it is said about.
    private static func problem(_ text: String) throws -> (String, String)? {
        let document = try JSONReader.read(SourceText(name: "story", text: text))
        do throws(ScenarioError) {
            try ScenarioShape.check(document.root)
            return nil
        } catch {
            return (error.message, document.text(in: error.range))
        }
    }

    private static func story(_ step: String, _ more: String = "") -> String {
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [\(step)]\(more)}"
    }

    private static func step(_ more: String) -> String {
        story("{\"do\": \"change-site\"\(more)}")
    }

    @Test(arguments: [
        story(""), story("{\"do\": \"relaunch\"}"), step(", \"status\": 100"),
        step(", \"status\": 599"), step(", \"document\": {}"), step(", \"comment\": [1]"),
        story("", ", \"$schema\": \"x\""), story("", ", \"era\": \"ios9.3\""),
        story("", ", \"accounts\": [{\"account\": \"a\", \"password\": \"p\"}]"),
        story("{\"do\": \"request\", \"user\": {\"answers\": [\"allows\", {\"picks\": \"a\"}]}}"),
    ])
    func takesWhatIsRight(text: String) throws {
        #expect(try Self.problem(text) == nil)
    }

    /// Each message names what is wanted and stands where the fault is.
    @Test(arguments: [
        ("[]", "a scenario is an object, not", "[]"),
        ("{\"app\": 1}", "\"app\" needs a text", "1"),
        ("{\"app\": \"x\", \"app\": \"y\"}", "\"app\" is written twice", "\"app\""),
        ("{\"apps\": 1}", "a scenario has no \"apps\"; its keys are", "\"apps\""),
        (
            "{\"app\": \"x\", \"steps\": []}", "a scenario needs \"domains\"",
            "{\"app\": \"x\", \"steps\": []}"
        ),
        (story("", ", \"era\": \"ios7\""), "\"era\" is one of ios8", "\"ios7\""),
        (story("", ", \"safari\": {}"), "\"safari\" needs a list", "{}"),
        (story("", ", \"safari\": [1]"), "an entry of \"safari\" is an object", "1"),
        (
            story("", ", \"safari\": [{\"account\": \"a\"}]"), "needs \"password\"",
            "{\"account\": \"a\"}"
        ),
        (story("{}"), "\"do\" is missing", "{}"),
        (story("{\"do\": \"fly\"}"), "\"do\" is \"fly\"; it is one of log-in", "\"fly\""),
        (story("{\"do\": \"add\"}"), "the step add needs \"account\"", "{\"do\": \"add\"}"),
        (story("{\"do\": \"relaunch\", \"site\": \"x\"}"), "relaunch has no \"site\"", "\"site\""),
        (
            story("{\"do\": \"delete-app\", \"expect\": \"found\"}"),
            "delete-app never ends so; \"expect\" is one of no-app", "\"found\""
        ),
        (step(", \"status\": 99"), "\"status\" needs a number from 100 to 599", "99"),
        (step(", \"status\": 600"), "\"status\" needs a number from 100 to 599", "600"),
        (step(", \"status\": \"200\""), "\"status\" needs a number", "\"200\""),
        (step(", \"document\": []"), "\"document\" needs an object", "[]"),
        (
            story("{\"do\": \"request\", \"user\": {\"allows\": \"no\"}}"),
            "\"allows\" needs true or false", "\"no\""
        ),
        (
            story("{\"do\": \"request\", \"user\": {\"answers\": [\"yes\"]}}"),
            "is \"allows\", \"declines\" or {\"picks\": …}", "\"yes\""
        ),
        (
            story("{\"do\": \"request\", \"user\": {\"answers\": [{\"allows\": true}]}}"),
            "has no \"allows\"; its keys are picks", "\"allows\""
        ),
    ])
    func saysWhatIsWrongAndWhere(text: String, message: String, place: String) throws {
        let problem = try #require(try Self.problem(text))
        #expect(problem.0.contains(message), "\(problem.0)")
        #expect(problem.1 == place)
    }
}
