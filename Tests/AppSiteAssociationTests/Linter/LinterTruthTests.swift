import AppSiteAssociation
import TestSupport
import Testing

/// Findings that were wrong or missing once.
@Suite struct LinterTruthTests {
    private func lint(_ text: String, file: String = "apple-app-site-association") -> [Diagnostic] {
        Linter.lint(SourceText(name: file, text: text), options: LintOptions(now: exampleDate))
    }

    private func codes(_ text: String, file: String = "apple-app-site-association") -> [String] {
        lint(text, file: file).map(\.code)
    }

    private func details(_ entries: String, applinks: String = "") -> String {
        "{\"applinks\": {\(applinks)\"details\": [\(entries)]}}"
    }

    private func entry(_ app: String, _ components: String, more: String = "") -> String {
        "{\"appIDs\": [\"\(app)\"], \(more)\"components\": [\(components)]}"
    }

    private let shop = "9JA89QQLNQ.com.example.shop"

    @Test(arguments: [
        ("{\"/\": \"/café\", \"percentEncoded\": false}", "", ""),
        ("{\"/\": \"/a b\"}", "\"defaults\": {\"percentEncoded\": false}, ", ""),
        (
            "{\"/\": \"/%c3\", \"#\": \"é\", \"?\": {\"a\": \"é\"}}", "",
            "\"defaults\": {\"percentEncoded\": false}, "
        ),
    ])
    func percentEncodedFalseIsRespected(component: String, entryDefaults: String, defaults: String)
    {
        let found = codes(
            details(entry(shop, component, more: entryDefaults), applinks: defaults))
        for code in ["pattern-not-ascii", "pattern-with-blank", "pattern-lower-hex"] {
            #expect(!found.contains(code), "\(found)")
        }
    }

    /// The app opens URLs by each of these rules.
    @Test(arguments: [
        "{\"/\": \"/proxy/https://*\"}", "{\"/\": \"/??/list/color=*\"}",
        "{\"/\": \"/a\", \"?\": \"?*=?*\"}",
    ])
    func whatMatchesIsNoError(component: String) {
        #expect(lint(details(entry(shop, component))).allSatisfy { $0.severity != .error })
    }

    @Test(arguments: ["digit", "Digit"])
    func aVariableOfTheDocumentIsNoClassOfCharacters(name: String) {
        let variables = "\"substitutionVariables\": {\"\(name)\": [\"one\", \"two\"]}, "
        let rules =
            "{\"/\": \"/x/?\", \"exclude\": true, \"caseSensitive\": false}, "
            + "{\"/\": \"/x/$(\(name))\", \"caseSensitive\": false}"
        #expect(
            !codes(details(entry(shop, rules), applinks: variables)).contains("rule-unreachable"))
    }

    @Test func patternsOfDefaultsAreNotReadForPaths() {
        let all = entry(shop, "{\"/\": \"*\", \"?\": {\"x\": \"1\"}, \"exclude\": true}")
        let paths =
            "{\"appID\": \"\(shop)\", \"defaults\": {\"?\": {\"x\": \"1\"}}, "
            + "\"paths\": [\"/buy/*\"]}"
        #expect(!codes(details("\(all), \(paths)")).contains("rule-unreachable"))
    }

    @Test func valuesOfVariablesAreReadAsPatternsAre() {
        let variables = "\"substitutionVariables\": {\"food\": [\"café\", \"hot dog\"]}, "
        let used = details(entry(shop, "{\"/\": \"/m/$(food)\"}"), applinks: variables)
        #expect(codes(used).contains("pattern-not-ascii"))
        #expect(codes(used).contains("pattern-with-blank"))
        let decoded = details(
            entry(shop, "{\"/\": \"/m/$(food)\", \"percentEncoded\": false}"),
            applinks: variables)
        #expect(!codes(decoded).contains("pattern-not-ascii"))
    }

    @Test(arguments: [([0xFF, 0xFE, 0, 0] as [UInt8]), [0, 0, 0xFE, 0xFF]])
    func fourBytesALetterAreNotCalledTwo(mark: [UInt8]) {
        let found = Linter.lint(
            SourceText(name: "apple-app-site-association", bytes: mark + [0x7B, 0, 0, 0]))
        expectEqual(found.first?.remedy?.contains("utf-32"), true, "\(found)")
    }

    @Test func percentEncodedTrueOverridesItsDefaults() {
        let found = codes(
            details(
                entry(shop, "{\"/\": \"/é\", \"percentEncoded\": true}"),
                applinks: "\"defaults\": {\"percentEncoded\": false}, "))
        #expect(found.contains("pattern-not-ascii"))
    }

    @Test func defaultsAreLookedAt() {
        let typo = codes(
            details(
                entry(shop, "{\"/\": \"/a\"}"),
                applinks: "\"defaults\": {\"casesensitive\": false}, "))
        expectEqual(typo, ["component-key-misspelt"])
        let top = codes("{\"defaults\": {}, \(details(entry(shop, "{\"/\": \"/a\"}")).dropFirst())")
        expectEqual(top, ["key-without-effect"])
        let pattern = codes(
            details(entry(shop, "{\"#\": \"a\"}"), applinks: "\"defaults\": {\"/\": \"/a\"}, "))
        expectEqual(pattern, ["defaults-with-pattern"])
        // What the defaults say is no longer missing.
        #expect(
            !codes(details(entry(shop, "{}"), applinks: "\"defaults\": {\"/\": \"/a\"}, "))
                .contains("component-without-pattern"))
    }

    @Test func ratherSmallThings() {
        expectEqual(codes("{\"applinks\": {\"details\": []}}"), ["details-empty"])
        expectEqual(
            codes(details("{\"appIDs\": [\"\(shop)\"], \"paths\": [\"/a\"]}")),
            ["paths-with-app-ids"])
        expectEqual(
            codes(details("{\"appID\": \"\(shop)\", \"paths\": [\"/a\"]}")), ["legacy-paths"])
        expectEqual(
            codes("{\"appclips\": {\"apps\": [\"\(shop).Clip\"], \"details\": []}}"),
            ["key-without-effect"])
        expectEqual(
            codes(details(entry(shop, "{\"?\": {\"$(lang)\": \"a\"}}"))), ["query-item-name"])
        let values = codes(
            details(
                entry(shop, "{\"/\": \"/$(a)\"}"),
                applinks: "\"substitutionVariables\": {\"a\": [\"x\", \"\", \"x\"]}, "))
        expectEqual(values, ["variable-value-empty", "variable-value-twice"])
    }

    @Test(arguments: [
        "TO" + "DO", "9JA89QQLNQ.com.companyName.App1", "9JA89QQLNQ.com.yourcompany.shop",
        "D3KQX62K1A.com.mycompany.*", "ABCDE12345.com.real.app",
    ])
    func placeholders(app: String) {
        let isFormed = !app.contains("*") && app.contains(".")
        expectEqual(
            codes("{\"webcredentials\": {\"apps\": [\"\(app)\"]}}"),
            [isFormed ? "app-id-sample" : "app-id-placeholder"])
    }

    /// Words that templates and real apps share.
    @Test(arguments: [
        "9JA89QQLNQ.com.acme." + "todo", "9JA89QQLNQ.com.acme.identifier",
        "9JA89QQLNQ.com.placeholder.app",
    ])
    func wordsOfRealApps(app: String) {
        expectEqual(codes("{\"webcredentials\": {\"apps\": [\"\(app)\"]}}"), [])
    }

    /// What has the form of an identifier is served, whatever it looks like: a false alarm must not
    /// take the document of a host away.
    @Test(arguments: ["A1B2C3D4E5.com.acme.one", "TEAMID1234.com.acme.one"])
    func aSampleIsNoError(app: String) {
        let findings = lint("{\"webcredentials\": {\"apps\": [\"\(app)\"]}}")
        expectEqual(findings.map(\.severity), [.warning])
        #expect(AppIdentifier.problem(in: app) == nil)
    }

    /// What a look through the files of others showed to be wrong, missing or beside the point.
    @Test func anEntryForNoAppIsToldAndItsRulesAreNot() {
        expectEqual(
            codes(details("{\"appIDs\": [], \"components\": [{\"/\": \"/*\"}]}")),
            ["app-list-empty"])
    }

    @Test func theFrontPageWithAQueryIsMeant() {
        let found = codes(details(entry(shop, "{\"/\": \"/\", \"?\": {\"id\": \"?*\"}}")))
        expectEqual(found, [])
        expectEqual(codes(details(entry(shop, "{\"/\": \"/\"}"))), ["front-page-only"])
    }

    @Test func aDomainOfATemplateIsOneAndASiteIsNot() {
        func found(_ domain: String) -> [String] {
            codes(
                "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key>"
                    + "<array><string>applinks:\(domain)</string></array></dict></plist>",
                file: "App.entitlements"
            ).filter {
                !["entitlement-upper-case", "entitlement-without-webcredentials"].contains($0)
            }
        }
        expectEqual(found("YOUR_CUSTOM_DOMAIN"), ["entitlement-placeholder"])
        expectEqual(found("yourdomain.com"), ["entitlement-placeholder"])
        expectEqual(found("your-brand.com"), [])
        expectEqual(found("to" + "do.acme.com"), [])
        expectEqual(found("placeholder.acme.com"), [])
    }

    /// One finding for an address in any spelling, and none that reads it as a name.
    @Test(arguments: ["[::1]", "127.1", "10.0.0.1", "[2001:db8::1]", "*.127.0.0.1"])
    func anAddressIsOneFinding(domain: String) {
        let found = codes(
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>com.apple.developer.associated-domains</key>
            <array><string>webcredentials:\(domain)</string></array></dict></plist>
            """, file: "App.entitlements")
        expectEqual(found, ["entitlement-address"], "\(found)")
    }

    /// Rules behind one variable each were compared with one another, all with all.
    @Test func aVariableInFrontTellsRulesApart() {
        let rules = (0..<1500).map { "{\"/\": \"/$(v\($0))/a\"}" }.joined(separator: ",")
        let variables = (0..<1500).map { "\"v\($0)\": [\"x\"]" }.joined(separator: ",")
        let found = codes(
            details(
                entry(shop, rules + ",{\"/\": \"/$(v7)/a\"}"),
                applinks: "\"substitutionVariables\": {\(variables)}, "))
        #expect(found.contains("rule-redundant"))
        #expect(!found.contains("comparison-incomplete"))
    }

    @Test func oneTeamsUnrelatedAppsAreToldAndItsBuildsAreNot() {
        func claims(_ apps: [String]) -> [Diagnostic] {
            lint(
                details(
                    apps.map { entry("9JA89QQLNQ.\($0)", "{\"/\": \"*\"}") }.joined(separator: ","))
            )
            .filter { $0.code == "app-urls-claimed" }
        }
        let builds = [
            "com.example.shop", "com.example.shop.dev", "com.example.shop-beta",
            "com.example.shop.Clip", "com.example.shop.qa.internal",
        ]
        #expect(claims(builds).isEmpty)
        let unrelated = claims(["com.example.shop", "com.example.news", "com.example.radio"])
        #expect(unrelated.count == 1 && unrelated[0].message.contains("1 more entry"))
    }

    @Test func pathsWithoutSlashAreOneFinding() {
        let list = (0..<69).map { "{\"/\": \"a\($0)\"}" }.joined(separator: ",")
        let found = lint(details(entry(shop, list)))
        expectEqual(found.map(\.code), ["path-without-slash"])
        #expect(found.first?.severity == .note && found.first?.message.contains("68 more") == true)
    }

    @Test func aFragmentIsMeasuredAsItWillStand() {
        // Indentation makes the file larger than the limit; the document is far below it.
        let blanks = String(repeating: " ", count: 150_000)
        let text = "{\(blanks)\"webcredentials\": {\"apps\": [\"\(shop)\"]}}"
        let source = SourceText(name: "teams/9JA89QQLNQ.json", text: text)
        let file = LintFile(source, host: "example.com", team: "9JA89QQLNQ")
        expectEqual(Linter.lintHost([file]), [])
        expectEqual(codes(text), ["size-over-limit"])
        let many = (0..<3_000).map { "\"9JA89QQLNQ.com.example.shop.number\($0)\"" }
        let large = SourceText(
            name: "teams/9JA89QQLNQ.json",
            text: "{\"webcredentials\":{\"apps\":[\(many.joined(separator: ","))]}}")
        let near = Linter.lintHost([LintFile(large, host: "example.com", team: "9JA89QQLNQ")])
        expectEqual(near.map(\.code), ["size-near-limit"])
    }

    @Test func severalSyntaxErrorsAreToldAtOnce() {
        let text = """
            {
              // the shop
              'applinks': {
                details: [
                  { "appIDs": ["\(shop)",], "components": [{ "/": "*" },] }
                ]
              }
            }
            """
        let found = lint(text)
        expectEqual(
            found.map(\.code),
            [
                "json-comment", "json-single-quote", "json-unquoted-key", "json-trailing-comma",
                "json-trailing-comma",
            ])
        expectEqual(found.compactMap { $0.start?.line }, [2, 3, 4, 5, 5])
        // Behind a bracket that is missing nothing can be told.
        expectEqual(codes("{\"a\": [1, 2}, 'b': 1}"), ["json-mismatched-bracket"])
        #expect(lint("[" + String(repeating: "1,]x", count: 500)).count < 40)
    }

    @Test func whatIsNotComparedIsSaid() {
        let rules = (0..<3_000).map { "{\"/\": \"*-\($0)-*a*b\"}" }.joined(separator: ",")
        #expect(codes(details(entry(shop, rules))).contains("comparison-incomplete"))
        let honest = (0..<1_000).map { "{\"/\": \"/path/\($0)/*\"}" }.joined(separator: ",")
        expectEqual(codes(details(entry(shop, honest))), [])
    }

    @Test func whatIsNotListedIsCounted() throws {
        let keys = (0..<5_000).map { _ in "\"a\": 1" }.joined(separator: ",")
        let report = LintReport(findings: lint("{\(keys)}"), documents: 1)
        expectEqual(report.count(.error), 5_000)
        #expect(
            report.findings.contains {
                $0.omission?.count == 4_899 && $0.omission?.code == "duplicate-key"
            })
        #expect(report.summary.hasPrefix("5000 errors in "))
        for text in [
            String(decoding: report.json, as: UTF8.self), report.github,
            String(decoding: report.sarif(version: "1"), as: UTF8.self), report.text(color: false),
        ] {
            #expect(text.contains("4999 findings of duplicate-key"))
        }
    }

    @Test func longStringsAreCutInMessages() {
        let path = String(repeating: "é", count: 100_000)
        for finding in lint(details(entry(shop, "{\"/\": \"/\(path)\"}"))) {
            #expect(finding.message.utf8.count < 2_000, "\(finding.code)")
        }
    }
}
