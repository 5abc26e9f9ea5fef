/// Objects in `components` and `defaults`: keys and the types of their values.
enum ComponentRules {
    static let rules = [
        keyMisspelt, keyUnknown, matchesAll, defaultsPattern,
    ]
    private static let apple = "Apple, applinks.Details.Components"
    private static let good = LintExample.components("{ \"/\": \"/buy/*\" }")

    static let keyMisspelt = LintRule(
        "component-key-misspelt", .error, "a member of a component is misspelt",
        why:
            "Unknown keys are ignored, so the condition they were meant to be is not tested: the "
            + "rule "
            + "matches more than was meant, often everything.",
        fix: "write the key as Apple documents it", .appleTool, "Apple's swcutil, published output",
        bad: .components("{ \"path\": \"/buy/*\" }"), good: good)
    static let keyUnknown = LintRule(
        "component-key-unknown", .warning, "a member of a component that Apple does not document",
        why: "Devices ignore it.", fix: "remove it, or put the words into \"comment\"", .appleTool,
        "Apple's swcutil, published output",
        bad: .components("{ \"/\": \"/buy/*\", \"team\": \"shop\" }"), good: good)
    static let matchesAll = LintRule(
        "component-without-pattern", .error, "a component that compares nothing",
        why:
            "A component without \"/\", \"?\" and \"#\" matches every URL. Where that is meant, "
            + "say it; "
            + "where it is a slip, it takes over the whole site (or, excluded, closes it).",
        fix: "write { \"/\": \"*\" } if every URL is meant", .appleTool,
        "Apple's swcutil, published output",
        bad: .components("{ \"caseSensitive\": false }"),
        good: .components("{ \"/\": \"*\", \"caseSensitive\": false }"))

    static let defaultsPattern = LintRule(
        "defaults-with-pattern", .warning, "a pattern or exclude in defaults",
        why:
            "defaults is a template: a \"/\", \"?\", \"#\" or exclude in it goes for every rule "
            + "that does not say otherwise, also for those that other people add later. Apple "
            + "documents only caseSensitive and percentEncoded there.",
        fix: "write it into the components it is meant for", .appleTool, "Apple, applinks.Defaults",
        bad: .entry(
            "\"defaults\": { \"exclude\": true }, \"components\": [{ \"/\": \"/buy/*\" }]"),
        good: .entry(
            "\"defaults\": { \"caseSensitive\": false }, \"components\": [{ \"/\": "
                + "\"/buy/*\" }]"))

    /// - Parameters:
    ///   - rule: the component with its defaults.
    ///   - hasDefault: whether a pattern of defaults applies.
    static func check(
        _ component: LinkComponent, _ rule: Rule, hasDefault: Bool, _ context: inout LintContext
    ) {
        checkPatterns(component, rule.percentEncoded, &context)
        // A misspelt pattern key already explains why the component matches everything.
        if component.hasPattern || hasDefault
            || AssociationFormat.component.isMeant(LinkComponent.patternKeys, in: component.members)
        {
            return
        }
        context.report(
            matchesAll, at: component.range,
            component.members.isEmpty
                ? "{} matches every URL"
                : "this component has no \"/\", \"?\" or \"#\" and so matches every URL")
    }

    /// - Parameter isEncoded: `percentEncoded` of rules with these defaults.
    static func check(
        defaults: RuleDefaults, isEncoded: Bool, _ context: inout LintContext
    ) {
        checkPatterns(defaults, isEncoded, &context)
        let exclusions = defaults.members.filter { $0.key == "exclude" && $0.value.bool == true }
        for member in defaults.patterns + exclusions {
            context.report(
                defaultsPattern, at: member.keyRange,
                "\"\(member.key)\" in defaults goes for every rule that does not set it")
        }
    }

    private static func checkPatterns(
        _ component: LinkComponent, _ isEncoded: Bool, _ context: inout LintContext
    ) {
        for member in component.patterns {
            let value = member.value
            switch (member.key, value.kind) {
            case ("/", .string(let text)):
                PatternRules.checkPath(
                    text, at: value.range, inPaths: false, isEncoded: isEncoded, &context)
            case ("#", .string(let text)):
                PatternRules.checkFragment(text, at: value.range, isEncoded: isEncoded, &context)
            case ("?", .string(let text)):
                QueryRules.check(text, at: value.range, isEncoded: isEncoded, &context)
            case ("?", .object(let items)):
                QueryRules.check(items, of: value, isEncoded: isEncoded, &context)
            default: break  // other types are the format's to report
            }
        }
    }
}

/// Elements of `paths`.
enum PathRules {
    static let rules = [notPrefix]

    static let notPrefix = LintRule(
        "path-not-prefix", .error, "a NOT that is not read as one",
        why:
            "An exclusion is the four characters \"NOT \" (capitals, one blank) in front of the "
            + "path, "
            + "inside the quotes. Anything else is an ordinary path that matches nothing, and what "
            + "should be excluded is not.",
        fix: "write \"NOT /path\" exactly", .documented, "Apple, archive: Support Universal Links",
        bad: .paths("\"Not /help/*\", \"*\""), good: .paths("\"NOT /help/*\", \"*\""))

    static func check(_ value: Located<String>, isEncoded: Bool, _ context: inout LintContext) {
        let text = value.value
        let source = context.source
        if text.hasPrefix("NOT ") {
            let path = String(text.dropFirst(4))
            if path.hasPrefix(" ") || path.isEmpty || path.hasPrefix("NOT ") {
                context.report(
                    notPrefix, at: value.range,
                    path.isEmpty
                        ? "NOT without a path" : "NOT is followed by more than one blank or NOT",
                    fix: TextEdit.exclusion(value.range, in: source))
            } else {
                PatternRules.checkPath(
                    path, at: value.range, inPaths: true, isEncoded: isEncoded, &context)
            }
            return
        }
        let head = String(
            decoding: text.utf8.drop { $0 == 0x20 }.prefix(4), as: UTF8.self
        ).uppercased()
        let isNot = head.hasPrefix("NOT") && head.utf8.last.map { $0 <= 0x20 || $0 == 0x2F } == true
        if isNot || head.hasPrefix("!/") {
            context.report(
                notPrefix, at: value.range,
                "\"\(text)\" is read as a path, not as an exclusion",
                fix: TextEdit.exclusion(value.range, in: source))
            return
        }
        PatternRules.checkPath(
            text, at: value.range, inPaths: true, isEncoded: isEncoded, &context)
    }
}
