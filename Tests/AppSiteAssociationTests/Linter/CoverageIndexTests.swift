import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct CoverageIndexTests: RuleSuite {
    private func candidates(_ index: CoverageIndex, _ rule: Rule) -> [Int] {
        var asked: [Int] = []
        let none = index.first(for: rule, Steps()) { position in
            asked.append(position)
            return false
        }
        #expect(none == nil)
        return asked
    }

    /// The index finds what a look at every rule before finds, and nothing later.
    @Test(arguments: [UInt64](31...36)) func findsWhatALookAtAllFinds(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = ["a", "b", "/", "*", "?", "$(digit)", "$(v)", "ab", "A", "/*"]
        var found = 0
        for _ in 0..<20 {
            let components = (0..<40).map { _ in
                let path = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }.joined()
                let folded = Int.random(in: 0..<4, using: &random) == 0
                return "{\"/\": \"/\(path)\", \"caseSensitive\": \(!folded)}"
            }
            let rules = try rules(
                components.joined(separator: ","),
                applinks: #""substitutionVariables": {"v": ["x"]}, "#)
            var index = CoverageIndex()
            for (position, rule) in rules.enumerated() {
                let all = rules[..<position].indices.filter { rules[$0].covers(rule, Steps()) }
                let first = index.first(for: rule, Steps()) { rules[$0].covers(rule, Steps()) }
                expectEqual(first, all.first, "seed \(seed): \(components[position])")
                let candidates = candidates(index, rule)
                expectEqual(candidates, candidates.sorted())
                #expect(Set(candidates).isSuperset(of: all))
                found += all.isEmpty ? 0 : 1
                index.insert(rule, at: position)
            }
        }
        #expect(found > 200)
    }

    /// Few beginnings are followed one by one, many are sorted: the order is that of the rules.
    @Test(arguments: [1, 2, 7, 8, 9, 20]) func theFirstOfManyBeginningsCounts(_ count: Int) throws {
        let letters = "/abcdefghijklmnopqrstuvwxyz"
        let rules = try rules(
            (1...count).reversed().map { "{\"/\": \"\(letters.prefix($0 + 1))*\"}" }
                .joined(separator: ",") + ",{\"/\": \"\(letters)\"}")
        var index = CoverageIndex()
        for (position, rule) in rules.dropLast().enumerated() { index.insert(rule, at: position) }
        let last = try #require(rules.last)
        var asked: [Int] = []
        expectEqual(
            index.first(for: last, Steps()) { position in
                asked.append(position)
                return position == count - 1
            }, count - 1)
        expectEqual(asked, Array(0..<count))
        expectEqual(index.first(for: last, Steps()) { _ in true }, 0)
    }

    /// Only a rule whose beginning begins this one's path is looked at.
    @Test func otherBeginningsAreNotAsked() throws {
        let rules = try rules(
            (0..<100).map { "{\"/\": \"/p\($0)/*\"}" }.joined(separator: ",")
                + ",{\"/\": \"/P7/x\", \"caseSensitive\": false},{\"/\": \"/q\"}")
        var index = CoverageIndex()
        for position in 0..<100 { index.insert(rules[position], at: position) }
        expectEqual(candidates(index, rules[100]), [7])
        expectEqual(candidates(index, rules[101]), [])
    }

    @Test func aSpentBudgetFindsNothing() throws {
        let rules = try rules(##"{"/":"/a*"},{"/":"/ab"}"##)
        var index = CoverageIndex()
        index.insert(rules[0], at: 0)
        #expect(index.first(for: rules[1], Steps(0)) { _ in true } == nil)
        #expect(CoverageIndex().first(for: rules[1], Steps()) { _ in true } == nil)
    }
}
