/// The formats of the documents beside the association file, for editors.
public enum SiblingFormat {
    static let target = SchemaObject(
        nil,
        [
            SchemaMember(
                "namespace", .choice(["android_app", "web"]), "What the target is."),
            SchemaMember("package_name", .string(), "The application ID of an Android app."),
            SchemaMember(
                "sha256_cert_fingerprints",
                .list(
                    of: .string(pattern: "^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$"), isSet: true),
                "The certificates of the app: SHA-256 in hexadecimal pairs with colons."),
            SchemaMember(
                "site", .string(pattern: "^https?://[^/]+/?$"),
                "Scheme and host of a web target."),
        ], needs: [["namespace"]])
    static let relationExtension = SchemaObject(
        nil,
        [
            SchemaMember(
                "dynamic_app_link_components", .list(of: .object(AssociationFormat.component)),
                "Rules for links, in order (Android 15).")
        ])
    static let statement = SchemaObject(
        "statement",
        [
            SchemaMember(
                "relation", .list(of: .string(pattern: "/"), isSet: true),
                "What is granted: kind/detail."),
            SchemaMember("target", .object(target), "To whom."),
            SchemaMember("include", .string(), "The URL of another statement list."),
            SchemaMember(
                "relation_extensions",
                .table(of: .object(relationExtension)), "More about relations, by their names."),
        ], needs: [["relation", "include"], ["target", "include"]])

    /// Android's `assetlinks.json`.
    public static let assetLinks = SchemaNode.list(of: .object(statement))
        .document(title: "assetlinks.json")

    /// `/.well-known/webauthn`.
    public static let webAuthn = SchemaNode.object(
        [
            SchemaMember(
                "origins", .list(of: .string(pattern: "^https://[^/?#@*]+$"), isSet: true),
                "Other origins that may use this site's passkeys.")
        ], needs: [["origins"]], isOpen: true
    ).document(title: "/.well-known/webauthn")
}
