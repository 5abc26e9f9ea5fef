import AppSiteAssociation
import Testing

// Covers: LintContext.swift, LintOptions.swift, OutlinedRule.swift
// Covers: Vocabulary.swift

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
        #expect(codes(text) == [])
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
        ("exclude", "key-misplaced"), ("/", "key-misplaced"),
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
        #expect(found == ["entry-key-misspelt", "legacy-paths"])
        let list = codes(
            "{\"applinks\": {\"details\": [{\"appIDs\": [\"9JA89QQLNQ.com.example.shop\"], "
                + "\"compnents\": []}]}}"
        )
        #expect(list == ["entry-key-misspelt"])
    }

    @Test(arguments: [
        // Covered: reported.
        ("{\"/\": \"*\"}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a/*\"}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a/*\"}, {\"/\": \"/a/?/c\"}", true),
        ("{\"/\": \"/a?\"}, {\"/\": \"/ab\"}", true),
        ("{\"/\": \"/$(digit)*\"}, {\"/\": \"/5\"}", true),
        ("{\"/\": \"/a\"}, {\"/\": \"/a/\"}", true),
        ("{\"/\": \"/a\"}, {\"/\": \"a\", \"?\": {\"x\": \"1\"}}", true),
        (
            "{\"/\": \"/a\", \"?\": {\"x\": \"?*\"}}, {\"/\": \"/a\", \"?\": {\"x\": \"1\", "
                + "\"y\": \"2\"}}",
            true
        ),
        ("{\"/\": \"/A\", \"caseSensitive\": false}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a\", \"#\": \"*\"}, {\"/\": \"/a\", \"#\": \"x\"}", true),
        // Not covered, though it looks alike.
        ("{\"/\": \"/a/*\"}, {\"/\": \"/ab\"}", false),
        ("{\"/\": \"/a/?*\"}, {\"/\": \"/a/*\"}", false),
        ("{\"/\": \"/a?\"}, {\"/\": \"/a*\"}", false),
        ("{\"/\": \"/a/*/c\"}, {\"/\": \"/a/c\"}", false),
        ("{\"/\": \"/$(digit)\"}, {\"/\": \"/?\"}", false),
        ("{\"/\": \"/a\", \"?\": {\"x\": \"1\"}}, {\"/\": \"/a\"}", false),
        ("{\"/\": \"/a\"}, {\"/\": \"/A\", \"caseSensitive\": false}", false),
        ("{\"/\": \"/%61\"}, {\"/\": \"/%61\", \"percentEncoded\": false}", false),
        ("{\"/\": \"/a\", \"#\": \"x\"}, {\"/\": \"/a\"}", false),
        ("{\"/\": \"/?\"}, {\"/\": \"/é\"}", false),
    ])
    func redundantRules(list: String, covered: Bool) {
        #expect(components(list).contains("rule-redundant") == covered, "\(list)")
    }

    @Test func defaultsAreATemplate() {
        // The path of the defaults applies to both, so the second says nothing new.
        let found = components("{\"?\": \"*\"}, {\"#\": \"x\"}", defaults: "{\"/\": \"/a\"}")
        #expect(found.contains("rule-redundant"))
        let excluded = components("{\"/\": \"/a\"}", defaults: "{\"exclude\": true}")
        #expect(excluded.contains("only-exclusions"))
    }

    @Test func anExclusionBehindItsRuleIsUnreachable() {
        #expect(
            codes(
                """
                {"applinks": {"details": [{"appID": "9JA89QQLNQ.com.example.shop",
                 "paths": ["*", "NOT /help/*", "NOT /imprint"]}]}}
                """
            ).filter { $0 == "rule-unreachable" }.count == 1)
    }

    @Test func aFileAloneStandsForItsHost() {
        let text = """
            {"applinks": {"details": [
              {"appIDs": ["9JA89QQLNQ.com.example.a"], 
               "components": [{"/": "/a/*", "exclude": true}, {"/": "*"}]},
              {"appIDs": ["D3KQX62K1A.com.example.b"], 
               "components": [{"/": "/a/x"}, {"/": "/b/x"}]}]}}
            """
        let claims = Linter.lint(SourceText(name: "-", text: text)).filter {
            $0.code == "team-urls-claimed"
        }
        // /a/x is excluded for the first app, so only /b/x is taken.
        #expect(claims.count == 1 && claims.first?.message.contains("/b/x") == true)
    }

    @Test func manyRulesTakenByOneAreOneFinding() {
        let rules = (0..<40).map { "{\"/\": \"/b/\($0)\"}" }.joined(separator: ",")
        let text = """
            {"applinks": {"details": [
              {"appIDs": ["9JA89QQLNQ.com.example.a"], "components": [{"/": "/b/*"}]},
              {"appIDs": ["D3KQX62K1A.com.example.b"], "components": [\(rules)]}]}}
            """
        let found = Linter.lint(SourceText(name: "-", text: text))
        #expect(found.map(\.code) == ["team-urls-claimed"])
        #expect(found.first?.message.contains("39 more") == true)
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
        #expect(found.map(\.code) == ["team-urls-claimed"])
        #expect(found.first?.file == "teams/D3KQX62K1A.json")
        #expect(found.first?.related.first?.file == "teams/9JA89QQLNQ.json")
        // Other hosts claim other URLs.
        let apart = Linter.lintHost([
            LintFile(file("9JA89QQLNQ", "/a/*").source, host: "a.example"),
            LintFile(file("D3KQX62K1A", "/a/b").source, host: "b.example"),
        ])
        #expect(apart.map(\.code) == [])
    }

    @Test func sizesCountToTheByte() {
        let head = "{\"webcredentials\":{\"apps\":[\"9JA89QQLNQ.com.example.a\"]}}"
        func size(_ bytes: Int) -> [String] {
            codes(head + String(repeating: " ", count: bytes - head.utf8.count))
        }
        #expect(size(131_072) == ["size-near-limit"])
        #expect(size(131_073) == ["size-over-limit"])
        #expect(size(102_399) == [])
    }

    @Test func findingsAreBounded() {
        let many = (0..<3_000).map { "\"bad\($0)\"" }.joined(separator: ",")
        let found = codes("{\"webcredentials\": {\"apps\": [\(many)]}}")
        // A hundred are listed, and one finding counts the others.
        #expect(found.count == LintLimits.findingsOfOneCode + 1)
        let report = Linter.lint(
            SourceText(name: "-", text: "{\"webcredentials\": {\"apps\": [\(many)]}}"))
        #expect(LintReport(findings: report, documents: 1).count(.error) == 3_000)
    }

    @Test func disabledCodesAreSilent() {
        let source = SourceText(name: "-", text: "{\"applinks\": {\"apps\": []}}")
        #expect(Linter.lint(source).map(\.code) == ["details-missing"])
        #expect(Linter.lint(source, options: LintOptions(disabled: ["details-missing"])) == [])
    }

    @Test(arguments: [
        ("assetlinks.json", LintKind.assetLinks), ("a/b/webauthn", .webAuthn),
        ("passkey-endpoints", .passkeyEndpoints), ("x/security.txt", .securityText),
        ("App.entitlements", .entitlements), ("change-password", .changePassword),
        ("apple-app-site-association", .association), ("teams/D3KQX62K1A.json", .association),
        ("association", .association),
    ])
    func kindsByName(name: String, kind: LintKind) {
        #expect(LintKind(fileName: name) == kind)
    }

    @Test func securityTextDates() {
        func expires(_ date: String) -> [String] {
            codes("Contact: mailto:a@b.example\r\nExpires: \(date)\r\n", file: "security.txt")
        }
        #expect(expires("2027-06-01T00:00:00Z") == [])
        #expect(expires("2027-06-01T00:00:00.5+02:00") == [])
        #expect(expires("2026-11-21T00:00:00Z") == ["security-expired"])
        #expect(expires("2026-11-21T00:00:01Z") == ["security-expires-soon"])
        #expect(expires("2026-11-21T01:00:00+02:00") == ["security-expired"])
        #expect(expires("2027-02-29T00:00:00Z") == ["security-expires-format"])
        #expect(expires("2028-02-29T00:00:00Z") == ["security-expires-far"])
        #expect(expires("2027-06-01") == ["security-expires-format"])
    }

    @Test func signedSecurityTextIsRead() {
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            Contact: https://example.com/security
            Expires: 2027-06-01T00:00:00Z
            -----BEGIN PGP SIGNATURE-----

            iHUEARYKAB0WIQ
            =abcd
            -----END PGP SIGNATURE-----
            """
        #expect(codes(text, file: "security.txt") == [])
    }
}
