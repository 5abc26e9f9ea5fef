/// Entries of `applinks.details`: their apps, and whether they have a list of rules.
enum EntryRules {
    static let rules = [
        detailsDictionary, keyMisspelt, keyUnknown,
        appIDArray, appIDBeside, listMissing, listEmpty,
        componentsBesidePaths, legacyPaths, pathsWithAppIDs, appRepeated, detailsEmpty,
    ]
    private static let apple = "Apple, applinks.Details"
    private static let goodEntry = LintExample.components("{ \"/\": \"/buy/*\" }")

    static let detailsDictionary = LintRule(
        "details-dictionary", .warning, "details in the oldest form: an object keyed by app",
        why:
            "Apple's tools still read this form of 2015, but members of a JSON object have no "
            + "order, "
            + "so which app wins a URL that two claim is undefined.",
        fix: "write an array of entries with appIDs", .appleTool, "Apple, applinks.Details",
        bad: LintExample(
            """
            { "applinks": { "details": {
                "9JA89QQLNQ.com.example.shop": { "paths": ["/buy/*"] } } } }

            """), good: goodEntry)
    static let keyMisspelt = LintRule(
        "entry-key-misspelt", .error, "a member of an entry is misspelt",
        why:
            "Keys are case-sensitive and unknown ones are ignored. A misspelt appIDs leaves the "
            + "entry "
            + "without an app; a misspelt components or paths leaves it without rules, and then "
            + "every "
            + "URL is said to match.",
        fix: "write the key as Apple documents it", .documented, apple,
        bad: .entry("\"compnents\": [{ \"/\": \"/buy/*\" }]"), good: goodEntry)
    static let keyUnknown = LintRule(
        "entry-key-unknown", .note, "a member of an entry that Apple does not document",
        why: "Devices ignore it.", fix: "remove it if nothing else reads it", .documented, apple,
        bad: .entry("\"owner\": \"shop team\", \"components\": [{ \"/\": \"/buy/*\" }]"),
        good: goodEntry)
    static let appIDArray = LintRule(
        "app-id-array", .error, "appID is an array",
        why: "appID is one string; a list goes into appIDs. An array there is not read.",
        fix: "rename appID to appIDs", .documented, apple,
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appID": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "/buy/*" }] }
            ] } }

            """), good: goodEntry)
    static let appIDBeside = LintRule(
        "app-id-beside-app-ids", .warning, "appID and appIDs in one entry",
        why:
            "Where appIDs is an array, today's devices are said to ignore appID; devices before "
            + "iOS 13 "
            + "know only appID. Where the two differ, what is associated depends on the system.",
        fix: "list every app in appIDs (and keep appID only for devices before iOS 13)", .reported,
        "Apple, applinks.Details",
        bad: .entry(
            "\"appID\": \"9JA89QQLNQ.com.example.news\", \"components\": [{ \"/\": \"/buy/*\" }]"),
        good: goodEntry)
    static let listMissing = LintRule(
        "entry-rules-missing", .error, "an entry without components and without paths",
        why:
            "An entry without any list has no patterns, and devices are said to treat every URL "
            + "of the "
            + "site as a match then. Other readers take it as no match. Neither can be relied on.",
        fix: "say it: \"components\": [{ \"/\": \"*\" }] for all, [] for none", .reported,
        "Apple, applinks.Details", bad: .entry("\"defaults\": {}"), good: goodEntry)
    static let listEmpty = LintRule(
        "rules-empty", .warning, "an empty list of rules",
        why: "It matches nothing: no link opens the app.",
        fix: "add rules, or remove the entry", .observed, "universal-links-test",
        bad: .entry("\"components\": []"), good: goodEntry)
    static let componentsBesidePaths = LintRule(
        "components-beside-paths", .warning, "components and paths in one entry",
        why:
            "Since iOS 13 paths beside components is ignored; devices before iOS 13 read paths "
            + "alone. Apple asks not to mix them.",
        fix: "remove paths, or keep it for devices before iOS 13 (today's ignore it)",
        .documented, "Apple, TN3155",
        bad: .entry("\"components\": [{ \"/\": \"/buy/*\" }], \"paths\": [\"/buy/*\"]"),
        good: goodEntry)
    static let legacyPaths = LintRule(
        "legacy-paths", .note, "rules in the form before iOS 13",
        why:
            "paths still works and compares the path alone. components (iOS 13, 2019) can also "
            + "look at "
            + "query and fragment, and its exclude cannot be mistyped as \"NOT \" can.",
        fix: "when devices before iOS 13 no longer matter, write components", .documented,
        "Apple, Supporting associated domains",
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appID": "9JA89QQLNQ.com.example.shop", "paths": ["/buy/*"] }
            ] } }

            """), good: goodEntry)
    static let appRepeated = LintRule(
        "app-in-several-entries", .note, "one app in several entries of details",
        why:
            "How devices put the two lists together is not documented: an exclusion in one entry "
            + "may or "
            + "may not end the search before the other.",
        fix: "put all rules of the app into one entry", .advice, "Apple, applinks.Details",
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "/buy/*" }] },
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "/sell/*" }] }
            ] } }

            """), good: goodEntry)

    static let pathsWithAppIDs = LintRule(
        "paths-with-app-ids", .warning, "appIDs with paths: too new for one, too old for the other",
        why:
            "appIDs is read since iOS 13, and paths is the form of the systems before, which know "
            + "only appID: no system needs the two together, and the old ones find no app here.",
        fix: "write components beside appIDs; for systems before iOS 13 an entry with appID and "
            + "paths for each app", .documented, apple,
        bad: LintExample.paths("\"/buy/*\""), good: goodEntry)
    static let detailsEmpty = LintRule(
        "details-empty", .warning, "an empty list of details",
        why: "It names no app: no link opens one.",
        fix: "add an entry with appIDs and components, or remove applinks", .documented,
        "Apple, applinks", bad: LintExample("{ \"applinks\": { \"details\": [] } }\n"),
        good: goodEntry)

    // MARK: - Checks

    /// - Parameter entries: those of the details, with their rules.
    static func check(
        _ links: AppLinks, _ entries: [LinkEntry], _ context: inout LintContext
    ) {
        ComponentRules.check(
            defaults: links.defaults,
            isEncoded: RuleFlags(links.defaults, on: .builtIn).percentEncoded,
            &context)
        if let details = links.detailsMember {
            if details.value.array?.isEmpty == true {
                context.report(
                    detailsEmpty, at: details.value.range, "details is empty: no link opens an app")
            }
            if links.detailsForm == .dictionary {
                context.report(
                    detailsDictionary, at: details.keyRange,
                    "details is an object keyed by app, the form of 2015")
            }
            for entry in details.value.members ?? [] {
                AppIdentifierRules.check(entry.key, at: entry.keyRange, &context)
            }
        }
        for (detail, entry) in zip(links.details, entries) {
            if detail.appIDForm != .key { checkApps(detail, &context) }
            ComponentRules.check(
                defaults: detail.defaults, isEncoded: entry.flags.percentEncoded, &context)
            checkLists(detail, &context)
            let hasPattern = links.defaults.hasPattern || detail.defaults.hasPattern
            for (component, rule) in zip(detail.components ?? [], entry.rules) {
                ComponentRules.check(component, rule, hasDefault: hasPattern, &context)
            }
            for path in detail.paths ?? [] {
                PathRules.check(path, isEncoded: entry.flags.percentEncoded, &context)
            }
        }
        if links.detailsForm == .array { checkRepeatedApps(links.details, &context) }
    }

    private static func checkApps(_ detail: AppLinksDetail, _ context: inout LintContext) {
        let many = detail.appIDsMember
        if let many { StructureRules.checkApps(many.value, of: "appIDs", &context) }
        guard let one = detail.appIDMember?.value else { return }
        if one.array?.isEmpty == false {
            StructureRules.checkApps(one, of: "appID", &context)
        }
        guard let identifier = one.text else { return }
        AppIdentifierRules.check(identifier.value, at: identifier.range, &context)
        // If appIDs is an array, appID is ignored.
        if let many, let list = many.value.texts,
            !list.contains(where: { $0.value == identifier.value })
        {
            context.report(
                appIDBeside, at: identifier.range,
                "\(identifier.value) stands in appID but not in appIDs",
                related: [("appIDs is here", many.keyRange)])
        }
    }

    private static func checkLists(_ detail: AppLinksDetail, _ context: inout LintContext) {
        if detail.components != nil, let components = detail.componentsMember,
            let paths = detail.pathsMember
        {
            context.report(
                componentsBesidePaths, at: paths.keyRange,
                "since iOS 13 paths is ignored beside components",
                related: [("components is here", components.keyRange)])
        }
        if detail.componentsMember == nil, let paths = detail.pathsMember,
            paths.value.array?.isEmpty == false
        {
            if detail.appIDForm == .appIDs, detail.appIDMember?.value.string == nil {
                context.report(
                    pathsWithAppIDs, at: paths.keyRange,
                    "paths beside appIDs: systems before iOS 13 do not read appIDs")
            } else {
                context.report(legacyPaths, at: paths.keyRange, "paths is the form before iOS 13")
            }
        }
        for list in [detail.componentsMember, detail.pathsMember].compactMap({ $0 })
        where list.value.array?.isEmpty == true {
            context.report(
                listEmpty, at: list.value.range, "\(list.key) is empty: no URL matches")
        }
    }

    private static func checkRepeatedApps(
        _ details: [AppLinksDetail], _ context: inout LintContext
    ) {
        var seen: [String: (entry: Int, range: Range<Int>, hasComponents: Bool)] = [:]
        for detail in details {
            let hasComponents = detail.components != nil
            for app in detail.appIDs where !app.value.isEmpty {
                guard let first = seen[app.value] else {
                    seen[app.value] = (detail.index, app.range, hasComponents)
                    continue
                }
                // A duplicate in one entry is another finding.
                guard first.entry != detail.index else { continue }
                context.report(
                    appRepeated, at: app.range,
                    first.hasComponents == hasComponents
                        ? "\(app.value) has more than one entry"
                        : "\(app.value) has an entry with components and one with paths; systems "
                            + "since iOS 13 read both",
                    related: [("its first entry", first.range)])
            }
        }
    }
}
