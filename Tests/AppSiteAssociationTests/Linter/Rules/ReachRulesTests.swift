import AppSiteAssociation
import TestSupport
import Testing

@Suite struct ReachRulesTests: LintSuite {
    /// What was dropped has a finding of its own.
    @Test(arguments: [
        (#"{"/": ["/a"]}"#, ["pattern-not-string"]), ("{}", ["component-without-pattern"]),
        (#"{"?": {"a": 1}}"#, ["query-value-not-string"]), (#"{"/": ""}"#, ["path-empty"]),
        (#"{"path": "/a"}"#, ["component-key-misspelt"]), (#"{"/": "*"}"#, ["catch-all"]),
    ]) func aSlipIsOneFinding(_ rule: String, _ expected: [String]) {
        expectEqual(codes(components(rule)), expected)
    }

    /// Code and message of each finding about reach.
    private func said(_ text: String) -> [String] {
        lint(text).filter { $0.code != "app-in-several-entries" }.map {
            "\($0.code): \($0.message)"
        }
    }

    @Test(arguments: [
        (#"{"/":"/a"}"#, ""), (#"{"/":"*"}"#, ""),
        (
            #"{"/":"/x","exclude":true},{"/":"*"}"#,
            ", except for 1 exclusion before it"
        ),
        (
            #"{"/":"/x","exclude":true},{"/":"/y","exclude":true},{"/":"*"}"#,
            ", except for 2 exclusions before it"
        ),
    ]) func everyURLIsTold(_ rules: String, _ apart: String) {
        let wanted = "catch-all: this rule opens every URL of the site in the app\(apart)"
        expectEqual(said(components(rules)), (rules.contains(#""*""#) ? [wanted] : []))
    }

    @Test(arguments: [
        (#"{"/":"/$(lang)/*"},{"/":"/de/x/*","exclude":true}"#, "/$(lang)/*"),
        (#"{"/":"/a/$(region)*"},{"/":"/x"},{"/":"/a/US/*","exclude":true}"#, "/a/$(region)*"),
    ]) func valuesOfVariablesAreCovered(_ rules: String, _ cause: String) {
        #expect(said(components(rules)).contains { $0.contains("\"\(cause)\" matches first") })
    }

    /// Followed to the letter, the advice leads to what was meant.
    @Test(arguments: [
        (
            #"{"/":"/a/*","?":"*","exclude":true},{"/":"/a/*"}"#,
            #"("?": "*" also matches if there is no query: write "?*")"#
        ),
        (
            ##"{"/":"/a/*","#":"*","exclude":true},{"/":"/a/*"}"##,
            ##"("#": "*" also matches if there is no fragment: write "?*")"##
        ),
        (
            #"{"/":"/a/*","?":{"x":"*"},"exclude":true},{"/":"/a/*"}"#,
            #"("x": "*" also matches if the item is missing: write "?*")"#
        ),
        (#"{"/":"/a/*","exclude":true},{"/":"/a/*"}"#, "only one opens the app"),
        (#"{"/":"/a/*"},{"/":"/a/*"}"#, "Keep one of the two"),
    ]) func theRemedyNamesTheSlip(_ rules: String, _ wanted: String) {
        let remedies = lint(components(rules)).compactMap(\.remedy)
        #expect(remedies.contains { $0.contains(wanted) }, "\(remedies)")
    }

    @Test func onlyExclusionsOpenNothing() {
        let one = #"{"/":"/x","exclude":true}"#
        let two = one + #",{"/":"/y","exclude":true}"#
        expectEqual(
            said(components(one)),
            [
                "only-exclusions: the only rule of this entry excludes: no URL opens the app"
            ])
        expectEqual(
            said(components(two)),
            [
                "only-exclusions: all 2 rules of this entry exclude: no URL opens the app"
            ])
        // Another entry opens something for one of two apps.
        let both =
            "{\"appIDs\": [\"\(Self.shop)\", \"9JA89QQLNQ.com.a.b\"], \"components\": [\(one)]}"
        expectEqual(
            said(details("\(both), \(entry(#"{"/":"/a"}"#))")),
            [
                "only-exclusions: the only rule of this entry excludes: no URL opens "
                    + "9JA89QQLNQ.com.a.b"
            ])
    }

    @Test func anExclusionNeedsARuleBehindIt() {
        let late = #"{"/":"/a"},{"/":"/b","exclude":true}"#
        let message = #"exclude-without-effect: "/b" excludes, but no later rule would open it"#
        expectEqual(said(components(late)), [message])
        expectEqual(said(components(late + #",{"/":"/c"}"#)), [])
        let open = entry(#"{"/":"/c"}"#)
        expectEqual(said(details("\(entry(late)), \(open)")), [])
        expectEqual(said(details("\(open), \(entry(late))")), [message])
        // Another app's entry opens nothing for this one.
        let other = entry(#"{"/":"/c"}"#, app: "9JA89QQLNQ.com.a.b")
        expectEqual(said(details("\(entry(late)), \(other)")), [message])
        // What is never reached is said once.
        let never = components(#"{"/":"/a/*"},{"/":"/a/b","exclude":true}"#)
        expectEqual(codes(never), ["rule-unreachable"])
    }

    @Test(arguments: [
        (#"{"/":"/"}"#, true), (#"{"/":""}"#, false),
        (#"{"/":"/x","exclude":true},{"/":"/"}"#, true),
        (#"{"/":"/"},{"/":"/a"}"#, false), (#"{"/":"/","?":{"id":"?*"}}"#, false),
        (##"{"/":"/","#":"x"}"##, false), (#"{"/":"/?"}"#, false),
    ]) func theFrontPageAloneIsTold(_ rules: String, _ isTold: Bool) {
        expectEqual(codes(components(rules)).contains("front-page-only"), isTold)
    }

    @Test func theFrontPageBesideOtherEntriesIsMeant() {
        let front = entry(#"{"/":"/"}"#)
        #expect(!codes(details("\(front), \(entry(#"{"/":"/a"}"#))")).contains("front-page-only"))
        let other = entry(#"{"/":"/a"}"#, app: "9JA89QQLNQ.com.a.b")
        #expect(codes(details("\(front), \(other)")).contains("front-page-only"))
    }

    @Test(arguments: [
        (
            #"{"/":"/a/*"},{"/":"/a/b","exclude":true}"#,
            #"rule-unreachable: the exclusion of "/a/b" is never reached: "/a/*" matches first "#
                + "and opens the app"
        ),
        (
            #"{"/":"/a/*","exclude":true},{"/":"/a/b"},{"/":"/c"}"#,
            #"rule-unreachable: "/a/b" is never reached: "/a/*" matches first and excludes"#
        ),
        (
            #"{"/":"/a/*"},{"/":"/a/b"}"#,
            #"rule-redundant: "/a/b" has no effect: "/a/*" already covers it"#
        ),
        (
            #"{"/":"/a/*"},{"/":"/a/b"},{"/":"/a/c"}"#,
            #"rule-redundant: "/a/b" and 1 more rule have no effect: "/a/*" already covers them"#
        ),
        (
            #"{"/":"/a/*"},{"/":"/a/b"},{"/":"/a/c"},{"/":"/a/d"}"#,
            #"rule-redundant: "/a/b" and 2 more rules have no effect: "/a/*" already covers them"#
        ),
        (
            #"{"/":"/a/*","exclude":true},{"/":"/a/b","exclude":true},{"/":"/c"}"#,
            #"rule-redundant: the exclusion of "/a/b" has no effect: "/a/*" already covers it"#
        ),
    ]) func aRuleInFrontDecides(_ rules: String, _ wanted: String) {
        expectEqual(said(components(rules)), [wanted])
    }

    @Test func anEarlierEntryDecides() {
        let entries = "\(entry(#"{"/":"/a/*"}"#)), \(entry(#"{"/":"/a/b"}"#))"
        expectEqual(
            said(details(entries)),
            [
                #"rule-redundant: "/a/b" has no effect: "/a/*" (in an earlier entry of the app) "#
                    + "already covers it"
            ])
    }

    /// The rule that decides, and eight more of those that it covers.
    @Test func placesAreBounded() {
        func related(_ count: Int) -> [String] {
            let rules = (0..<count).map { #",{"/":"/a/\#($0)"}"# }.joined()
            return lint(components(#"{"/":"/a/*"}"# + rules)).first?.related.map(\.message) ?? []
        }
        expectEqual(related(1), ["this rule matches first"])
        #expect(related(9).count == 9 && related(10).count == 9)
        #expect(related(9).dropFirst().allSatisfy { $0 == "also covered" })
    }

    /// `match` opens what no earlier rule excludes.
    @Test func anEntryWithoutListsOpensEverything() {
        let all = "{\"appIDs\": [\"\(Self.shop)\"]}"
        let late = entry(#"{"/":"/a"},{"/":"/b","exclude":true}"#)
        #expect(!codes(details("\(late), \(all)")).contains("exclude-without-effect"))
        let only = entry(#"{"/":"/b","exclude":true}"#)
        #expect(!codes(details("\(only), \(all)")).contains("only-exclusions"))
    }

    /// However large the document, every rule is known.
    @Test func theLastOfManyRulesMayOpen() {
        let blanks = String(repeating: " ", count: 200)
        let closed = (0..<1_300).map { #"{"/":"/n\#($0)",\#(blanks)"exclude":true},"# }.joined()
        let found = codes(components(#"{"/":"/open"},"# + closed + #"{"/":"*"}"#))
        #expect(!found.contains("exclude-without-effect"))
    }

    /// Some systems before iOS 9.2 needed it.
    @Test(arguments: [##""*", "/""##, ##""NOT /help/*", "*", "/""##])
    func theFrontPageBehindEverythingIsNoMistake(_ paths: String) {
        let found = lint(details("{\"appID\": \"\(Self.shop)\", \"paths\": [\(paths)]}"))
        #expect(found.allSatisfy { $0.severity == .note }, "\(found)")
    }
}
