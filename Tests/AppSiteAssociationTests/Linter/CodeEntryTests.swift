import Testing

@testable import AppSiteAssociation

@Suite struct CodeEntryTests {
    @Test func aRulesEntryHasItsWords() throws {
        let rule = try #require(RuleCatalog.rule("json-html"))
        let entry = CodeEntry(rule)
        #expect(entry.code == "json-html" && entry.severity == rule.severity)
        #expect(entry.title == rule.title && entry.why == rule.explanation)
        #expect(entry.remedy == rule.remedy)
        let family = CodeEntry.Family("JSON", [entry])
        #expect(family.name == "JSON" && family.entries.map(\.code) == ["json-html"])
    }
}
