import AppSiteAssociation
import TestSupport
import Testing

@Suite struct LinterTests {
    private func codes(_ text: String, file: String = "apple-app-site-association") -> [String] {
        Linter.lint(SourceText(name: file, text: text), options: LintOptions(now: exampleDate))
            .map(\.code)
    }

    private func components(_ list: String, defaults: String = "{}") -> [String] {
        codes(
            """
            {"applinks": {"defaults": \(defaults), "details": [
              {"appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [\(list)]}]}}
            """)
    }

    @Test func aSoundDocumentHasNoFindings() {
        let text = """
            {"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.com.example.shop"],
              "components": [{"/": "/help/*", "exclude": true},
                {"/": "/*/shoes", "?": {"a": "?*"}}]}]},
             "webcredentials": {"apps": ["9JA89QQLNQ.com.example.shop"]}}
            """
        expectEqual(codes(text), [])
    }

    @Test func findingsAreSortedByPlace() {
        let text = """
            {"webCredentials": {}, "applinks": {"details": [
              {"compnents": [], "appID": "TEAMID.x.y"}]}}
            """
        let found = Linter.lint(SourceText(name: "-", text: text))
        let places = found.map { $0.range?.lowerBound ?? -1 }
        #expect(places == places.sorted() && found.count >= 3)
    }

    @Test(arguments: [
        ("appid", "entry-key-misspelt"), ("appId", "entry-key-misspelt"),
        ("appIds", "entry-key-misspelt"), ("AppIDs", "entry-key-misspelt"),
        ("app_ids", "entry-key-misspelt"), ("compnents", "entry-key-misspelt"),
        ("Components", "entry-key-misspelt"), ("component", "entry-key-misspelt"),
        ("path", "entry-key-misspelt"), ("owner", "entry-key-unknown"),
        ("exclude", "key-without-effect"), ("/", "key-without-effect"),
    ])
    func keysOfEntries(key: String, code: String) {
        let found = codes("{\"applinks\": {\"details\": [{\"\(key)\": []}]}}")
        #expect(found.contains(code), "\(key): \(found)")
    }

    @Test func aMisspeltKeyIsSaidOnce() {
        let found = codes(
            "{\"applinks\": {\"details\": [{\"appid\": \"9JA89QQLNQ.com.example.shop\", "
                + "\"paths\": [\"/a\"]}]}}"
        )
        expectEqual(found, ["entry-key-misspelt", "legacy-paths"])
        let list = codes(
            "{\"applinks\": {\"details\": [{\"appIDs\": [\"9JA89QQLNQ.com.example.shop\"], "
                + "\"compnents\": []}]}}"
        )
        expectEqual(list, ["entry-key-misspelt"])
    }

    @Test func anExclusionBehindItsRuleIsUnreachable() {
        expectEqual(
            codes(
                """
                {"applinks": {"details": [{"appID": "9JA89QQLNQ.com.example.shop",
                 "paths": ["*", "NOT /help/*", "NOT /imprint"]}]}}
                """
            ).filter { $0 == "rule-unreachable" }.count, 1)
    }

    @Test func manyRulesTakenByOneAreOneFinding() {
        let rules = (0..<40).map { "{\"/\": \"/b/\($0)\"}" }.joined(separator: ",")
        let text = """
            {"applinks": {"details": [
              {"appIDs": ["9JA89QQLNQ.com.example.a"], "components": [{"/": "/b/*"}]},
              {"appIDs": ["D3KQX62K1A.com.example.b"], "components": [\(rules)]}]}}
            """
        let found = Linter.lint(SourceText(name: "-", text: text))
        expectEqual(found.map(\.code), ["team-urls-claimed"])
        expectEqual(found.first?.message.contains("39 more"), true)
    }

    /// A large honest document costs milliseconds, and a hostile one is cut off, not endless.
    @Test func manyRulesAreBounded() {
        func document(_ count: Int) -> String {
            let rules = (0..<count).map { "{\"/\": \"/*-\($0)-*a*b*c*/\"}" }.joined(separator: ",")
            return components(rules).joined()
        }
        // 18 million pairs of long patterns would be asked for, and are not.
        #expect(!document(6_000).contains("rule-redundant"))
    }

    @Test func twoBuildsOfOneAppAreNoConflict() {
        let text = """
            {"applinks": {"details": [
              {"appIDs": ["9JA89QQLNQ.com.example.a"], "components": [{"/": "/a"}]},
              {"appIDs": ["D3KQX62K1A.com.example.a"], "components": [{"/": "/a"}]}]}}
            """
        #expect(!codes(text).contains("team-urls-claimed"))
    }

    @Test func fragmentsOfAHostAreSeenTogether() {
        func file(_ team: String, _ path: String) -> LintFile {
            LintFile(
                SourceText(
                    name: "teams/\(team).json",
                    text: """
                        {"applinks": {"details": [{"appIDs": ["\(team).com.\(team.lowercased())"],
                         "components": [{"/": "\(path)"}]}]}}
                        """), host: "example.com", team: team)
        }
        let found = Linter.lintHost([file("9JA89QQLNQ", "/a/*"), file("D3KQX62K1A", "/a/b")])
        expectEqual(found.map(\.code), ["team-urls-claimed"])
        expectEqual(found.first?.file, "teams/D3KQX62K1A.json")
        expectEqual(found.first?.related.first?.file, "teams/9JA89QQLNQ.json")
        // Other hosts claim other URLs.
        let apart = Linter.lintHost([
            LintFile(file("9JA89QQLNQ", "/a/*").source, host: "a.example"),
            LintFile(file("D3KQX62K1A", "/a/b").source, host: "b.example"),
        ])
        expectEqual(apart.map(\.code), [])
    }
}
