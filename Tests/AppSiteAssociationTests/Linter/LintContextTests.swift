import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct LintContextTests {
    private func context(disabled: Set<String> = []) -> LintContext {
        LintContext(
            source: SourceText(name: "f", text: String(repeating: "x\n", count: 5_000)),
            options: LintOptions(disabled: disabled))
    }

    private func rule(_ code: String) throws -> CodeEntry { try #require(RuleCatalog.rule(code)) }

    @Test func aFindingTakesItsRulesWords() throws {
        var context = context()
        let rule = try rule("catch-all")
        context.report(rule.code, at: 4..<5, "m", related: [("r", 0..<1)])
        context.report(rule.code, at: nil, "n", remedy: "own")
        context.finish()
        expectEqual(context.findings.map(\.code), ["catch-all", "catch-all"])
        expectEqual(context.findings.map(\.remedy), [rule.remedy, "own"])
        expectEqual(context.findings.map(\.start?.line), [3, nil])
        expectEqual(context.findings.map(\.file), ["f", "f"])
        expectEqual(context.findings[0].related.map(\.start?.line), [1])
    }

    @Test func aMessageHasTheWordsOfTheCatalogue() {
        var context = context()
        context.report("path-is-url", at: 0..<1, "https://a.example/")
        context.report("path-empty", at: 0..<1)
        expectEqual(
            context.findings.map(\.message),
            [
                "\"https://a.example/\" is a URL, but devices match only paths",
                "this path pattern is empty",
            ])
    }

    /// A hundred of a code are listed, and one finding counts the others.
    @Test(arguments: [(99, 99, nil as Int?), (100, 100, nil), (101, 100, 1), (250, 100, 150)])
    func findingsOfOneCodeAreBounded(_ made: Int, _ listed: Int, _ omitted: Int?) throws {
        var context = context()
        let rule = try rule("catch-all")
        for index in 0..<made { context.report(rule.code, at: index..<index + 1, "m") }
        context.finish()
        expectEqual(context.findings.filter { $0.code == "catch-all" }.count, listed)
        let omission = context.findings.compactMap(\.omission)
        expectEqual(omission.map(\.count), [omitted].compactMap { $0 })
        #expect(omission.allSatisfy { $0.code == "catch-all" && $0.severity == rule.severity })
        if omitted == 1 {
            expectEqual(
                context.findings.last?.message,
                "101 findings of catch-all in this file: aasa reports the first 100")
        }
    }

    /// Of a document a thousand are listed; the first of each code always is, so that no flood of
    /// notes hides an error. More codes take turns than the last eight that are kept at hand.
    @Test func findingsOfADocumentAreBounded() throws {
        var context = context()
        let rules = Array(RuleCatalog.all.prefix(12))
        for index in 0..<95 {
            for rule in rules.prefix(11) { context.report(rule.code, at: index..<index + 1, "m") }
        }
        expectEqual(context.findings.count, 1_000)
        context.report(rules[11].code, at: 0..<1, "m")
        context.report(rules[11].code, at: 1..<2, "m")
        expectEqual(context.findings.count, 1_001)
        context.finish()
        let omitted = context.findings.compactMap(\.omission)
        let count: Int = omitted.map(\.count).reduce(0, +)
        expectEqual(count, 95 * 11 + 2 - 1_001)
        expectEqual(omitted.map(\.code), omitted.map(\.code).sorted())
    }

    @Test func disabledCodesAreNeitherListedNorCounted() throws {
        var context = context(disabled: ["catch-all"])
        let rule = try rule("catch-all")
        for index in 0..<200 { context.report(rule.code, at: index..<index + 1, "m") }
        context.gather(rule.code, at: 0..<1, "m")
        context.finish()
        expectEqual(context.findings, [])
        var silent = self.context(disabled: ["findings-omitted"])
        for index in 0..<200 { silent.report(rule.code, at: index..<index + 1, "m") }
        silent.finish()
        expectEqual(silent.findings.count, 100)
    }

    @Test(arguments: [
        (1, "m", 0), (2, "m (and 1 more place in this file)", 1),
        (3, "m (and 2 more places in this file)", 2), (9, "m (and 8 more places in this file)", 8),
        (10, "m (and 9 more places in this file)", 8),
    ]) func aHabitIsSaidOnce(_ times: Int, _ message: String, _ related: Int) throws {
        var context = context()
        let rule = try rule("path-without-slash")
        for index in 0..<times {
            context.gather(rule.code, at: index..<index + 1, index == 0 ? "m" : "other")
        }
        expectEqual(context.findings, [])
        context.finish()
        expectEqual(context.findings.map(\.message), [message])
        expectEqual(context.findings.first?.range, 0..<1)
        expectEqual(context.findings.first?.related.count, related)
        context.finish()
        expectEqual(context.findings.count, 1)
    }
}
