/// Entries of `applinks.details`: their apps, and whether they have a list of rules.
enum EntryRules {
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
                context.report("details-empty", at: details.value.range)
            }
            if links.detailsForm == .dictionary {
                context.report("details-dictionary", at: details.keyRange)
                for entry in details.value.members ?? [] {
                    AppIdentifierRules.check(entry.key, at: entry.keyRange, &context)
                }
            }
        }
        for (detail, entry) in zip(links.details, entries) where !detail.members.isEmpty {
            if detail.appIDForm != .key { checkApps(detail, &context) }
            ComponentRules.check(
                defaults: detail.defaults, isEncoded: entry.template.flags.percentEncoded, &context)
            checkLists(detail, &context)
            let hasPattern = links.defaults.hasPattern || detail.defaults.hasPattern
            for (component, rule) in zip(detail.components ?? [], entry.rules) {
                ComponentRules.check(component, rule, hasDefault: hasPattern, &context)
            }
            for path in detail.paths ?? [] {
                PathRules.check(path, isEncoded: entry.template.flags.percentEncoded, &context)
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
                "app-id-beside-app-ids", at: identifier.range, identifier.value,
                related: [("appIDs is here", many.keyRange)])
        }
    }

    private static func checkLists(_ detail: AppLinksDetail, _ context: inout LintContext) {
        let isEmpty = detail.componentsMember?.value.array?.isEmpty == true
        if detail.components != nil, !isEmpty, let components = detail.componentsMember,
            let paths = detail.pathsMember
        {
            context.report(
                "components-beside-paths", at: paths.keyRange,
                remedy: detail.appIDForm == .appIDs && detail.appIDMember?.value.string == nil
                    ? "Remove paths: no system reads it, because the entry has no appID." : nil,
                related: [("components is here", components.keyRange)])
        }
        if detail.componentsMember == nil, let paths = detail.pathsMember,
            paths.value.array?.isEmpty == false
        {
            let isUnread = detail.appIDForm == .appIDs && detail.appIDMember?.value.string == nil
            context.report(isUnread ? "paths-with-app-ids" : "legacy-paths", at: paths.keyRange)
        }
        for list in [detail.componentsMember, detail.pathsMember].compactMap({ $0 })
        where list.value.array?.isEmpty == true {
            context.report(
                "rules-empty", at: list.value.range, list.key,
                remedy: isEmpty && detail.pathsMember?.value.array?.isEmpty == false
                    ? "Remove components: beside it, devices since iOS 13 ignore paths." : nil)
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
                    "app-in-several-entries", at: app.range,
                    first.hasComponents == hasComponents
                        ? "\(app.value) has more than one entry"
                        : "\(app.value) has an entry with components and one with paths; systems "
                            + "since iOS 13 read both",
                    remedy: first.hasComponents == hasComponents
                        ? nil
                        : "Keep both if their rules are the same: systems before iOS 13 need the one with paths.",
                    related: [("its first entry", first.range)])
            }
        }
    }
}
