/// The `?` of a component.
enum QueryRules {
    static func check(
        _ query: Located<String>, isEncoded: Bool, _ context: inout LintContext
    ) {
        // "?*" and "???" are patterns; in "?name=" the separator was copied.
        if PatternSigns.beginsWithQuery(query.value) {
            context.report("query-with-mark", at: query.range, query.value)
        }
        checkPattern(query, isEncoded: isEncoded, &context)
    }

    /// Checks for a whole query and for the value of an item.
    private static func checkPattern(
        _ pattern: Located<String>, isEncoded: Bool, _ context: inout LintContext
    ) {
        let signs = PatternSigns(pattern)
        // What is decoded before may have been %23.
        if isEncoded, signs.hasHash {
            context.report("query-with-hash", at: pattern.range, pattern.value)
        }
        PatternRules.checkCharacters(signs, isEncoded: isEncoded, &context)
    }

    /// - Parameter value: the query; what is no object has no items.
    static func check(itemsOf value: JSONValue, isEncoded: Bool, _ context: inout LintContext) {
        guard let items = value.members else { return }
        if items.isEmpty { context.report("query-empty", at: value.range) }
        for item in items {
            let isVariable = !PatternPiece.names(in: item.key).isEmpty
            let hasSeparator = item.key.utf8.contains(where: "=&?#*".utf8.contains)
            if isVariable || item.key.isEmpty || hasSeparator {
                context.report(
                    "query-item-name", at: item.keyRange,
                    isVariable
                        ? "\"\(item.key)\" is the name of an item, and names cannot contain variables"
                        : "\"\(item.key)\" is not the name of a query item")
            }
            let name = PatternSigns(Located(item.key, range: item.keyRange))
            PatternRules.checkCharacters(name, isEncoded: isEncoded, &context)
            guard let value = item.value.text else { continue }
            let pattern = value.value
            if !pattern.isEmpty, pattern.utf8.allSatisfy({ $0 == UInt8(ascii: "*") }) {
                context.report(
                    "query-star-matches-absent", at: value.range,
                    "\"\(item.key)\": \"\(pattern)\" also matches if the item is missing")
            }
            if isEncoded, pattern.utf8.contains(UInt8(ascii: "&")) {
                context.report("query-value-with-separator", at: value.range, pattern)
            }
            checkPattern(value, isEncoded: isEncoded, &context)
        }
    }
}
