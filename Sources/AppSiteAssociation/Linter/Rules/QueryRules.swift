/// The `?` of a component.
enum QueryRules {
    static func check(
        _ text: String, at range: Range<Int>, isEncoded: Bool, _ context: inout LintContext
    ) {
        // "?*" and "???" are patterns; in "?name=" the separator was copied.
        if PatternSigns.beginsWithQuery(text) {
            context.report("query-with-mark", at: range, "\"\(text)\" begins with the ? of the URL")
        }
        checkPattern(text, at: range, isEncoded: isEncoded, &context)
    }

    /// Checks for a whole query and for the value of an item.
    private static func checkPattern(
        _ text: String, at range: Range<Int>, isEncoded: Bool, _ context: inout LintContext
    ) {
        let signs = PatternSigns(text)
        // What is decoded before may have been %23.
        if isEncoded, signs.hasHash {
            context.report(
                "query-with-hash", at: range,
                "\"\(text)\" has a #, which queries never have: it never matches")
        }
        PatternRules.checkCharacters(text, signs, at: range, isEncoded: isEncoded, &context)
    }

    static func check(
        _ items: [JSONMember], of value: JSONValue, isEncoded: Bool,
        _ context: inout LintContext
    ) {
        if items.isEmpty {
            context.report(
                "query-empty", at: value.range, "this query has no items and matches any query")
        }
        for item in items {
            let isVariable = !PatternPiece.names(in: item.key).isEmpty
            if isVariable || item.key.isEmpty || item.key.utf8.contains(where: isSeparator) {
                context.report(
                    "query-item-name", at: item.keyRange,
                    isVariable
                        ? "\"\(item.key)\" is the name of an item, and names cannot contain variables"
                        : "\"\(item.key)\" is not the name of a query item")
            }
            PatternRules.checkCharacters(
                item.key, PatternSigns(item.key), at: item.keyRange, isEncoded: isEncoded, &context)
            guard let pattern = item.value.string else { continue }
            if !pattern.isEmpty, pattern.utf8.allSatisfy({ $0 == UInt8(ascii: "*") }) {
                context.report(
                    "query-star-matches-absent", at: item.value.range,
                    "\"\(item.key)\": \"\(pattern)\" also matches if the item is missing")
            }
            if isEncoded, pattern.utf8.contains(UInt8(ascii: "&")) {
                context.report(
                    "query-value-with-separator", at: item.value.range,
                    "\"\(pattern)\" has an &, which ends an item: it never matches")
            }
            checkPattern(pattern, at: item.value.range, isEncoded: isEncoded, &context)
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { "=&?#*".utf8.contains(byte) }
}
