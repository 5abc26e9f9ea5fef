/// Every key that Apple documents, per level; devices ignore other keys.
enum Vocabulary {
    /// Services of the document itself, in Apple's order.
    static let services = rootMembers.map(\.key)
    /// Services in use that Apple does not document for this file (domain.md 2.1).
    static let furtherServices = ["authsrv"]
    static let applinks = applinksMembers.map(\.key)
    static let appList = appListMembers.map(\.key)
    static let entry = entryMembers.map(\.key)
    static let component = componentMembers.map(\.key)

    // MARK: - Keys and their values (also the source of the schema)
    // Computed: only the schema reads more than the keys, and nothing else should keep them.

    static var rootMembers: [SchemaMember] {
        [
            SchemaMember(
                "applinks", .object(applinksMembers, needs: [["details"]]),
                "Universal links: which URLs open which app."),
            SchemaMember(
                "webcredentials", .definition("apps"), "Apps that share passwords and passkeys."),
            SchemaMember("appclips", .definition("apps"), "App Clips of the site."),
            SchemaMember(
                "activitycontinuation", .definition("apps"), "Handoff to and from the site."),
        ]
    }
    static var appListMembers: [SchemaMember] {
        [
            SchemaMember(
                "apps", .list(of: .definition("app"), isSet: true),
                "Identifiers: PREFIX.BUNDLE-ID.")
        ]
    }
    static var applinksMembers: [SchemaMember] {
        [
            SchemaMember(
                "apps", .list(of: .string()), "Once needed and empty; without meaning today."),
            SchemaMember(
                "details",
                .either(
                    .list(of: .definition("entry")),
                    .table(of: .definition("namedEntry"), names: AppIdentifier.expression)),
                "The apps and their rules, in the order of their priority."),
            SchemaMember(
                "defaults", .definition("component"), "What goes for rules that do not set it."),
            SchemaMember(
                "substitutionVariables", .table(of: .list(of: .string()), names: "^[^$()]+$"),
                "Names, and the strings that $(name) in a pattern stands for."),
        ]
    }
    static var entryMembers: [SchemaMember] {
        [
            SchemaMember(
                "appIDs", .list(of: .definition("app"), isSet: true),
                "The apps that these rules are of (since iOS 13)."),
            SchemaMember("appID", .definition("app"), "One app, for systems before iOS 13."),
            SchemaMember(
                "components", .list(of: .definition("component")),
                "The rules, in order: the first that matches decides (since iOS 13)."),
            SchemaMember(
                "paths", .list(of: .string()),
                "Path patterns, with \"NOT \" in front of exclusions, for systems before iOS 13."),
            SchemaMember(
                "defaults", .definition("component"), "What goes for rules that do not set it."),
        ]
    }
    static var componentMembers: [SchemaMember] {
        [
            SchemaMember("/", .string(), "The path: * is any text, ? one character."),
            SchemaMember(
                "?", .either(.string(), .table(of: .string())),
                "The query, whole or by items: name and pattern."),
            SchemaMember("#", .string(), "The fragment, without its sign."),
            SchemaMember("exclude", .boolean, "Whether a match keeps the URL out of the app."),
            SchemaMember("comment", .string(), "For people; ignored."),
            SchemaMember(
                "caseSensitive", .boolean, "Whether letter case counts; default: true (iOS 13.5)."),
            SchemaMember(
                "percentEncoded", .boolean,
                "Whether the pattern is percent-encoded as URLs are; default: true (iOS 14)."),
        ]
    }
    // MARK: - Words

    /// The services, prepared for spelling correction.
    static let serviceWords = WordList(services)
    static let applinksWords = WordList(applinks)
    static let appListWords = WordList(appList)
    static let entryWords = WordList(entry)
    static let componentWords = WordList(component)
    /// All members known to ``home(of:)``.
    private static let words = WordList(rootMembers.map(\.key) + applinks + entry)

    /// Called for every member of every component.
    static func isComponentKey(_ key: String) -> Bool {
        switch key {
        case "/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded": true
        default: false
        }
    }

    /// Called for every member of every entry.
    static func isEntryKey(_ key: String) -> Bool {
        switch key {
        case "appIDs", "appID", "components", "paths", "defaults": true
        default: false
        }
    }

    /// Whether a member of an entry says whose entry it is.
    static func namesApps(_ key: String) -> Bool { key == "appID" || key == "appIDs" }

    /// Members with patterns.
    static let patterns: Set<String> = ["/", "?", "#"]
    /// Names that people use for a member with a symbolic key.
    static let signNames = [
        "path": "/", "paths": "/", "query": "?", "queries": "?", "fragment": "#", "hash": "#",
        "not": "exclude", "params": "?", "url": "/", "pathname": "/", "pattern": "/", "route": "/",
        "uri": "/", "search": "?", "anchor": "#",
    ]
    /// Names that people use for the opposite of a member, in lower case and without separators. To
    /// replace one by the member, its value must be inverted as well.
    static let opposites = [
        "include": "exclude", "included": "exclude", "includes": "exclude",
        "ignorecase": "caseSensitive", "caseinsensitive": "caseSensitive",
        "percentdecoded": "percentEncoded", "decoded": "percentEncoded",
        "unencoded": "percentEncoded",
    ]
    /// Variables available to every rule (Apple, SubstitutionVariables).
    static let builtInVariables = [
        "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
    ]

    static func isBuiltInVariable(_ name: String) -> Bool {
        // Called for every definition and every use; the longest is "xdigit".
        (4...6).contains(name.utf8.count) && builtInVariables.contains(name)
    }

    /// The correct place of a known key at the wrong level.
    static func home(of key: String) -> String? {
        // A switch compares with every case, and unknown keys are frequent.
        guard words.contains(key) else { return nil }
        return switch key {
        case "details", "substitutionVariables": "applinks"
        case "defaults": "applinks, or an entry of applinks.details"
        case "components", "paths", "appIDs", "appID": "an entry of applinks.details"
        case _ where services.contains(key): "the top level"
        default: nil
        }
    }
}
