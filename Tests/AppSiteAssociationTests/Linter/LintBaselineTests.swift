import AppSiteAssociation
import TestSupport
import Testing

// Covers: Fingerprints.swift

@Suite struct LintBaselineTests {
    private func lint(_ text: String) -> [Diagnostic] {
        Linter.lint(SourceText(name: "x.json", text: text))
    }

    @Test func onlyNewFindingsAreReported() throws {
        let before = lint("{\"webcredentials\": {\"apps\": [\"bad\", \"bad2.x\"]}}")
        let file = LintBaseline.file(of: before)
        let document = try JSONReader.read(SourceText(name: "baseline", bytes: file))
        let baseline = try #require(LintBaseline(document))
        let same = baseline.apply(to: before)
        #expect(same.new == [] && same.known == before.count && same.gone == 0)
        // Lines move, a finding comes, one goes.
        let after = lint("\n\n{\"webcredentials\": {\"apps\": [\"bad\", \"\"]}}")
        let result = baseline.apply(to: after)
        expectEqual(result.new.map(\.code), ["app-id-empty"])
        #expect(result.known == 1 && result.gone == 1)
    }

    @Test func otherDocumentsAreNoBaseline() throws {
        #expect(LintBaseline(try JSONReader.read(text: "{}")) == nil)
    }
}
