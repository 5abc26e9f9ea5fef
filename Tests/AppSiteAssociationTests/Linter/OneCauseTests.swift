import TestSupport
import Testing

@testable import AppSiteAssociation

/// One mistake is one finding: what follows from it is not reported beside it.
@Suite struct OneCauseTests {
    private static let app = "D3KQX62K1A.com.acme.shop"

    private static func links(_ rest: String) -> String {
        "{\"applinks\": {\(rest)}}"
    }

    private static func rules(_ components: String, _ more: String = "") -> String {
        links(
            more + "\"details\": [{\"appIDs\": [\"\(app)\"], \"components\": [\(components)]}]")
    }

    @Test(
        arguments: [
            (
                rules(#"{"path": "/a"}, {"/": "/b"}, {"/": "/d", "exclude": true}, {"/": "/e"}"#),
                ["component-key-misspelt"]
            ),
            (
                rules(#"{"/": "/*", "exlude": true}, {"/": "/b"}"#), ["component-key-misspelt"]
            ),
            (
                rules(#"{"/": "/$(x)/*"}"#, #""substitutionVariables": {"X": ["a"]}, "#),
                ["variable-undefined"]
            ),
            (
                rules(#"{"/": "/$(x)/*"}"#, #""substitutionVariables": {"x": "a"}, "#),
                ["variable-not-array"]
            ),
            (
                rules(#"{"/": "/$(x)/*"}"#, #""substitutionVariable": {"x": ["a"]}, "#),
                ["applinks-key-misspelt"]
            ),
            (
                rules(#"{"path": "/$(x)/*"}"#, #""substitutionVariables": {"x": ["a"]}, "#),
                ["component-key-misspelt"]
            ),
            (
                links(
                    #""details": {"appIDs": ["\#(app)"], "components": [{"/": "/shop/*"}]}"#),
                ["details-wrong-type"]
            ),
            (
                links(#""details": [{"\#(app)": {"paths": ["/a/*"]}}]"#), ["entry-key-misspelt"]
            ),
            (rules(#"{"/": "/a/b"}"#, #""apps": null, "#), ["applinks-apps-used"]),
            (rules(#"{"/": "/a/b"}"#, #""apps": {}, "#), ["applinks-apps-used"]),
            (rules(#"{"/": "/a/b"}"#, #""apps": [1], "#), ["applinks-apps-used"]),
            (#"{"webcredentials": {"appID": ["\#(app)"]}}"#, ["applinks-key-misspelt"]),
            (#"{"webcredentials": {"app": ["\#(app)"]}}"#, ["applinks-key-misspelt"]),
            (#"{"appclips": {"identifiers": "\#(app)"}}"#, ["applinks-key-misspelt"]),
            (rules(#"{"/ ": "/a/b"}"#), ["component-key-misspelt"]),
            (rules(#"{"/*": "/a/b"}"#), ["component-key-misspelt"]),
            (
                rules(#"{"?": "?*", "exclude": true}, {"?": {"a": "?*"}}, {"/": "/x"}"#),
                ["rule-unreachable"]
            ),
        ])
    func isReportedAlone(_ text: String, _ codes: [String]) {
        let findings = Linter.lint(SourceText(name: "apple-app-site-association", text: text))
        expectEqual(findings.map(\.code), codes)
    }

    /// A group of rules without an error is compared as before.
    @Test func anotherRuleIsStillCompared() {
        let text = Self.rules(#"{"/": "/*"}, {"pth": "/a"}, {"/": "/d", "exclude": true}"#)
        let findings = Linter.lint(SourceText(name: "apple-app-site-association", text: text))
        #expect(findings.map(\.code).contains("rule-unreachable"))
    }

    @Test(
        arguments: [
            ("D3KQX62K1A.D3KQX62K1A.com.acme.shop", .prefixTwice),
            ("D3KQX62K1A.undefined", .placeholder), ("D3KQX62K1A com.acme.app", .separator),
            ("D3KQX62K1A .com.acme.app", .blank), ("D3KQX62K1A.D3KQX62K1AX.app", nil),
        ] as [(String, AppIdentifier.Problem?)])
    func templatesLeaveTraces(_ text: String, _ problem: AppIdentifier.Problem?) {
        expectEqual(AppIdentifier.problem(in: text), problem)
    }

    @Test(
        arguments: [
            ("../shared/apple-app-site-association", "json-source-code", "core.symlinks"),
            ("{\"a\": [1, ...]}", "json-unexpected-byte", "the dots"),
            ("{\"a\": 1, …}", "json-unexpected-byte", "the dots"),
            ("{\0\0\0\"\0\0\0", "json-utf16", "utf-32le"),
            ("<html>", "json-html", "send the file itself"),
        ])
    func adviceFitsTheFile(_ text: String, _ code: String, _ remedy: String) {
        let findings = Linter.lint(SourceText(name: "assetlinks.json", text: text))
        expectEqual(findings.map(\.code), [code])
        expectEqual(findings.first?.remedy?.contains(remedy), true)
    }
}
