import AppSiteAssociation
import TestSupport
import Testing

@Suite struct AppLinksDiffTests: DiffSuite {
    @Test func comparesSharedEntriesOnce() throws {
        let apps = (0..<2_000).map { #""A.n\#($0)""# }.joined(separator: ",")
        let paths = (0..<2_000).map { #"{"/":"/p\#($0)"}"# }
        func document(_ rules: [String]) -> String {
            links(#"{"appIDs":[\#(apps)],"components":[\#(rules.joined(separator: ","))]}"#)
        }
        let changes = AssociationDiff.diff(
            AssociationFile(document: try JSONReader.read(text: document(paths))),
            AssociationFile(document: try JSONReader.read(text: document(paths.dropLast()))))
        expectEqual(changes.map(\.kind), [.ruleRemoved])
        expectEqual(changes.first?.apps.count, 2_000)
    }

    @Test func findsTheOrderOfApps() throws {
        let a = #"{"appIDs": ["A.a"], "components": []}"#
        let b = #"{"appIDs": ["A.b"], "components": []}"#
        try expectEqual(
            diff(links("\(a), \(b)"), links("\(b), \(a)")),
            ["~ order of apps: A.b, A.a, was A.a, A.b"])
    }

    @Test func findsRules() throws {
        let old = #"{"/": "/a"}, {"/": "/b"}, {"/": "/c"}"#
        try expectEqual(
            diff(rules(old), rules(#"{"/": "/a"}, {"/": "/c"}"#)),
            [#"- rule {"/":"/b"} of A.a"#])
        try expectEqual(
            diff(rules(old), rules(#"{"/": "/z"}, "# + old)), [#"+ rule {"/":"/z"} of A.a"#])
        try expectEqual(
            diff(rules(old), rules(#"{"/": "/a"}, {"/": "/b", "exclude": true}, {"/": "/c"}"#)),
            [#"~ rule {"/":"/b"} -> {"/":"/b","exclude":true} of A.a"#])
        try expectEqual(
            diff(rules(old), rules(#"{"/": "/b"}, {"/": "/c"}, {"/": "/a"}"#)),
            [#"~ rule {"/":"/a"} moved from place 1 to 3 of A.a"#])
    }

    @Test func namesAllAppsOfAnEntryOnce() throws {
        let before = links(#"{"appIDs": ["A.a", "A.b"], "components": []}"#)
        let after = links(#"{"appIDs": ["A.a", "A.b"], "components": [{"/": "/n"}]}"#)
        try expectEqual(diff(before, after), [#"+ rule {"/":"/n"} of A.a, A.b"#])
    }

    @Test func findsTheFormOfRules() throws {
        let paths = links(#"{"appID": "A.a", "paths": ["NOT /x", "/y"]}"#)
        let components = rules(#"{"/": "/x", "exclude": true}, {"/": "/y"}"#)
        try expectEqual(
            diff(paths, components),
            ["~ rules of A.a are written as components, were paths"])
    }

    @Test func findsAnEntryThatLostItsRules() throws {
        let changes = try diff(rules(#"{"/": "/x"}"#), links(#"{"appIDs": ["A.a"]}"#))
        expectEqual(changes, [#"~ rule {"/":"/x"} -> {} of A.a"#])
    }

    @Test func findsVariables() throws {
        let rule = #"{"/": "/$(x)"}"#
        let one = rules(rule, #""substitutionVariables": {"x": ["1"]},"#)
        let two = rules(rule, #""substitutionVariables": {"x": ["1", "2"]},"#)
        try expectEqual(diff(one, two), [#"~ variable x: ["1"] -> ["1","2"]"#])
        try expectEqual(diff(one, rules(rule)), [#"~ variable x: ["1"] -> undefined"#])
    }

    @Test(arguments: (1...10).map(UInt64.init)) func appliesToRandomLists(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            func list() -> String {
                (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    #"{"/": "/\#(Int.random(in: 0...5, using: &random))"}"#
                }.joined(separator: ",")
            }
            let (a, b) = (list(), list())
            let there = AssociationDiff.diff(try file(rules(a)), try file(rules(b)))
            let back = AssociationDiff.diff(try file(rules(b)), try file(rules(a)))
            expectEqual(there.isEmpty, (a == b), "seed \(seed): \(a) \(b)")
            expectEqual(there.count, back.count, "seed \(seed): \(a) \(b)")
            let growth =
                there.count { $0.kind == .ruleAdded } - there.count { $0.kind == .ruleRemoved }
            expectEqual(
                growth, b.split(separator: ",").count - a.split(separator: ",").count,
                "seed \(seed): \(a) \(b)")
        }
    }

    @Test func comparesThousandsOfRulesQuickly() throws {
        let many = { (offset: Int) in
            (0..<2_500).map { #"{"/": "/\#($0 + offset)"}"# }.joined(separator: ",")
        }
        let changes = try diff(rules(many(0)), rules(many(2_500)))
        expectEqual(changes.count, 5_000)
    }

    @Test func findsVariablesOfRulesThatMovedOrChanged() throws {
        func one(_ list: String, _ value: String) -> String {
            rules(list, #""substitutionVariables": {"x": ["\#(value)"]},"#)
        }
        let variable = #"~ variable x: ["1"] -> ["2"]"#
        let (a, rest) = (#"{"/": "/$(x)"}"#, #"{"/": "/b"}, {"/": "/c"}"#)
        #expect(try diff(one("\(a), \(rest)", "1"), one("\(rest), \(a)", "2")).contains(variable))
        let other = #"{"/": "/$(x)", "exclude": true}"#
        #expect(try diff(one(a, "1"), one(other, "2")).contains(variable))
    }
}
