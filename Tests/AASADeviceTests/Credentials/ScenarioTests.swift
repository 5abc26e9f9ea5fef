import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
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
            #expect(document.source.text(in: error.range).contains(place), "\(error.message)")
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

    // MARK: The vocabulary

    /// What is wrong, and the text that it concerns.
    private static func problem(_ text: String) throws -> (String, String)? {
        let document = try JSONReader.read(SourceText(name: "story", text: text))
        do throws(ScenarioError) {
            _ = try Scenario(document)
            return nil
        } catch {
            return (error.message, document.source.text(in: error.range))
        }
    }

    private static func shape(_ step: String, _ more: String = "") -> String {
        "{\"app\": \"x\", \"domains\": [\"webcredentials:e.com\"], \"steps\": [\(step)]\(more)}"
    }

    private static func step(_ more: String) -> String {
        shape("{\"do\": \"change-site\"\(more)}")
    }

    @Test(arguments: [
        shape(""), shape("{\"do\": \"relaunch\"}"), step(", \"status\": 100"),
        step(", \"status\": 599"), step(", \"document\": {}"), step(", \"comment\": [1]"),
        shape("", ", \"$schema\": \"x\""), shape("", ", \"era\": \"ios9.3\""),
        shape("", ", \"accounts\": [{\"account\": \"a\", \"password\": \"p\"}]"),
        shape("{\"do\": \"request\", \"user\": {\"answers\": [\"allows\", {\"picks\": \"a\"}]}}"),
    ])
    func takesWhatIsRight(text: String) throws {
        #expect(try Self.problem(text) == nil)
    }

    /// Each message names what is wanted and stands where the fault is.
    @Test(arguments: [
        ("[]", "has to be an object", "[]"),
        (
            "{\"app\": 1, \"domains\": [], \"steps\": []}", "\"app\" has to be a string", "1"
        ),
        (shape("", ", \"app\": \"y\""), "\"app\" appears twice", "\"app\""),
        (shape("", ", \"apps\": 1"), "not a member that aasa knows", "\"apps\""),
        (
            "{\"app\": \"x\", \"steps\": []}", "has no \"domains\"",
            "{\"app\": \"x\", \"steps\": []}"
        ),
        (shape("", ", \"era\": \"ios7\""), "\"era\" has to be one of ios8", "\"ios7\""),
        (shape("", ", \"safari\": {}"), "\"safari\" has to be an array", "{}"),
        (shape("", ", \"safari\": [1]"), "an element of \"safari\" has to be an object", "1"),
        (
            shape("", ", \"safari\": [{\"account\": \"a\"}]"), "has no \"password\"",
            "{\"account\": \"a\"}"
        ),
        (shape("{}"), "\"do\" is missing", "{}"),
        (shape("{\"do\": \"fly\"}"), "\"do\" is \"fly\"; it is one of log-in", "\"fly\""),
        (shape("{\"do\": \"add\"}"), "the step add has no \"account\"", "{\"do\": \"add\"}"),
        (
            shape("{\"do\": \"relaunch\", \"site\": \"x\"}"),
            "in the step relaunch is not a member", "\"site\""
        ),
        (
            shape("{\"do\": \"delete-app\", \"expect\": \"found\"}"),
            "\"expect\" has to be one of no-app", "\"found\""
        ),
        (step(", \"status\": 99"), "needs a number from 100 to 599", "99"),
        (step(", \"status\": 600"), "needs a number from 100 to 599", "600"),
        (step(", \"status\": \"200\""), "\"status\" has to be a number", "\"200\""),
        (step(", \"document\": []"), "\"document\" has to be an object", "[]"),
        (
            shape("{\"do\": \"request\", \"user\": {\"allows\": \"no\"}}"),
            "\"allows\" has to be true or false", "\"no\""
        ),
        (
            shape("{\"do\": \"request\", \"user\": {\"answers\": [\"yes\"]}}"),
            "has to be one of allows, declines or an object", "\"yes\""
        ),
        (
            shape("{\"do\": \"request\", \"user\": {\"answers\": [{\"allows\": true}]}}"),
            "\"allows\" in answers is not a member", "\"allows\""
        ),
    ])
    func saysWhatIsWrongAndWhere(text: String, message: String, place: String) throws {
        let problem = try #require(try Self.problem(text))
        #expect(problem.0.contains(message), "\(problem.0)")
        expectEqual(problem.1, place)
    }
}
