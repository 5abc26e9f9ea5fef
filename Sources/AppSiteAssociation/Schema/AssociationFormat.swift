/// The format of the association file: every key, its type, what it is for, and since when.
///
/// The linter, the merge, the schema and the reference page read this table. The values of the
/// model (``AssociationFile``) are named after its keys.
public enum AssociationFormat {
    /// For editors: `aasa schema`.
    public static let format = DocumentFormat(
        "apple-app-site-association", code: "root-not-object", owner: "that Apple documents",
        .object(root))

    /// The services that Apple documents, in Apple's order.
    public static let services = root.members.filter { $0.standing == .documented }.map(\.key)

    static let root = SchemaObject(
        "document", place: "at the top level", noun: "a service", topLevel,
        needs: [SchemaNeed(topLevel.map(\.key), "no-service")], isOpen: true,
        codes: ("service-misspelt", "unknown-service"))

    private static let topLevel = [
        SchemaMember(
            "applinks", .object(applinks), "Universal links: which URLs open which app.",
            since: "iOS 9", wrong: ["service-not-object"]),
        SchemaMember(
            "webcredentials", .object(apps), "Apps that share passwords and passkeys.",
            since: "iOS 8", wrong: ["service-not-object"]),
        SchemaMember(
            "appclips", .object(apps), "App Clips of the site.", since: "iOS 14",
            wrong: ["service-not-object"]),
        SchemaMember(
            "activitycontinuation", .object(apps), "Handoff to and from the site.",
            since: "iOS 8", wrong: ["service-not-object"]),
        SchemaMember(
            "authsrv", .anything, "Sign-in extensions of macOS; not documented by Apple.",
            standing: .undocumented),
    ]

    static let apps = SchemaObject(
        "apps",
        [
            SchemaMember(
                "apps", .list(of: app, isSet: true), "Identifiers: PREFIX.BUNDLE-ID.",
                wrong: ["apps-not-array", "app-not-string"], standing: .repeated)
        ], needs: [SchemaNeed(["apps"], "apps-missing")], mayBeNothing: true,
        codes: ("applinks-key-misspelt", "applinks-key-unknown"))

    static let applinks = SchemaObject(
        "applinks", home: "in applinks",
        [
            SchemaMember(
                "apps", .list(of: .anything),
                "Once required and empty; has no meaning today.",
                wrong: ["applinks-apps-used"],
                consequence: "devices ignore the member, whatever it holds", standing: .repeated),
            SchemaMember(
                "details",
                .either(
                    .list(of: .object(entry)),
                    .table(of: .object(namedEntry), names: AppIdentifier.expression)),
                "The apps and their rules, in the order of their priority.", since: "iOS 9",
                wrong: ["details-wrong-type", "detail-not-object"]),
            SchemaMember(
                "defaults", .object(component), "Values for rules that do not set them.",
                wrong: ["defaults-not-object"]),
            SchemaMember(
                "substitutionVariables", .table(of: .list(of: .string()), names: "^[^$()]+$"),
                "Names, and the strings that $(name) in a pattern stands for.",
                wrong: ["variables-not-object", "variable-not-array", "variable-value-not-string"]),
        ], needs: [SchemaNeed(["details"], "details-missing")], mayBeNothing: true,
        codes: ("applinks-key-misspelt", "applinks-key-unknown"))

    static let entry = entry(
        "entry",
        needs: [rules, SchemaNeed(["appIDs", "appID"], "app-ids-missing", "names no app")])
    /// In the oldest form of `details`, where the key is the app.
    static let namedEntry = entry("namedEntry", needs: [rules])

    private static let rules = SchemaNeed(
        ["components", "paths"], "entry-rules-missing",
        "has neither components nor paths; third parties report that devices then match every URL")

    private static func entry(_ name: String, needs: [SchemaNeed]) -> SchemaObject {
        SchemaObject(
            name, place: "in an entry", home: "in an entry of applinks.details",
            [
                SchemaMember(
                    "appIDs", .list(of: app, isSet: true), "The apps that open by these rules.",
                    since: "iOS 13", wrong: ["app-ids-not-array", "app-not-string"]),
                SchemaMember(
                    "appID", app, "One app, for systems before iOS 13.", since: "iOS 9",
                    wrong: ["app-id-not-string"], list: ("appIDs", "app-id-array")),
                SchemaMember(
                    "components", .list(of: .object(component)),
                    "The rules, in order: the first that matches decides.", since: "iOS 13",
                    wrong: ["components-not-array", "component-not-object"]),
                SchemaMember(
                    "paths", .list(of: .string()),
                    "Path patterns for systems before iOS 13, with \"NOT \" before exclusions.",
                    since: "iOS 9", wrong: ["paths-not-array", "path-not-string"]),
                SchemaMember(
                    "defaults", .object(component), "Values for rules that do not set them.",
                    wrong: ["defaults-not-object"]),
            ], needs: needs, codes: ("entry-key-misspelt", "entry-key-unknown"),
            readings: { member in
                guard AppIdentifier(member.key) != nil, member.value.members != nil else {
                    return nil
                }
                return SchemaSlip(
                    key: "appID",
                    remedy: "Write \"appID\": \"\(member.key)\", and beside it what it holds now.")
            })
    }

    static let component = SchemaObject(
        "component", place: "in a component",
        home: "in an object of \"components\" or in \"defaults\"",
        [
            SchemaMember(
                "/", .string(), "The path: * is any text, ? one character.",
                wrong: ["pattern-not-string"]),
            SchemaMember(
                "?", .either(.string(), .table(of: .string())),
                "The query, whole or by items: name and pattern.",
                wrong: ["query-wrong-type", "query-value-not-string"],
                consequence: "devices ignore the whole \"?\", so the rule matches any query"),
            SchemaMember(
                "#", .string(), "The fragment, without its sign.", wrong: ["pattern-not-string"]),
            SchemaMember(
                "exclude", .boolean, "Whether a match keeps the URL out of the app.",
                wrong: ["flag-not-boolean"]),
            SchemaMember(
                "comment", .string(), "For people; ignored.", wrong: ["comment-not-string"],
                standing: .comment),
            SchemaMember(
                "caseSensitive", .boolean, "Whether letter case counts; default: true.",
                since: "iOS 13.5", wrong: ["flag-not-boolean"]),
            SchemaMember(
                "percentEncoded", .boolean,
                "Whether the pattern is percent-encoded as URLs are; default: true.",
                since: "iOS 14", wrong: ["flag-not-boolean"]),
        ], codes: ("component-key-misspelt", "component-key-unknown"), readings: reading)

    private static let app = SchemaNode.string(pattern: AppIdentifier.expression)

    // MARK: - Other words

    /// Names that people use for a member with a symbolic key, in lower case and without
    /// separators.
    static let signNames = [
        "path": "/", "paths": "/", "query": "?", "queries": "?", "fragment": "#", "hash": "#",
        "not": "exclude", "params": "?", "url": "/", "pathname": "/", "pattern": "/", "route": "/",
        "uri": "/", "search": "?", "anchor": "#", "deny": "exclude", "disallow": "exclude",
        "disabled": "exclude", "block": "exclude",
    ]
    /// Names that people use for the opposite of a member. To replace one by the member, its value
    /// must be inverted as well.
    static let opposites = [
        "include": "exclude", "included": "exclude", "includes": "exclude", "allow": "exclude",
        "allowed": "exclude", "enabled": "exclude", "open": "exclude",
        "ignorecase": "caseSensitive", "caseinsensitive": "caseSensitive",
        "percentdecoded": "percentEncoded", "decoded": "percentEncoded",
        "unencoded": "percentEncoded",
    ]

    @Sendable private static func reading(_ member: JSONMember) -> SchemaSlip? {
        let key = member.key
        // `/ ` is a slip of the key, and so are an invisible character, `／` in full width, and `/*`
        // with a pattern as its value.
        let bare = String(
            String.UnicodeScalarView(
                key.unicodeScalars.filter {
                    !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                }.map { Unicode.Scalar($0.value &- 0xFEE0).flatMap { $0.isASCII ? $0 : nil } ?? $0 }
            ))
        if bare != key, component[bare] != nil { return SchemaSlip(key: bare) }
        if ["//", "/*"].contains(key), member.value.string?.hasPrefix("/") == true {
            return SchemaSlip(key: "/")
        }
        // `/buy/*` as a key: the pattern is in the place of the key.
        if key.hasPrefix("/"), key.utf8.count > 1 {
            return SchemaSlip(
                key: "/",
                remedy: "Write the pattern as the value of \"/\": { \"/\": \"\(key)\" }.")
        }
        if key.hasPrefix("NOT "), key.utf8.count > 4 {
            return SchemaSlip(
                key: "/",
                remedy: "Write the pattern as the value of \"/\", with \"exclude\": true beside it."
            )
        }
        if key.hasPrefix("*") {
            return SchemaSlip(key: "/", remedy: "Write the pattern as the value of \"/\".")
        }
        guard key.utf8.count <= 24 else { return nil }
        let folded = key.lowercased().filter { !"_- ".contains($0) }
        if let sign = signNames[folded] { return SchemaSlip(key: sign) }
        guard let opposite = opposites[folded] else { return nil }
        let value = member.value.bool.map { $0 ? "false" : "true" } ?? "the opposite value"
        return SchemaSlip(key: opposite, remedy: "Write \"\(opposite)\": \(value).")
    }
}
