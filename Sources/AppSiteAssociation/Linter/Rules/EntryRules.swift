/// Entries of `applinks.details`: their apps, and whether they have a list of rules.
enum EntryRules {
    static let detailsDictionary = LintRule("details-dictionary")
    static let keyMisspelt = LintRule("entry-key-misspelt")
    static let keyUnknown = LintRule("entry-key-unknown")
    static let appIDArray = LintRule("app-id-array")
    static let appIDBeside = LintRule("app-id-beside-app-ids")
    static let listMissing = LintRule("entry-rules-missing")
    static let listEmpty = LintRule("rules-empty")
    static let componentsBesidePaths = LintRule("components-beside-paths")
    static let legacyPaths = LintRule("legacy-paths")
    static let appRepeated = LintRule("app-in-several-entries")
    static let pathsWithAppIDs = LintRule("paths-with-app-ids")
    static let detailsEmpty = LintRule("details-empty")

    static func check(_ applinks: JSONMember, _ context: inout LintContext) {
        let defaults = applinks.value.member("defaults")
        let inherited = ComponentRules.Inherited(
            defaults?.value, on: ComponentRules.Inherited())
        if let defaults { ComponentRules.checkDefaults(defaults, inherited, &context) }
        guard let details = applinks.value.member("details") else { return }
        if let entries = details.value.array {
            if entries.isEmpty {
                context.report(
                    detailsEmpty, at: details.value.range, "details is empty: no link opens an app")
            }
            for entry in entries { check(entry, inherited, &context) }
            checkRepeatedApps(entries, &context)
        } else if let entries = details.value.members {
            context.report(
                detailsDictionary, at: details.keyRange,
                "details is an object keyed by app, the form of 2015")
            for entry in entries {
                AppIdentifierRules.check(entry.key, at: entry.keyRange, &context)
                guard let members = entry.value.members else { continue }
                let meant = checkKeys(members, &context)
                checkLists(
                    entry.value, named: entry.keyRange, inherited, isMisspelt: meant.list, &context)
            }
        }
    }

    private static func check(
        _ entry: JSONValue, _ inherited: ComponentRules.Inherited, _ context: inout LintContext
    ) {
        guard let members = entry.members else { return }
        var meant = (app: false, list: false)
        if !members.isEmpty {
            meant = checkKeys(members, &context)
            checkAppsOf(entry, &context)
            if meant.app { context.supersede(.appIDsMissing, at: entry.range) }
        }
        checkLists(
            entry, named: entry.range.lowerBound..<entry.range.lowerBound + 1, inherited,
            isMisspelt: meant.list, &context)
    }

    /// Whether a misspelt key was meant for apps, or for one of the two lists.
    private static func checkKeys(
        _ members: [JSONMember], _ context: inout LintContext
    ) -> (app: Bool, list: Bool) {
        var isMeant = (app: false, list: false)
        for member in members where !Vocabulary.isEntryKey(member.key) {
            if let meant = Vocabulary.entryWords.correction(of: member.key) {
                if meant.hasPrefix("appID") { isMeant.app = true }
                if meant == "components" || meant == "paths" { isMeant.list = true }
                // `appId` may mean one or many: the type of the value decides.
                let meant =
                    meant.hasPrefix("appID")
                    ? (member.value.array == nil ? "appID" : "appIDs") : meant
                context.report(
                    keyMisspelt, at: member.keyRange,
                    "\"\(member.key)\" is ignored; \"\(meant)\" was probably meant",
                    remedy: "write \"\(meant)\"",
                    fix: TextEdit.renaming(member, to: meant, among: members))
            } else if member.key != "comment", Vocabulary.component.contains(member.key) {
                context.report(
                    StructureRules.misplacedKey, at: member.keyRange,
                    "\"\(member.key)\" in an entry is ignored; it belongs in an object of "
                        + "\"components\" or in \"defaults\""
                )
            } else if let home = Vocabulary.home(of: member.key) {
                context.report(
                    StructureRules.misplacedKey, at: member.keyRange,
                    "\"\(member.key)\" in an entry is ignored; it belongs in \(home)")
            } else {
                context.report(
                    keyUnknown, at: member.keyRange,
                    "\"\(member.key)\" is not a member of an entry that Apple documents")
            }
        }
        return isMeant
    }

    private static func checkAppsOf(_ entry: JSONValue, _ context: inout LintContext) {
        let many = entry.member("appIDs")
        let one = entry.member("appID")
        let list = many?.value.array
        if let list { StructureRules.checkApps(list, of: "appIDs", &context) }
        if let many, list?.isEmpty == true {
            // If appIDs is an array, appID is ignored.
            context.report(
                StructureRules.appListEmpty, at: many.value.range,
                "appIDs is empty: the entry is for no app")
        }
        guard let one else { return }
        if let identifier = one.value.string {
            AppIdentifierRules.check(identifier, at: one.value.range, &context)
            if let list, let many, !list.contains(where: { $0.string == identifier }) {
                context.report(
                    appIDBeside, at: one.value.range,
                    "\(identifier) stands in appID but not in appIDs",
                    related: [("appIDs is here", many.keyRange)])
            }
        } else if let values = one.value.array {
            context.supersede(.appIDNotString, at: one.value.range)
            context.report(
                appIDArray, at: one.keyRange, "appID is an array; the key for a list is appIDs",
                fix: TextEdit.renaming(one, to: "appIDs", among: entry.members ?? []))
            StructureRules.checkApps(values, of: "appID", &context)
        }
    }

    private static func checkLists(
        _ entry: JSONValue, named place: Range<Int>, _ inherited: ComponentRules.Inherited,
        isMisspelt: Bool, _ context: inout LintContext
    ) {
        let components = entry.member("components")
        let paths = entry.member("paths")
        var inherited = inherited
        if let defaults = entry.member("defaults") {
            inherited = ComponentRules.Inherited(defaults.value, on: inherited)
            ComponentRules.checkDefaults(defaults, inherited, &context)
        }
        if let components, let paths, components.value.array != nil {
            context.report(
                componentsBesidePaths, at: paths.keyRange,
                "since iOS 13 paths is ignored beside components",
                related: [("components is here", components.keyRange)])
        }
        if components == nil, let paths, paths.value.array?.isEmpty == false {
            if entry["appIDs"]?.array != nil, entry["appID"]?.string == nil {
                context.report(
                    pathsWithAppIDs, at: paths.keyRange,
                    "paths beside appIDs: systems before iOS 13 do not read appIDs")
            } else {
                context.report(legacyPaths, at: paths.keyRange, "paths is the form before iOS 13")
            }
        }
        if components == nil, paths == nil {
            // The misspelt key is the cause, and is reported already.
            guard !isMisspelt else { return }
            context.report(
                listMissing, at: place,
                "this entry has neither components nor paths; devices are said to match every "
                    + "URL then"
            )
            return
        }
        for list in [components, paths].compactMap({ $0 }) {
            guard let values = list.value.array else { continue }
            if values.isEmpty {
                context.report(
                    listEmpty, at: list.value.range, "\(list.key) is empty: no URL matches")
            }
            for value in values {
                if list.key == "components" {
                    ComponentRules.check(value, inherited, &context)
                } else {
                    PathRules.check(value, isEncoded: inherited.isEncoded, &context)
                }
            }
        }
    }

    private static func checkRepeatedApps(_ entries: [JSONValue], _ context: inout LintContext) {
        var seen: [String: (entry: Int, range: Range<Int>, hasComponents: Bool)] = [:]
        for (index, entry) in entries.enumerated() {
            guard let members = entry.members, !members.isEmpty else { continue }
            let hasComponents = entry["components"]?.array != nil
            let apps =
                entry["appIDs"]?.array ?? (entry["appID"].map { $0.array ?? [$0] } ?? [])
            for app in apps {
                guard let identifier = app.string, !identifier.isEmpty else { continue }
                guard let first = seen[identifier] else {
                    seen[identifier] = (index, app.range, hasComponents)
                    continue
                }
                // A duplicate in one entry is another finding.
                guard first.entry != index else { continue }
                context.report(
                    appRepeated, at: app.range,
                    first.hasComponents == hasComponents
                        ? "\(identifier) has more than one entry"
                        : "\(identifier) has an entry with components and one with paths; systems "
                            + "since iOS 13 read both",
                    related: [("its first entry", first.range)])
            }
        }
    }
}
