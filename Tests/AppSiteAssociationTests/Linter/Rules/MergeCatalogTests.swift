import Testing

@testable import AppSiteAssociation

@Suite struct MergeCatalogTests: MergeSuite {
    @Test func codesAreThoseOfTheMerge() {
        #expect(MergeCatalog.rules.allSatisfy { $0.code.hasPrefix("merge-") })
        #expect(Set(MergeCatalog.rules.map(\.code)).count == MergeCatalog.rules.count)
    }

    /// Whatever a merge says has its rule, and says it as severely as the rule does.
    @Test func everyFindingOfAMergeIsExplained() throws {
        func link(_ app: String, variables: String) -> String {
            #"{"applinks":{"substitutionVariables":{\#(variables)},"#
                + #""details":[{"appIDs":["\#(app)"],"components":[{"/":"/$(v)"}]}]}}"#
        }
        let a = "\(Self.teamA).a"
        let b = "\(Self.teamB).b"
        let large = String(repeating: "x", count: AssociationFile.bytesMaximum)
        let results = try [
            merge(#"{"webcredentials":{"apps":["\#(b)"]}}"#),
            merge(#"{"x":{"v":1}}"#, #"{"x":{"v":2}}"#),
            merge(link(a, variables: #""v":["1"]"#), link(b, variables: #""v":["2"]"#)),
            merge(link(a, variables: #""$v":["1"]"#), link(b, variables: #""$v":["2"]"#)),
            merge(#"{"x":{"v":"\#(large)"}}"#),
            Merge.merge([try fragment(Self.teamA, "{}"), try fragment(Self.teamA, "{}")]),
        ]
        var met: Set<String> = []
        for finding in results.flatMap(\.diagnostics) where finding.code.hasPrefix("merge-") {
            met.insert(finding.code)
            let rule = MergeCatalog.rules.first { $0.code == finding.code }
            #expect(rule?.severity == finding.severity, "\(finding.code)")
            #expect(finding.remedy?.isEmpty == false || finding.severity == .note)
        }
        #expect(met == Set(MergeCatalog.rules.map(\.code)))
    }

    /// A document that is refused has an error, one that is made has none.
    @Test func onlyErrorsKeepADocumentBack() {
        let notes = MergeCatalog.rules.filter { $0.severity != .error }
        #expect(notes.map(\.code) == ["merge-variable-renamed"])
    }
}
