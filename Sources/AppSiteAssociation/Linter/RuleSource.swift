/// The web page of a rule's source.
public enum RuleSource {
    private static let apple = "https://developer.apple.com/documentation/"
    private static let links = apple + "bundleresources/applinks"

    /// Prefixes of the sources of rules, and their pages.
    private static let pages: [(source: String, page: String)] = [
        ("Apple, applinks", links),
        (
            "Apple, Associated Domains Entitlement",
            apple
                + "bundleresources/entitlements/com.apple.developer.associated-domains"
        ),
        (
            "Apple, CFBundleIdentifier",
            apple
                + "bundleresources/information-property-list/cfbundleidentifier"
        ),
        ("Apple's swcutil", apple + "technotes/tn3155-debugging-universal-links"),
        (
            "Apple, archive: Support Universal Links",
            "https://developer.apple.com/library/archive/"
                + "documentation/General/Conceptual/AppSearch/UniversalLinks.html"
        ),
        ("Apple, Shared Web Credentials", apple + "security/shared-web-credentials"),
        ("Apple developer forum 712348", "https://developer.apple.com/forums/thread/712348"),
        ("Apple developer forum 707901", "https://developer.apple.com/forums/thread/707901"),
        (
            "Apple, plist(5)",
            "https://developer.apple.com/library/archive/documentation/Cocoa/"
                + "Conceptual/PropertyLists/UnderstandXMLPlist/UnderstandXMLPlist.html"
        ),
        (
            "Google, Digital Asset Links",
            "https://developers.google.com/digital-asset-links/v1/"
                + "create-statement"
        ),
        ("Android, application ID", "https://developer.android.com/build/configure-app-module"),
        ("RFC 9116", "https://www.rfc-editor.org/rfc/rfc9116"),
        ("RFC 3986", "https://www.rfc-editor.org/rfc/rfc3986"),
        ("RFC 8259", "https://www.rfc-editor.org/rfc/rfc8259"),
        ("W3C, WebAuthn", "https://www.w3.org/TR/webauthn-3/#sctn-related-origins"),
        ("W3C, Passkey Endpoints", "https://www.w3.org/TR/passkey-endpoints/"),
        ("W3C, A Well-Known URL", "https://www.w3.org/TR/change-password-url/"),
    ]

    /// The page of a rule's source; Apple's page on the subject if the source is an observation or
    /// this tool.
    public static func page(of rule: LintRule) -> String {
        pages.first { rule.source.hasPrefix($0.source) }?.page
            ?? apple + "xcode/supporting-associated-domains"
    }
}
