/// The top level of the document: its services, and whether their lists are valid.
enum StructureRules {
    static let rules = [
        noService, unknownService, misspeltService,
        misplacedKey, appListEmpty, appListedTwice,
        applinksApps, misspeltApplinksKey, unknownApplinksKey, numberRange,
        fileName,
    ]

    static let fileName = LintRule(
        "file-name-extension", .warning, "the document under a name with an extension",
        why:
            "Devices ask for /.well-known/apple-app-site-association, without an extension, and for "
            + "nothing else.",
        fix: "publish it as apple-app-site-association", .documented,
        "Apple, Supporting associated domains",
        bad: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n",
            file: "apple-app-site-association.json"),
        good: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
    static let noService = LintRule(
        "no-service", .error, "the document names no service that devices read",
        why: "Without applinks, webcredentials, appclips or activitycontinuation the document "
            + "associates no app with anything.",
        fix: "add the service that the app's entitlement names, for instance applinks", .documented,
        "Apple, Supporting associated domains", bad: LintExample("{ \"version\": 1 }\n"),
        good: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
    static let unknownService = LintRule(
        "unknown-service", .note, "a top-level member that Apple does not document",
        why: "Devices ignore members they do not know. Some are used by enterprise extensions "
            + "(authsrv), so this is only a note.",
        fix: "keep it if something reads it; remove it otherwise", .observed,
        "Apple, Supporting associated domains",
        bad: LintExample(
            """
            {
              "webcredentials": { "apps": ["9JA89QQLNQ.com.example.shop"] },
              "telemetry": { "apps": [] }
            }

            """),
        good: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
    static let misspeltService = LintRule(
        "service-misspelt", .error, "the name of a service is misspelt",
        why: "Names are compared letter by letter, case included; a misspelt service is ignored "
            + "without any sign of it.",
        fix: "write the name as Apple documents it", .documented,
        "Apple, Supporting associated domains",
        bad: LintExample(
            "{ \"webCredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"),
        good: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
    static let misplacedKey = LintRule(
        "key-misplaced", .error, "a known member stands at the wrong level",
        why:
            "Devices look for each member at one place only; anywhere else it is ignored. Often "
            + "seen: "
            + "webcredentials inside applinks, components beside details.",
        fix: "move it to where it belongs", .documented, "Apple, applinks",
        bad: LintExample(
            """
            {
              "applinks": {
                "details": [],
                "webcredentials": { "apps": ["9JA89QQLNQ.com.example.shop"] }
              }
            }

            """),
        good: LintExample(
            """
            {
              "applinks": { "details": [] },
              "webcredentials": { "apps": ["9JA89QQLNQ.com.example.shop"] }
            }

            """))
    static let appListEmpty = LintRule(
        "app-list-empty", .warning, "an empty list of apps",
        why: "A service or an entry that lists no app associates none, whatever its rules say.",
        fix: "name the apps, or remove the service or the entry", .documented,
        "Apple, Supporting associated domains",
        bad: LintExample("{ \"webcredentials\": { \"apps\": [] } }\n"),
        good: LintExample(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
    static let appListedTwice = LintRule(
        "app-listed-twice", .warning, "the same identifier twice in one list",
        why: "The second has no effect; it usually hides a typing slip in one of the two.",
        fix: "remove one, or correct it", .advice, "good practice",
        bad: LintExample(
            """
            { "webcredentials": {
                "apps": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.com.example.shop"] } }

            """),
        good: LintExample(
            """
            { "webcredentials": {
                "apps": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.com.example.news"] } }

            """))
    static let applinksApps = LintRule(
        "applinks-apps-used", .warning, "applinks.apps is not empty",
        why:
            "It had to be present and empty in the first form of the file and is unused today: "
            + "apps "
            + "listed there open no link.",
        fix: "leave it out (or keep it as []), and name the apps in applinks.details", .documented,
        "Apple, archive: Support Universal Links",
        bad: LintExample(
            """
            {
              "applinks": {
                "apps": ["9JA89QQLNQ.com.example.shop"],
                "details": []
              }
            }

            """), good: LintExample("{ \"applinks\": { \"apps\": [], \"details\": [] } }\n"))
    static let misspeltApplinksKey = LintRule(
        "applinks-key-misspelt", .error, "a member of applinks is misspelt",
        why: "Keys are case-sensitive and unknown ones are ignored without a sign.",
        fix: "write the key as Apple documents it", .documented, "Apple, applinks",
        bad: LintExample("{ \"applinks\": { \"Details\": [] } }\n"),
        good: LintExample("{ \"applinks\": { \"details\": [] } }\n"))
    static let unknownApplinksKey = LintRule(
        "applinks-key-unknown", .note, "a member of a service that Apple does not document",
        why: "Devices ignore it.", fix: "remove it if nothing else reads it", .documented,
        "Apple, applinks",
        bad: LintExample("{ \"applinks\": { \"details\": [], \"author\": \"web team\" } }\n"),
        good: LintExample("{ \"applinks\": { \"details\": [] } }\n"))
    static let numberRange = LintRule(
        "number-out-of-range", .warning, "a number that JSON readers cannot represent",
        why:
            "RFC 8259 allows any number of digits, but readers keep numbers in 64 bits. "
            + "Foundation's refuses a larger one, and the whole document with it.",
        fix: "write a smaller number, or a string", .reported,
        "RFC 8259 section 6; Foundation's JSONSerialization on Linux",
        bad: LintExample("{ \"applinks\": { \"details\": [], \"version\": 1e999 } }\n"),
        good: LintExample("{ \"applinks\": { \"details\": [], \"version\": 1 } }\n"))

    // MARK: - Checks

    static func check(_ file: AssociationFile, _ context: inout LintContext) {
        let name = file.source.name.split(separator: "/").last ?? ""
        if name.hasPrefix("apple-app-site-association.") {
            context.report(fileName, at: nil, "\(name) is not the name that devices ask for")
        }
        checkNumbers(file.document.root, &context)
        for service in AssociationFormat.root.members.map(\.key) where service != "applinks" {
            guard let apps = file.document.root[service]?["apps"] else { continue }
            checkApps(apps, of: "\(service).apps", &context)
        }
        if let apps = file.applinks?.appsMember?.value, let list = apps.array, !list.isEmpty {
            context.report(
                applinksApps, at: apps.range,
                "applinks.apps holds \(list.count == 1 ? "an app" : "\(list.count) apps"), "
                    + "but devices ignore this list")
        }
    }

    /// Numbers anywhere: readers parse the members that they ignore, too.
    private static func checkNumbers(_ value: JSONValue, _ context: inout LintContext) {
        switch value.kind {
        case .number(let text):
            if Double(text)?.isFinite == true { return }
            context.report(
                numberRange, at: value.range, "\(text) is beyond what a 64-bit number can hold")
        case .array(let values): for value in values { checkNumbers(value, &context) }
        case .object(let members): for member in members { checkNumbers(member.value, &context) }
        case .null, .bool, .string: break
        }
    }

    /// A list of identifiers: not empty, and its strings are unique and well formed.
    static func checkApps(_ list: JSONValue, of name: String, _ context: inout LintContext) {
        if list.array?.isEmpty == true {
            context.report(
                appListEmpty, at: list.range,
                "\(name) is empty" + (name == "appIDs" ? ": the entry is for no app" : ""))
        }
        var seen: [String: Range<Int>] = [:]
        for app in list.texts ?? [] {
            if let first = seen[app.value] {
                context.report(
                    appListedTwice, at: app.range, "\(app.value) is listed twice in \(name)",
                    related: [("first here", first)])
                // It was reported at its first place.
                continue
            }
            seen[app.value] = app.range
            AppIdentifierRules.check(app.value, at: app.range, &context)
        }
    }
}
