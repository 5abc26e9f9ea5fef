import AppSiteAssociation
import TestSupport
import Testing

@Suite struct ManagementRulesTests {
    private func serious(_ text: String, as kind: LintKind = .association) -> [String] {
        Linter.lint(SourceText(name: "f", text: text), as: kind)
            .filter { $0.severity >= .warning }.map(\.code)
    }

    @Test func profilesOfDeviceManagementAreRecognized() {
        let profile =
            "<plist version=\"1.0\"><dict><key>PayloadContent</key><array><dict>"
            + "<key>PayloadType</key><string>com.apple.associated-domains</string>"
            + "<key>Configuration</key><array><dict><key>ApplicationIdentifier</key>"
            + "<string>D3KQX62K1A.com.acme.app</string><key>AssociatedDomains</key><array>"
            + "<string>applinks:https://x.de</string></array></dict></array></dict></array></dict></plist>"
        expectEqual(
            serious(profile, as: LintKind(fileName: "a.mobileconfig")), ["entitlement-scheme"])
        let declaration =
            ##"{"Type":"com.apple.configuration.app.managed","Payload":{"Attributes":{"AssociatedDomains":["applinks:https://x.de"]}}}"##
        expectEqual(serious(declaration), ["entitlement-scheme"])
    }

    /// Issue 41, section 4: the keys and types of Apple's schemas.
    @Test(arguments: [
        ("", "<key>EnableDirectDownloads</key><true/>", [String]()),
        ("com.acme.app", "", ["app-id-prefix-missing"]),
        ("", "<key>EnableDirectDownloads</key><string>true</string>", ["managed-domains"]),
        ("", "<key>AssociatedDomainsEnableDirectDownloads</key><true/>", ["managed-domains"]),
        ("", "<key>ApplicationIdentifer</key><string>x</string>", ["managed-domains"]),
        ("", "<key>Label</key><string>x</string>", []),
    ])
    func appsOfAProfile(_ app: String, _ more: String, _ codes: [String]) {
        let app = app.isEmpty ? "D3KQX62K1A.com.acme.app" : app
        let list = "<array><string>applinks:a.de</string></array>"
        let one =
            "<dict><key>ApplicationIdentifier</key><string>\(app)</string>"
            + "<key>AssociatedDomains</key>\(list)\(more)</dict>"
        expectEqual(serious(profile(one), as: .entitlements), codes)
        // The same domain of two apps is not twice.
        expectEqual(serious(profile(one + one), as: .entitlements), codes + codes)
        let nothing = "<dict><key>AssociatedDomains</key>\(list)</dict>"
        expectEqual(serious(profile(nothing), as: .entitlements), ["managed-domains"])
        expectEqual(serious(profile(list), as: .entitlements), ["managed-domains"])
    }

    private func profile(_ apps: String) -> String {
        "<plist version=\"1.0\"><dict><key>PayloadType</key><string>Configuration</string>"
            + "<key>PayloadContent</key><array><dict>"
            + "<key>PayloadType</key><string>com.apple.associated-domains</string>"
            + "<key>Configuration</key><array>\(apps)</array></dict></array></dict></plist>"
    }

    @Test(arguments: [
        (#""AssociatedDomains": ["applinks:a.de"]"#, [String]()),
        (
            #""AssociatedDomains": ["applinks:a.de"], "AssociatedDomainsEnableDirectDownloads": true"#,
            []
        ),
        (#""AssociatedDomains": "applinks:a.de""#, ["managed-domains"]),
        (#""AssociatedDomains": [5]"#, ["managed-domains"]),
        (#""AssociatedDomain": ["applinks:a.de"]"#, ["managed-domains"]),
        (
            #""AssociatedDomains": ["applinks:a.de"], "EnableDirectDownloads": true"#,
            ["managed-domains"]
        ),
        (
            #""AssociatedDomains": [], "AssociatedDomainsEnableDirectDownloads": "yes""#,
            ["managed-domains"]
        ),
    ])
    func attributesOfAManagedApp(_ attributes: String, _ codes: [String]) {
        let declaration =
            #"{"Type":"com.apple.configuration.app.managed","Payload":{"AppStoreID":"1","Attributes":{"#
            + attributes + "}}}"
        expectEqual(serious(declaration), codes)
    }
}
