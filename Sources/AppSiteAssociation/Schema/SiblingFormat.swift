/// The formats of the documents beside the association file.
public enum SiblingFormat {
    /// Android's `assetlinks.json` (Google, *Digital Asset Links: Creating a Statement List*).
    public static let assetLinks = DocumentFormat(
        "assetlinks.json", code: "assetlinks-statement",
        wrong: ["assetlinks-not-array", "assetlinks-statement"], .list(of: .object(statement)))

    private static let statement = SchemaObject(
        "statement",
        [
            SchemaMember(
                "relation", .list(of: .string(pattern: "/"), isSet: true),
                "What is granted: kind/detail.",
                wrong: ["assetlinks-relation", "assetlinks-relation"]),
            SchemaMember("target", .object(target), "To whom.", wrong: ["assetlinks-target"]),
            SchemaMember("include", .string(), "The URL of another statement list."),
            SchemaMember(
                "relation_extensions",
                .table(of: .object(relationExtension)), "More about relations, by their names."),
        ],
        needs: [
            SchemaNeed(["relation", "include"], "assetlinks-relation", "has no relation"),
            SchemaNeed(["target", "include"], "assetlinks-target", "has no target"),
        ], codes: ("assetlinks-key-misspelt", nil))

    private static let target = SchemaObject(
        nil,
        [
            SchemaMember(
                "namespace", .choice(["android_app", "web"]), "What the target is.",
                wrong: ["assetlinks-target"]),
            SchemaMember(
                "package_name", .string(), "The application ID of an Android app.",
                wrong: ["assetlinks-package"]),
            SchemaMember(
                "sha256_cert_fingerprints",
                .list(
                    of: .string(pattern: "^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$"), isSet: true),
                "The certificates of the app: SHA-256 in hexadecimal pairs with colons.",
                wrong: ["assetlinks-fingerprint", "assetlinks-fingerprint"]),
            SchemaMember(
                "site", .string(pattern: "^https?://[^/]+(/.*)?$"),
                "Scheme and host of a web target; of a web app, the URL of its manifest.",
                wrong: ["assetlinks-site"]),
        ],
        needs: [
            SchemaNeed(["namespace"], "assetlinks-target"),
            SchemaNeed(["package_name"], "assetlinks-package", when: app),
            SchemaNeed(["sha256_cert_fingerprints"], "assetlinks-fingerprint", when: app),
            SchemaNeed(["site"], "assetlinks-site", when: ("namespace", "web")),
        ], codes: ("assetlinks-key-misspelt", nil))

    private static let app = ("namespace", "android_app")

    private static let relationExtension = SchemaObject(
        nil,
        [
            SchemaMember(
                "dynamic_app_link_components", .list(of: .object(AssociationFormat.component)),
                "Rules for links, in order (Android 15).")
        ], codes: ("assetlinks-key-misspelt", nil))

    /// `/.well-known/webauthn` (W3C, *Web Authentication* level 3, 5.11).
    public static let webAuthn = DocumentFormat(
        "/.well-known/webauthn", code: "webauthn-shape",
        .object(
            [
                SchemaMember(
                    "origins", .list(of: .string(pattern: "^https://[^/?#@*]+$"), isSet: true),
                    "Other origins that may use this site's passkeys.",
                    wrong: ["webauthn-shape", "webauthn-origin"])
            ], needs: [["origins"]], isOpen: true))

    /// `/.well-known/passkey-endpoints` (W3C, *Passkey Endpoints Well-Known URL*).
    static let passkeyEndpoints = DocumentFormat(
        "/.well-known/passkey-endpoints", code: "passkey-endpoints-shape", .object(endpoints))

    static let endpoints = SchemaObject(
        nil,
        [
            endpoint("enroll", "Where a passkey is made."),
            endpoint("manage", "Where passkeys are managed."),
            endpoint("prfUsageDetails", "What the site encrypts by a passkey."),
        ], codes: ("passkey-endpoints-key", "passkey-endpoints-key"))

    private static func endpoint(_ key: String, _ text: String) -> SchemaMember {
        SchemaMember(key, .string(pattern: "^https://"), text, wrong: ["passkey-endpoints-url"])
    }
}
