import AppSiteAssociation
import TestSupport
import Testing

@testable import AppSiteAssociation

/// The texts of findings that another part of the linter makes: the model, the JSON reader, the
/// merge and the parser of entitlements.
@Suite struct CodeEntryTests: MergeSuite {
    /// The format itself reports it for the example, with a place and a fix.
    @Test(arguments: RuleCatalog.shape.sorted())
    func theFormatReportsIt(_ code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        let problems = try AssociationFile(reading: #require(rule.bad).source).problems
        let problem = try #require(problems.first { $0.code == code })
        expectEqual(problem.severity, rule.severity)
        #expect(problem.start != nil && problem.remedy?.isEmpty == false)
        #expect(
            try !AssociationFile(reading: #require(rule.good).source).problems.contains {
                $0.code == code
            })
    }

    /// The example shows this mistake as the first, and not another one behind it.
    @Test(
        arguments: RuleCatalog.all.map(\.code).filter {
            $0.hasPrefix("json-") && $0 != "json-byte-order-mark"
        })
    func theExampleIsRefusedForItsMistake(_ code: String) throws {
        let rule = try #require(RuleCatalog.rule(code))
        expectEqual(rule.severity, .error)
        let (bad, good) = (try #require(rule.bad), try #require(rule.good))
        let error = #expect(throws: JSONError.self) { try JSONReader.read(bad.source) }
        expectEqual(error?.code, code)
        #expect(throws: Never.self) { try JSONReader.read(good.source) }
    }

    @Test func everyProblemOfAnEntitlementHasItsRule() {
        for problem in EntitlementEntry.Problem.allCases {
            expectEqual(RuleCatalog.rule(problem.rawValue)?.title, problem.message, "\(problem)")
        }
    }

    /// Titles tell the rules of a list apart.
    @Test func titlesAreUnique() {
        for family in RuleCatalog.table.families {
            expectEqual(
                Set(family.entries.map(\.title)).count, family.entries.count, "\(family.name)")
        }
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
            expectEqual(RuleCatalog.rule(finding.code)?.severity, finding.severity)
            #expect(finding.remedy?.isEmpty == false || finding.severity == .note)
        }
        expectEqual(met, Set(RuleCatalog.all.map(\.code).filter { $0.hasPrefix("merge-") }))
    }

    /// What others publish is read at their place, not at Apple's.
    @Test func sourcesOfOthersHaveTheirPages() {
        for rule in RuleCatalog.all {
            let isOthers = ["RFC", "W3C", "Google", "Android", "Unicode"].contains {
                rule.source.hasPrefix($0)
            }
            #expect(
                rule.page.hasPrefix("https://developer.apple.com/") != isOthers,
                "\(rule.code): \(rule.source)")
        }
    }

    /// What does nothing keeps no host from being served.
    @Test(arguments: [
        ##"{"applinks":{},"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"appclips":{}}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"activitycontinuation":{}}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"appclips":null}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a", ""]},"appclips":[]}"##,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT /#","*"]}]}}"##,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT /a?b=1","https://a.de/","/a"]}]}}"##,
        ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/a#b","exclude":true},{"?":"?a=1"},{"/":"/b"}]}]}}"##,
        ##"{"applinks":{"substitutionVariables":{"a":[]},"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/b"}]}]}}"##,
        "\u{FEFF}{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.a\"]}}",
    ])
    func whatDoesNothingIsNoError(_ text: String) {
        let found = Linter.lint(SourceText(name: "f", text: text), as: .association)
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        #expect(found.contains { $0.severity == .warning }, "\(found)")
    }
}
