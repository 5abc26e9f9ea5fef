/// Objects in `components` and `defaults`: keys and the types of their values.
enum ComponentRules {
    static let keyMisspelt = LintRule("component-key-misspelt")
    static let keyUnknown = LintRule("component-key-unknown")
    static let matchesAll = LintRule("component-without-pattern")
    static let defaultsPattern = LintRule("defaults-with-pattern")

    /// The settings of the defaults around a component.
    struct Inherited {
        /// Whether patterns are compared with the URL as written.
        var isEncoded = true
        /// Whether a pattern of the defaults applies.
        var hasPattern = false

        init() {}

        /// The defaults of an entry (or nil) merged with those of `applinks`.
        init(_ defaults: JSONValue?, on outer: Inherited) {
            self = outer
            guard let members = defaults?.members else { return }
            for member in members {
                if member.key == "percentEncoded", let flag = member.value.bool { isEncoded = flag }
                if Vocabulary.patterns.contains(member.key) { hasPattern = true }
            }
        }
    }

    static func check(
        _ component: JSONValue, _ inherited: Inherited, _ context: inout LintContext
    ) {
        guard let members = component.members else { return }
        let own = Inherited(component, on: inherited)
        let suspects = checkMembers(members, isEncoded: own.isEncoded, &context)
        // Report once: a misspelt pattern key already explains why the component matches
        // everything.
        if !suspects, !own.hasPattern {
            context.report(
                matchesAll, at: component.range,
                members.isEmpty
                    ? "{} matches every URL"
                    : "this component has no \"/\", \"?\" or \"#\" and so matches every URL")
        }
    }

    /// - Parameter inherited: the settings for rules with these defaults.
    static func checkDefaults(
        _ defaults: JSONMember, _ inherited: Inherited, _ context: inout LintContext
    ) {
        guard let members = defaults.value.members else { return }
        _ = checkMembers(members, isEncoded: inherited.isEncoded, &context)
        for member in members
        where Vocabulary.patterns.contains(member.key)
            || (member.key == "exclude" && member.value.bool == true)
        {
            context.report(
                defaultsPattern, at: member.keyRange,
                "\"\(member.key)\" in defaults goes for every rule that does not set it")
        }
    }

    /// - Returns: whether a misspelt member was reported.
    private static func checkMembers(
        _ members: [JSONMember], isEncoded: Bool, _ context: inout LintContext
    ) -> Bool {
        var misspelt = false
        for member in members {
            if Vocabulary.isComponentKey(member.key) {
                checkValue(member, isEncoded, &context)
            } else if let remedy = rewriting(of: member) {
                misspelt = true
                context.report(
                    keyMisspelt, at: member.keyRange,
                    "\"\(member.key)\" is not a member of a component, and is ignored",
                    remedy: remedy)
            } else if let meant = correction(of: member.key), meant != "comment" {
                misspelt = true
                context.report(
                    keyMisspelt, at: member.keyRange,
                    "\"\(member.key)\" is ignored; \"\(meant)\" was probably meant",
                    remedy: "write \"\(meant)\"",
                    fix: TextEdit.renaming(member, to: meant, among: members))
            } else {
                context.report(
                    keyUnknown, at: member.keyRange,
                    "\"\(member.key)\" is not a member of a component that Apple documents")
            }
        }
        return misspelt
    }

    /// What to write instead, if another name alone would change the meaning of the rule.
    private static func rewriting(of member: JSONMember) -> String? {
        let key = member.key
        // `/buy/*` as a key: the pattern is in the place of the key.
        if key.hasPrefix("/"), key.utf8.count > 1 {
            return "write the pattern as the value of \"/\": { \"/\": \"\(key)\" }"
        }
        if key.hasPrefix("NOT "), key.utf8.count > 4 {
            return "write the pattern as the value of \"/\", with \"exclude\": true beside it"
        }
        if key.hasPrefix("*") { return "write the pattern as the value of \"/\"" }
        guard key.utf8.count <= 24 else { return nil }
        let folded = key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
        guard let opposite = Vocabulary.opposites[folded] else { return nil }
        let value = member.value.bool.map { $0 ? "false" : "true" } ?? "the opposite value"
        return "write \"\(opposite)\": \(value)"
    }

    private static func correction(of key: String) -> String? {
        guard key.utf8.count <= 24 else { return nil }
        if let name = Vocabulary.signNames[key.lowercased()] { return name }
        return Vocabulary.componentWords.correction(of: key)
    }

    private static func checkValue(
        _ member: JSONMember, _ isEncoded: Bool, _ context: inout LintContext
    ) {
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
        default:
            break  // other types are the model's to report, flags and comments have no content
        }
    }
}

/// Elements of `paths`.
enum PathRules {
    static let notPrefix = LintRule("path-not-prefix")

    static func check(_ value: JSONValue, isEncoded: Bool, _ context: inout LintContext) {
        guard let text = value.string else { return }
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
