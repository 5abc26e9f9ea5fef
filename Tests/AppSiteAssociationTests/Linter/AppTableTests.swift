import Testing

@testable import AppSiteAssociation

@Suite struct AppTableTests {
    private static func file(_ name: String, _ text: String, host: String?) -> LintFile {
        LintFile(SourceText(name: name, text: text), host: host)
    }

    @Test func knowsTheAppsOfEachHostAndService() {
        let document = """
            {"applinks": {"details": [{"appIDs": ["D3KQX62K1A.com.example.shop"]}]},
             "webcredentials": {"apps": ["9JA89QQLNQ.com.example.news"]}}
            """
        let files = [
            Self.file("apple-app-site-association", document, host: "example.com"),
            Self.file("App.entitlements", "<plist><dict/></plist>", host: nil),
        ]
        let table = AppTable(files)
        #expect(table.names("D3KQX62K1A.com.example.shop", under: "applinks", of: "EXAMPLE.com"))
        #expect(
            !table.names("D3KQX62K1A.com.example.shop", under: "webcredentials", of: "example.com"))
        #expect(
            table.apps(of: "example.com")
                == ["9JA89QQLNQ.com.example.news", "D3KQX62K1A.com.example.shop"])
        #expect(table.documents(of: "example.org").isEmpty)
        // Without an entitlement nothing asks, and nothing is built.
        #expect(AppTable([files[0]]).documents(of: "example.com").isEmpty)
    }
}
