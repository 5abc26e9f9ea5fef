import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EntitlementRulesTests: LintSuite {
    private func plist(_ body: String) -> String { "<plist version=\"1.0\">\(body)</plist>" }

    private func domains(_ list: String, more: String = "") -> String {
        plist(
            "<dict>\(more)<key>com.apple.developer.associated-domains</key><array>"
                + list + "</array></dict>")
    }

    private func found(_ text: String) -> [String] {
        codes(text, file: "App.entitlements").filter { $0 != "entitlement-without-webcredentials" }
    }

    @Test func theFormIsLookedAt() {
        expectEqual(found(domains("<string>applinks:a.example.com</string>")), [])
        expectEqual(found(plist("<dict></dict>")), ["entitlement-no-domains"])
        expectEqual(found(plist("<array></array>")), ["entitlement-root"])
        expectEqual(
            found(
                plist(
                    "<dict><key>com.apple.developer.associated-domains</key><string>a</string>"
                        + "</dict>")), ["entitlement-domains-not-array"])
        expectEqual(found(domains("<true/>")), ["entitlement-not-string"])
    }

    /// The reader's own code is kept in the words.
    @Test func whatCannotBeReadIsOneFinding() {
        let findings = lint("<plist><dict>", file: "App.entitlements")
        expectEqual(findings.map(\.code), ["plist-unreadable"])
        expectEqual(findings.first?.message.contains("(plist-"), true)
        expectEqual(findings.first?.remedy?.isEmpty, false)
    }

    /// The host's document and entitlements that name it.
    private func together(
        _ entry: String, document: [(name: String, text: String)], host: String = "a.example.com",
        app: String? = Self.shop
    ) -> [Diagnostic] {
        let files =
            document.map {
                LintFile(
                    SourceText(name: $0.name, text: $0.text), as: .association, host: host)
            } + [
                LintFile(
                    SourceText(
                        name: "App.entitlements", text: domains("<string>\(entry)</string>")),
                    app: app)
            ]
        return Linter.lintHost(files).filter { $0.code == "entitlement-app-not-listed" }
    }

    private func links(_ app: String) -> String {
        "{\"applinks\": {\"details\": [\(entry("{\"/\": \"/a\"}", app: app))]}}"
    }

    @Test func theDocumentHasToNameTheApp() {
        let own = [(name: "own", text: links(Self.shop))]
        let other = [(name: "other", text: links("9JA89QQLNQ.com.example.news"))]
        #expect(together("applinks:a.example.com", document: own).isEmpty)
        #expect(together("applinks:A.Example.com", document: own).isEmpty)
        let found = together("applinks:a.example.com", document: other)
        expectEqual(found.map(\.message), ["other does not name \(Self.shop) under applinks"])
        expectEqual(found.first?.related.map(\.file), ["other"])
        // Under every service that it is entitled to.
        expectEqual(together("webcredentials:a.example.com", document: own).count, 1)
        // Of a host without a document nothing is known, nor of a service of others.
        #expect(together("applinks:b.example.com", document: other).isEmpty)
        #expect(together("myservice:a.example.com", document: other).isEmpty)
    }

    /// One fragment that names it is enough; where none does, all are told, eight by name.
    @Test func allFragmentsAreLookedThrough() {
        let others = (0..<10).map {
            (name: "f\($0)", text: links("9JA89QQLNQ.com.example.news\($0)"))
        }
        let found = together("applinks:a.example.com", document: others)
        expectEqual(found.first?.message.hasPrefix("f0 (and 9 more) does not name"), true)
        expectEqual(found.first?.related.count, 8)
        #expect(
            together(
                "applinks:a.example.com", document: others + [(name: "own", text: links(Self.shop))]
            ).isEmpty)
    }

    /// An identifier with a variable of the build is none yet; without one nothing is asked.
    @Test func onlyAKnownAppIsLookedFor() {
        let other = [(name: "other", text: links("9JA89QQLNQ.com.example.news"))]
        let domain = "applinks:a.example.com"
        #expect(together(domain, document: other, app: nil).isEmpty)
        #expect(together(domain, document: other, app: "$(AppIdentifierPrefix)com.a").isEmpty)
        let files = [
            LintFile(
                SourceText(name: "other", text: other[0].text), as: .association,
                host: "a.example.com"),
            LintFile(
                SourceText(
                    name: "App.entitlements",
                    text: domains(
                        "<string>\(domain)</string>",
                        more: "<key>application-identifier</key><string>\(Self.shop)</string>"))),
        ]
        expectEqual(
            Linter.lintHost(files).filter { $0.code == "entitlement-app-not-listed" }.count, 1)
    }
}
