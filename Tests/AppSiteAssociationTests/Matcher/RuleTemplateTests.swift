import AppSiteAssociation
import TestSupport
import Testing

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
        #expect(opened("/a/1?q=1#x") == ["A.a"])
        #expect(opened("/a/1?q=1#y") == ["A.a"])
        #expect(opened("/a/1?q=2#y") == [])
        #expect(opened("/b") == ["A.a"])
        #expect(opened("/c?q=1#x") == ["A.b"])
        #expect(opened("/C?q=1#y") == ["A.b"])
        #expect(opened("/C?q=1#x") == [])
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
        #expect(answers.map(\.decision) == [.match, .none])
        #expect(answers.first?.rule?.rule == .everything)
    }
}
