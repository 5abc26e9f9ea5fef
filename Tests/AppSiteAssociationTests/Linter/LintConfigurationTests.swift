import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct LintConfigurationTests {
    private func read(_ text: String) -> (LintConfiguration, [Diagnostic]) {
        let source = SourceText(name: ".aasa.json", text: text)
        let (configuration, problems) = LintConfiguration.read(source) {
            RuleCatalog.rule($0) != nil
        }
        return (configuration, problems)
    }

    private let findings = Linter.lint(
        SourceText(
            name: "site/a.example/x.json",
            text: """
                {"applinks": {"details": [{"appID": "9JA89QQLNQ.com.example.a", "paths": ["*"]}]}}
                """))

    @Test func severitiesAndPathsAreApplied() {
        expectEqual(findings.map(\.code), ["legacy-paths", "catch-all"])
        let (configuration, problems) = read(
            """
            {"failOn": "warning", "rules": [
              {"code": "legacy-*", "severity": "error"},
              {"code": "catch-all", "severity": "off", "reason": "meant", "paths": ["site/a.*/**"]}]}
            """)
        #expect(problems == [] && configuration.failOn == .warning)
        let outcome = configuration.apply(to: findings) { $0 }
        #expect(outcome.findings.map(\.code) == ["legacy-paths"] && outcome.ignored == 1)
        expectEqual(outcome.findings.first?.severity, .error)
        let elsewhere = configuration.apply(to: findings) { _ in "other/b" }
        expectEqual(elsewhere.ignored, 0)
    }

    @Test(arguments: [
        "[]", "{\"rule\": []}", "{\"rules\": {}}", "{\"rules\": [1]}", "{\"failOn\": \"bad\"}",
        "{\"rules\": [{\"code\": \"catch-all\", \"severity\": \"off\"}]}",
        "{\"rules\": [{\"code\": \"catchall\", \"severity\": \"note\"}]}",
        "{\"rules\": [{\"code\": \"catch-all\", \"severity\": \"loud\"}]}",
        "{\"rules\": [{\"code\": \"catch-all\", \"severity\": \"note\", \"paths\": \"a\"}]}", "{",
    ])
    func whatIsWrongIsSaid(text: String) {
        #expect(!read(text).1.isEmpty)
    }

    /// The file of the format names the severities again.
    @Test func severitiesAreThoseOfFindings() {
        let members = LintConfiguration.format.schema["properties"]
        let severities = Severity.allCases.map(\.rawValue)
        expectEqual(members?["failOn"]?["enum"]?.strings, severities)
        let rule = members?["rules"]?["items"]?["properties"]
        expectEqual(rule?["severity"]?["enum"]?.strings, ["off"] + severities)
    }

    @Test(arguments: [
        ("site/**", "site/a/b.json", true), ("site/*", "site/a/b.json", false),
        ("**/b.json", "b.json", true), ("**/b.json", "x/y/b.json", true),
        ("*.json", "a.json", true), ("*.json", "a/b.json", false), ("a?c", "abc", true),
        ("a?c", "a/c", false), ("**/teams/*.json", "site/h/teams/A.json", true),
        ("**/teams/*.json", "site/h/teams/x/A.json", false), ("site", "site/a", false),
    ])
    func pathPatterns(pattern: String, path: String, matches: Bool) {
        expectEqual(PathPattern.matches(pattern, path), matches)
    }
}
