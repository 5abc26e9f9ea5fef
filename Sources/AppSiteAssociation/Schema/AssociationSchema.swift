/// The JSON Schema of the association file, generated from the tables of `Vocabulary`.
public enum AssociationSchema {
    /// For editors: `aasa schema`.
    public static var json: JSONValue {
        SchemaNode.object(
            Vocabulary.rootMembers, needs: [Vocabulary.services + Vocabulary.furtherServices],
            isOpen: true
        ).document(
            title: "apple-app-site-association",
            definitions: [
                ("app", .string(pattern: AppIdentifier.expression)),
                (
                    "apps",
                    .object(
                        Vocabulary.appListMembers, needs: Vocabulary.appList.map { [$0] })
                ),
                ("component", .object(Vocabulary.componentMembers)),
                (
                    "entry",
                    .object(
                        Vocabulary.entryMembers,
                        needs: [["appIDs", "appID"], ["components", "paths"]])
                ),
                (
                    "namedEntry",
                    .object(Vocabulary.entryMembers, needs: [["components", "paths"]])
                ),
            ])
    }
}

extension LintConfiguration {
    static let ruleMembers = [
        SchemaMember(
            "code", .string(), "The code of a finding; a * at the end stands for any ending."),
        SchemaMember(
            "severity", .choice(["off"] + Severity.allCases.map(\.rawValue)),
            "How much it matters; off: it is not reported."),
        SchemaMember(
            "paths", .list(of: .string()),
            "Where, relative to this file: * within a folder, ** across folders; default: "
                + "everywhere."),
        SchemaMember("reason", .string(), "Why; needed where the severity is off."),
    ]
    static let members = [
        SchemaMember("$schema", .string(), "Where an editor finds this schema."),
        SchemaMember(
            "failOn", .choice(Severity.allCases.map(\.rawValue)),
            "The least severity that fails a run; default: error."),
        SchemaMember(
            "rules", .list(of: .object(ruleMembers, needs: [["code"], ["severity"]])),
            "What is decided about codes; of several that fit a finding the last counts."),
    ]

    /// The JSON Schema of `.aasa.json`.
    public static var schema: JSONValue {
        SchemaNode.object(members).document(title: "the configuration of aasa lint (.aasa.json)")
    }
}

/// The JSON Schemas of the documents beside the association file.
public enum SiblingSchema {
    private static let statementMembers = [
        SchemaMember(
            "relation", .list(of: .string(pattern: "/"), isSet: true),
            "What is granted: kind/detail."),
        SchemaMember(
            "target",
            .object(
                [
                    SchemaMember(
                        "namespace", .choice(["android_app", "web"]), "What the target is."),
                    SchemaMember(
                        "package_name", .string(), "The application ID of an Android app."),
                    SchemaMember(
                        "sha256_cert_fingerprints",
                        .list(
                            of: .string(pattern: "^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$"),
                            isSet: true),
                        "The certificates of the app: SHA-256 in hexadecimal pairs with colons."),
                    SchemaMember(
                        "site", .string(pattern: "^https?://[^/]+/?$"),
                        "Scheme and host of a web target."),
                ], needs: [["namespace"]]), "To whom."),
        SchemaMember("include", .string(), "The URL of another statement list."),
        SchemaMember(
            "relation_extensions",
            .table(
                of: .object([
                    SchemaMember(
                        "dynamic_app_link_components", .list(of: .definition("component")),
                        "Rules for links, in order (Android 15).")
                ])), "More about relations, by their names."),
    ]
    /// Android's `assetlinks.json`.
    public static var assetLinks: JSONValue {
        SchemaNode.list(of: .definition("statement")).document(
            title: "assetlinks.json",
            definitions: [
                (
                    "statement",
                    .object(
                        statementMembers,
                        needs: [["relation", "include"], ["target", "include"]])
                ),
                ("component", .object(Vocabulary.componentMembers)),
            ])
    }

    /// `/.well-known/webauthn`.
    public static var webAuthn: JSONValue {
        SchemaNode.object(
            [
                SchemaMember(
                    "origins", .list(of: .string(pattern: "^https://[^/?#@*]+$"), isSet: true),
                    "Other origins that may use this site's passkeys.")
            ], needs: [["origins"]], isOpen: true
        ).document(title: "/.well-known/webauthn")
    }
}
