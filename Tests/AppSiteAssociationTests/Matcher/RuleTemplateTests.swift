import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct RuleTemplateTests {
    /// Patterns of defaults are compiled once, and count for every rule that does not set its own.
    @Test func inheritedPatternsHoldForEveryRule() throws {
        let text = ##"""
            {"applinks": {"defaults": {"/": "/a/*", "?": {"q": "1"}}, "details": [
              {"appIDs": ["A.a"], "components": [{"#": "x"}, {"#": "y"}, {"/": "/b", "?": "*"}]},
              {"appIDs": ["A.b"], "defaults": {"/": "/c"}, "components": [
                {"#": "x"}, {"#": "Y", "caseSensitive": false}]}]}}
            """##
        let association = CompiledAssociation(
            AssociationFile(document: try JSONReader.read(text: text)))
        func opened(_ url: String) -> [String] {
            (association.decide(url: url) ?? []).filter { $0.decision == .match }.map(\.app)
        }
        expectEqual(opened("/a/1?q=1#x"), ["A.a"])
        expectEqual(opened("/a/1?q=1#y"), ["A.a"])
        expectEqual(opened("/a/1?q=2#y"), [])
        expectEqual(opened("/b"), ["A.a"])
        expectEqual(opened("/c?q=1#x"), ["A.b"])
        expectEqual(opened("/C?q=1#y"), ["A.b"])
        expectEqual(opened("/C?q=1#x"), [])
    }

    private func association(_ text: String) throws -> CompiledAssociation {
        CompiledAssociation(try AssociationFile(reading: SourceText(name: "test", text: text)))
    }

    @Test func anEntryWithoutAnyListTakesEverything() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one"}, {"appID": "A.two", "components": []}]}}
            """)
        let answers = try #require(association.decide(url: "https://example.com/x"))
        expectEqual(answers.map(\.decision), [.match, .none])
        expectEqual(answers.first?.rule?.rule, .everything)
    }

    /// The rule of a component with a value of `?`, and how many problems its file has.
    private func rule(query: String) throws -> (Rule?, problems: Int) {
        let text =
            #"{"applinks": {"details": [{"appIDs": ["A.a"], "components": [{"?": \#(query)}]}]}}"#
        let file = try AssociationFile(reading: SourceText(name: "test", text: text))
        return (LinkEntry.all(of: file.applinks).first?.rules.first, file.problems.count)
    }

    @Test func keepsItemsWhoseNamesAreComposedOtherwise() throws {
        let query = "{\"\u{E9}\": \"1\", \"e\u{301}\": \"2\", \"\u{E9}\": \"3\"}"
        guard case .items(let items) = try rule(query: query).0?.query else {
            Issue.record("no items")
            return
        }
        expectEqual(items.map(\.pattern.source), ["3", "2"])
    }

    @Test(arguments: [#"{"a": "1", "b": true}"#, "5", "null", "[]"])
    func dropsAQueryWithAValueThatIsNoString(_ query: String) throws {
        let (rule, problems) = try rule(query: query)
        #expect(rule != nil && rule?.query == nil)
        expectEqual(problems, 1)
    }
}
