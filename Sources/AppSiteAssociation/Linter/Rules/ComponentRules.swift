/// Objects in `components` and `defaults`: keys and the types of their values.
enum ComponentRules {
    /// - Parameters:
    ///   - rule: the component with its defaults.
    ///   - hasDefault: whether a pattern of defaults applies.
    static func check(
        _ component: LinkComponent, _ rule: Rule, hasDefault: Bool, _ context: inout LintContext
    ) {
        checkPatterns(component, rule.percentEncoded, &context)
        // A misspelt pattern key already explains why the component matches everything.
        if component.hasPattern || hasDefault
            || UnknownKeys(component.members, of: AssociationFormat.component)
                .mean(LinkComponent.patternKeys)
        {
            return
        }
        context.report(
            "component-without-pattern", at: component.range,
            component.members.isEmpty
                ? "{} matches every URL"
                : "this component has no \"/\", \"?\" or \"#\" and so matches every URL")
    }

    /// - Parameter isEncoded: `percentEncoded` of rules with these defaults.
    static func check(
        defaults: LinkComponent, isEncoded: Bool, _ context: inout LintContext
    ) {
        checkPatterns(defaults, isEncoded, &context)
        let exclusions = defaults.members.filter { $0.key == "exclude" && $0.value.bool == true }
        for member in defaults.patterns + exclusions {
            context.report("defaults-with-pattern", at: member.keyRange, member.key)
        }
    }

    private static func checkPatterns(
        _ component: LinkComponent, _ isEncoded: Bool, _ context: inout LintContext
    ) {
        for member in component.patterns {
            let value = member.value
            switch (member.key, value.text) {
            case ("/", let path?):
                PatternRules.checkPath(path, inPaths: false, isEncoded: isEncoded, &context)
            case ("#", let fragment?):
                PatternRules.checkFragment(fragment, isEncoded: isEncoded, &context)
            case ("?", let query?): QueryRules.check(query, isEncoded: isEncoded, &context)
            case ("?", nil): QueryRules.check(itemsOf: value, isEncoded: isEncoded, &context)
            default: break  // other types are the format's to report
            }
        }
    }
}

/// Elements of `paths`.
enum PathRules {
    static func check(_ value: Located<String>, isEncoded: Bool, _ context: inout LintContext) {
        let (text, entry) = (value.value, PathEntry(value.value))
        var slip: String?
        if !entry.excludes {
            slip = excluded(text).map { _ in "\"\(text)\" is read as a path, not as an exclusion" }
        } else if entry.pattern.isEmpty {
            slip = "NOT without a path"
        } else if entry.pattern.hasPrefix(" ") || entry.pattern.hasPrefix("NOT ") {
            slip = "NOT is followed by a second space or NOT"
        }
        if let slip {
            return context.report("path-not-prefix", at: value.range, slip, fix: exclusion(value))
        }
        PatternRules.checkPath(
            Located(entry.pattern, range: value.range), inPaths: true, isEncoded: isEncoded,
            &context)
    }

    /// The path of an exclusion in any spelling: `not /a`, `NOT:/a`, `EXCLUDE /a`, `!/a`, and `NOT`
    /// without one; nil if none is meant. `-/a` is a path: GitLab's pages are below `/-/`.
    static func excluded(_ text: String) -> Substring? {
        let rest = Substring(text.utf8.drop { $0 == UInt8(ascii: " ") })
        guard let first = rest.utf8.first, "!NEne".utf8.contains(first) else { return nil }
        if rest.hasPrefix("!/") { return rest.dropFirst() }
        let word = rest.prefix { $0.isASCII && $0.isLetter }
        let path = rest[word.endIndex...]
        let isSeparated = path.first.map { $0 == ":" || $0.isWhitespace } ?? false
        switch word.uppercased() {
        case "NOT" where isSeparated || path.isEmpty || path.hasPrefix("/"): break
        case "EXCLUDE" where isSeparated: break
        default: return nil
        }
        return path.drop { $0 == ":" || $0.isWhitespace }
    }

    /// The exclusion as it has to be written, where only one can be meant.
    private static func exclusion(_ value: Located<String>) -> [TextEdit]? {
        guard let path = excluded(value.value), let first = path.first, "/*".contains(first) else {
            return nil
        }
        var text: [UInt8] = []
        JSONWriter.append(string: "NOT \(path)", to: &text)
        return [TextEdit(value.range, text)]
    }
}
