import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct RuleOrderTests: LintSuite, RuleSuite {
    private func order(_ details: String, steps: Int = 100_000) throws -> RuleOrder {
        RuleOrder(try entries(details), Steps(steps))
    }

    /// The numbers of the entry and of the rule.
    private func place(of rule: Rule) -> [Int] {
        guard case .component(let index) = rule.reference.rule else { return [] }
        return [rule.reference.detail, index]
    }

    private func entry(_ apps: [String], _ rules: String) -> String {
        let names = apps.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"appIDs\": [\(names)], \"components\": [\(rules)]}"
    }

    @Test func rulesAreGatheredByTheirCause() throws {
        let found = try order(
            entry(
                ["A.a"],
                #"{"/":"/a/*"},{"/":"/a/1"},{"/":"/b"},{"/":"/a/2","exclude":true},{"/":"/a/3"}"#))
        let covered = found.covered[0]
        expectEqual(covered.map { $0.rules.map(place(of:)) }, [[[0, 1], [0, 4]], [[0, 3]]])
        expectEqual(covered.map(\.isOpposite), [false, true])
        #expect(covered.allSatisfy { place(of: $0.by) == [0, 0] && !$0.isElsewhere })
        #expect(found.compared == 5 && found.lastComparedEntry == 0)
    }

    /// The first of several rules that would decide does, whichever entry it stands in.
    @Test func theFirstCauseCounts() throws {
        let found = try order(
            [
                entry(["A.b", "A.a"], #"{"/":"/a/*"}"#), entry(["A.a"], #"{"/":"*"}"#),
                entry(["A.a"], #"{"/":"/a/1"},{"/":"/b"}"#),
            ].joined(separator: ","))
        expectEqual(found.covered[2].map { place(of: $0.by) }, [[0, 0], [1, 0]])
        #expect(found.covered[2].allSatisfy { $0.isElsewhere })
    }

    /// An entry of more apps decides for each of them, one of fewer for none that it lacks.
    @Test(
        arguments: [
            (["A.a"], ["A.a"], true), (["A.a", "A.b"], ["A.a"], true),
            (["A.a", "A.b"], ["A.b", "A.a"], true), (["A.a"], ["A.a", "A.b"], false),
            (["A.b"], ["A.a"], false), (["A.a", "A.b", "A.c"], ["A.a", "A.c"], true),
            (["A.a", "A.b", "A.c"], ["A.a", "A.d"], false), (["A.a", "A.a"], ["A.a"], true),
            ([], ["A.a"], false), (["A.a"], [], false), ([], [], false),
        ] as [([String], [String], Bool)])
    func whoseRulesDecide(_ first: [String], _ second: [String], _ isCovered: Bool) throws {
        let found = try order(
            "\(entry(first, #"{"/":"*"}"#)), \(entry(second, #"{"/":"/a"}"#))")
        expectEqual(found.covered[1].isEmpty, !isCovered)
    }

    /// The same rules for older systems beside those for newer ones are advised.
    @Test func pathsBesideComponentsAreMeant() throws {
        func covered(_ path: String) throws -> Bool {
            let old = "{\"appID\": \"A.a\", \"paths\": [\"\(path)\"]}"
            return try !order("\(entry(["A.a"], #"{"/":"/a/*"}"#)), \(old)").covered[1].isEmpty
        }
        #expect(try !covered("/a/b") && covered("NOT /a/b"))
    }

    @Test func openingsAreCounted() throws {
        let found = try order(
            [
                entry(["A.a"], #"{"/":"/a"}"#), entry(["A.a", "A.b"], #"{"/":"/b"}"#),
                entry(["A.a"], #"{"/":"/c","exclude":true}"#), entry(["A.c"], ""),
            ].joined(separator: ","))
        expectEqual(found.openings.mapValues(\.last), ["A.a": 1, "A.b": 1])
        expectEqual(found.openings.mapValues(\.count), ["A.a": 2, "A.b": 1])
    }

    @Test func whatIsNotComparedIsKnown() throws {
        let rules = (0..<100).map { "{\"/\":\"*-\($0)\"}" }.joined(separator: ",")
        let found = try order("\(entry(["A.a"], rules)), \(entry(["A.a"], rules))", steps: 500)
        #expect((2..<100).contains(found.compared) && found.lastComparedEntry == -1)
        expectEqual(found.covered.count, 2)
    }

    @Test func entriesOfOneAppAreJudgedTogether() {
        let all = entry([Self.shop], "{\"/\": \"*\"}")
        let help = entry([Self.shop], "{\"/\": \"/help/*\", \"exclude\": true}")
        let found = codes(details("\(all), \(help)"))
        #expect(found.contains("rule-unreachable") && !found.contains("only-exclusions"))
        // In the right order nothing is unreachable, and the exclusion has its effect.
        let right = codes(details("\(help), \(all)"))
        #expect(!right.contains("rule-unreachable") && !right.contains("only-exclusions"))
        #expect(!right.contains("exclude-without-effect"))
        // Another app's entry opens nothing for this one.
        let other = codes(
            details("\(entry(["9JA89QQLNQ.com.example.news"], "{\"/\": \"*\"}")), \(help)"))
        #expect(other.contains("only-exclusions") && !other.contains("rule-unreachable"))
    }
}
