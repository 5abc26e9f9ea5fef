import AppSiteAssociation
import TestSupport
import Testing

// Covers: AppIdentifier+NearMiss.swift

/// Findings that say what a thing is, and suggestions that help.
@Suite struct LinterCasesTests {
    private func lint(_ text: String, as kind: LintKind = .association) -> [Diagnostic] {
        Linter.lint(SourceText(name: "f", text: text), as: kind)
    }

    private func serious(_ text: String, as kind: LintKind = .association) -> [String] {
        lint(text, as: kind).filter { $0.severity >= .warning }.map(\.code)
    }

    private func rules(_ rules: String) -> String {
        ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[\##(rules)]}]}}"##
    }

    @Test(arguments: [
        ("Acme Ltd. - 8J4XS92YN9", "app-id-something-else"),
        ("Acme (8J4XS92YN9)", "app-id-something-else"),
        ("Acme Ltd. - 8J4XS92YN9.com.acme", "app-id-something-else"),
        ("1:100200300:web:0a1b2c3d", "app-id-something-else"),
        ("1:100200300:ios:0a1b2c3d", "app-id-something-else"),
        ("applinks:D3KQX62K1A.com.a", "app-id-something-else"),
        ("https://example.com", "app-id-something-else"),
        ("<%= team %>.com.acme.app", "app-id-placeholder"),
        ("D3KQX62K1A.{{bundle}}", "app-id-placeholder"), ("D3KQX62K1A.com.a ", "app-id-blank"),
    ])
    func anIdentifierIsSomethingElse(_ app: String, _ code: String) {
        expectEqual(serious(##"{"webcredentials":{"apps":["\##(app)"]}}"##), [code])
    }

    @Test(arguments: [
        ("/links.acme.com/*", "path-with-host"), ("*.example.com/*", "path-with-host"),
        ("links.acme.com/a", "path-with-host"), ("/open*app=false*", "path-with-query"),
        ("/a&b=c", "path-with-query"), ("/$lang/x", "pattern-not-glob"),
    ])
    func aPatternThatNeverMatches(_ pattern: String, _ code: String) {
        #expect(serious(rules(##"{"/":"\##(pattern)"}"##)).contains(code))
    }

    @Test(arguments: [
        "/index.html", "/a.b/c", "/.well-known/*", "/v1.0/*", "/a;v=1", "/robots.txt",
    ])
    func aPatternThatMatches(_ pattern: String) {
        expectEqual(serious(rules(##"{"/":"\##(pattern)"}"##)), [])
    }

    @Test(arguments: [
        (##"{"NOT /":"/a"}"##, "exclude"), (##"{"*":"/a"}"##, "\"/\""),
        (##"{"pathname":"/a"}"##, "Write \"/\"."), (##"{"pattern":"/a"}"##, "Write \"/\"."),
        (##"{"search":"a=1"}"##, "Write \"?\"."),
    ])
    func aKeyThatPeopleWrite(_ rule: String, _ part: String) {
        let found = lint(rules(rule)).filter { $0.code == "component-key-misspelt" }
        expectEqual(found.first?.remedy?.contains(part), true, "\(found)")
    }

    @Test func aTabIsNoBlank() {
        let text = ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT\t/a"]}]}}"##
        #expect(serious(text).contains("path-not-prefix"))
    }

    private func entries(_ entries: [(String, String)]) -> [Diagnostic] {
        let list = entries.map { ##"{"appIDs":[\##($0.0)],"components":[{"/":"\##($0.1)"}]}"## }
        return lint(##"{"applinks":{"details":[\##(list.joined(separator: ","))]}}"##).filter {
            $0.code.hasSuffix("urls-claimed")
        }
    }

    @Test func anAppTakesNothingFromOneThatPrecedesIt() {
        let (one, two) = ("\"D3KQX62K1A.com.one\"", "\"9JA89QQLNQ.com.two\"")
        let found = entries([(one, "/buy/*"), (two, "/buy/*"), (one, "/buy/x")])
        expectEqual(found.count, 1)
        #expect(found[0].message.contains("of 9JA89QQLNQ.com.two is already claimed"))
        #expect(entries([("", "/*"), ("", "/*")]).isEmpty)
        expectEqual(entries([(one, "/*"), (one + "," + two, "/a")]).count, 1)
        #expect(entries([(one + "," + two, "/*"), (two, "/a")]).isEmpty)
    }

    @Test(arguments: [
        (##"{"appclips":{"apps":["D3KQX62K1A.com.acme.app"]}}"##, true),
        (##"{"appclips":{"apps":["D3KQX62K1A.com.acme.app.Clip"]}}"##, false),
        (
            ##"{"appclips":{"apps":["D3KQX62K1A.com.a","D3KQX62K1A.com.a.Clip"]},"webcredentials":{"apps":["D3KQX62K1A.com.a"]}}"##,
            false
        ),
        (
            ##"{"appclips":{"apps":["D3KQX62K1A.com.a.Clip"]},"webcredentials":{"apps":["D3KQX62K1A.com.a.Clip"]}}"##,
            false
        ),
        (
            ##"{"appclips":{"apps":["D3KQX62K1A.com.a"]},"webcredentials":{"apps":["D3KQX62K1A.com.a"]}}"##,
            true
        ),
    ])
    func aFullAppIsNoClip(_ text: String, _ isFound: Bool) {
        expectEqual(lint(text).contains { $0.code == "app-clip-is-app" }, isFound)
    }

    @Test(arguments: [
        ("9JA89QQLNQ.com.acme.app", "prefix D3KQX62K1A" as String?),
        ("D3KQX62K1A.com.acme.App", "case"), ("D3KQX62K1A.com.acme.4pp", "looks similar"),
        ("D3KQX62KIA.com.acme.app", "prefix D3KQX62K1A"), ("com.acme.app", "full stop"),
        ("D3KQX62K1A.com.other.thing", nil), ("D3KQX62K1A.com.acme.app", nil),
    ])
    func nearMissesAreNamed(_ app: String, _ part: String?) {
        let near = AppIdentifier.nearMiss(of: app, among: ["D3KQX62K1A.com.acme.app"])
        #expect(part.map { near?.contains($0) == true } ?? (near == nil), "\(near ?? "nil")")
    }

    @Test func oneDocumentNamesItsNearMisses() {
        let text =
            ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a","9JA89QQLNQ.com.a","D3KQX62K1A.com.b"]}}"##
        expectEqual(lint(text).filter { $0.code == "app-id-near-miss" }.count, 1)
    }

    private func plist(_ domains: [String], more: String = "") -> String {
        let list = domains.map { "<string>\($0)</string>" }.joined()
        return "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key>"
            + "<array>\(list)</array>\(more)</dict></plist>"
    }

    @Test(arguments: [
        (["webcredentials:CUSTOM_DOMAIN_HERE"], ["entitlement-placeholder"]),
        (["applinks:ihre-domain.de?mode=developer"], ["entitlement-placeholder"]),
        (["https://a.de"], ["entitlement-scheme"]),
        (["applinks:https://a.de/"], ["entitlement-scheme"]),
        (["applinks:ftp://a.de"], ["entitlement-scheme"]),
        (["applinks:a.de", "applinks:A.de"], ["entitlement-upper-case", "entitlement-twice"]),
    ])
    func oneCauseIsOneFinding(_ domains: [String], _ codes: [String]) {
        expectEqual(serious(plist(domains), as: .entitlements), codes)
    }

    @Test func tooManyDomainsCrashTheApp() {
        func codes(_ count: Int) -> [String] {
            serious(plist((0..<count).map { "webcredentials:a\($0).de" }), as: .entitlements)
        }
        expectEqual(codes(1_001), ["entitlement-too-many-domains"])
        expectEqual(codes(1_000), ["entitlement-many-domains"])
    }

    @Test func managedDomainsAndTheirEntitlement() {
        let key = "<key>com.apple.developer.associated-domains.mdm-managed</key><true/>"
        func codes(_ domain: String, _ more: String) -> [String] {
            lint(plist([domain, "webcredentials:a.de"], more: more), as: .entitlements).map(\.code)
        }
        expectEqual(codes("applinks:a.de?mode=managed", ""), ["entitlement-not-managed"])
        expectEqual(codes("applinks:a.de?mode=managed", key), [])
        expectEqual(codes("applinks:a.de", key), ["entitlement-managed-only"])
        expectEqual(codes("applinks:b.de", ""), ["entitlement-without-webcredentials"])
    }

    @Test(arguments: [
        "https://*.example.de", "https://a..de", "https://example.de:99999", "https://u@a.de",
    ])
    func originsAreNames(_ origin: String) {
        expectEqual(serious(##"{"origins":["\##(origin)"]}"##, as: .webAuthn), ["webauthn-origin"])
        let site =
            ##"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"web","site":"\##(origin)"}}]"##
        expectEqual(serious(site, as: .assetLinks), ["assetlinks-site"])
    }

    private static let print =
        "2D:71:16:42:B7:26:B0:44:01:62:7C:A9:FB:AC:32:F5:C8:53:0F:B1:90:3C:C4:DB:02:25:87:17:92:1A:48:81"

    private func assetLinks(_ print: String, more: String = "") -> String {
        ##"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"com.acme.a","sha256_cert_fingerprints":["\##(print)"]}\##(more)}]"##
    }

    @Test func fingerprintsOfOtherNotationsAndPatterns() {
        func codes(_ print: String) -> [String] { serious(assetLinks(print), as: .assetLinks) }
        let bytes = (0..<32).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
        let steps = bytes.joined(separator: ":").uppercased()
        let letters = Array(repeating: "AA:BB:CC:DD:EE:FF:00:11", count: 4).joined(separator: ":")
        expectEqual(codes(Self.print), [])
        expectEqual(codes(steps), ["assetlinks-fingerprint-sample"])
        expectEqual(codes(letters), ["assetlinks-fingerprint-sample"])
        for sign in ["", " ", "-"] {
            let text = Self.print.replacing(":", with: sign)
            let found = lint(assetLinks(text), as: .assetLinks)
            expectEqual(found.map(\.code), ["assetlinks-fingerprint"])
            expectEqual(found.first?.remedy?.contains("colons"), true)
        }
    }

    @Test func linksOfAndroidAreLintedAsComponentsAre() {
        let more =
            ##","relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":[{"/":"*"},{"/":"/c","exclude":"true"},{"?":{"a":1}},{"/":"NOT /b"},{"path":"/x"}],"dynamic_app_link_component":[]}}"##
        expectEqual(
            serious(assetLinks(Self.print, more: more), as: .assetLinks),
            [
                "flag-not-boolean", "query-value-not-string",
                "component-with-not", "component-key-misspelt", "assetlinks-key-misspelt",
            ])
    }

    @Test func contactsAreSecure() {
        let found = lint(
            "Contact: http://example.com/report\nExpires: 2027-06-01T00:00:00Z\n", as: .securityText
        )
        expectEqual(found.first?.message.contains("https"), true)
    }

    @Test func theAppThatIsAskedForIsNearlyThere() {
        func found(_ app: String) -> [Diagnostic] {
            let text = ##"{"webcredentials":{"apps":["D3KQX62K1A.com.acme.app"]}}"##
            return Linter.lintHost([
                LintFile(
                    SourceText(name: "f", text: text), as: .association, host: "example.com",
                    app: app)
            ]).filter { $0.code == "app-id-near-miss" }
        }
        let near = found("9QXW7P2LZT.com.acme.app")
        expectEqual(near.first?.message.contains("with the prefix D3KQX62K1A"), true, "\(near)")
        #expect(found("D3KQX62K1A.com.acme.app").isEmpty)
    }

    @Test func aListUnderAppIDIsTheOnlyError() {
        let entries = ["D3KQX62K1A.com.acme.app", "D3KQX62K1A.com.acme.b"].map {
            ##"{"appID":["\##($0)"],"paths":["/*"]}"##
        }.joined(separator: ",")
        expectEqual(
            serious(##"{"applinks":{"details":[\##(entries)]}}"##),
            ["app-id-array", "app-id-array"])
    }

    @Test(arguments: [
        (##"{"/":"*"},{"/":"/c","exclude":true}"##, "rule-unreachable"),
        (##"{"/":"*"},{"/":"/c"}"##, "rule-redundant"),
        (##"{"/":"/a"},"NOT /b""##, "assetlinks-statement"),
    ])
    func theFirstRuleOfAndroidDecides(_ rules: String, _ code: String) {
        let relation = "delegate_permission/common.handle_all_urls"
        let more =
            ##","relation_extensions":{"\##(relation)":{"dynamic_app_link_components":[\##(rules)]}}"##
        expectEqual(serious(assetLinks(Self.print, more: more), as: .assetLinks), [code])
    }

    /// What the fix says must not cost the rules of the systems that the entry was written for.
    @Test(arguments: [
        (
            ##""appID":"D3KQX62K1A.com.acme.app","components":[{"/":"/a"}]"##,
            "components-beside-paths", "unless"
        ),
        (##""components":[]"##, "rules-empty", "Remove components"),
    ]) func pathsBesideComponents(_ members: String, _ code: String, _ remedy: String) {
        let entry = ##"{"appIDs":["D3KQX62K1A.com.acme.app"],"paths":["/a"],\##(members)}"##
        let found = lint(##"{"applinks":{"details":[\##(entry)]}}"##).filter {
            $0.severity != .note
        }
        expectEqual(found.map(\.code), [code])
        let text = found.first?.remedy ?? RuleCatalog.rule(code)?.remedy
        expectEqual(text?.contains(remedy), true, "\(found)")
    }

    /// Devices ignore these keys, and the URL that was to be kept out opens the app.
    @Test(arguments: [##""allow":false"##, ##""deny":true"##, ##""enabled":false"##])
    func aKeyThatForbidsIsExclude(_ key: String) {
        let rules = ##"{"/":"/admin/*",\##(key)},{"/":"/x/*"}"##
        let entry = ##"{"appIDs":["D3KQX62K1A.com.acme.app"],"components":[\##(rules)]}"##
        expectEqual(
            serious(##"{"applinks":{"details":[\##(entry)]}}"##), ["component-key-misspelt"])
    }

    // MARK: Suggestions

    @Test func theWayOutNamesTheRuleThatIsWrong() {
        let found = lint(
            rules(
                ##"{"?":{"campaign":"*"},"exclude":true},{"/":"/*/account/*","exclude":true},{"/":"/*/*"}"##
            ))
        let covered = found.filter { ["rule-redundant", "rule-unreachable"].contains($0.code) }
        expectEqual(covered.count, 2)
        #expect(covered.allSatisfy { $0.remedy?.contains("write \"?*\"") == true }, "\(covered)")
        let all = lint(
            rules(##"{"/":"*","exclude":true},{"/":"/jobs/*","exclude":true},{"/":"/a"}"##))
        #expect(
            all.filter { ["rule-redundant", "rule-unreachable"].contains($0.code) }.allSatisfy {
                $0.remedy?.hasPrefix("Narrow or remove the earlier rule") == true
            }, "\(all)")
    }

    @Test func noSuggestionIsItselfAFinding() {
        for text in [
            "{\"webcredentials\":{}}", "{\"applinks\":{\"details\":[{\"paths\":[\"/a\"]}]}}",
        ] {
            #expect(!lint(text).contains { $0.remedy?.contains("ABCDE12345") == true })
        }
        let paths = lint(
            ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["/a?b=1","/a#b"]}]}}"##)
        #expect(!paths.contains { $0.remedy?.hasPrefix("put") == true }, "\(paths)")
    }

    @Test func variablesInsideValuesAreOneFinding() {
        let text =
            ##"{"applinks":{"substitutionVariables":{"a":["$(b)x"],"b":["y"]},"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/$(a)"}]}]}}"##
        expectEqual(serious(text), ["variable-nested"])
    }
}
