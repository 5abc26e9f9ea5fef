/// The `?` of a component.
enum QueryRules {
    static let rules = [
        leadingMark, starPresence, emptyObject, nameSyntax, hash, separator,
    ]
    private static let apple = "Apple, applinks.Details.Components.Query"

    static let leadingMark = LintRule(
        "query-with-mark", .warning, "a query pattern that begins with ?",
        why: "The ? between path and query is not part of the query. In a pattern it asks for one "
            + "character more.",
        fix: "remove the ?", .documented, apple,
        bad: .components("{ \"/\": \"/buy\", \"?\": \"?item=*\" }"),
        good: .components("{ \"/\": \"/buy\", \"?\": \"item=*\" }"))
    static let starPresence = LintRule(
        "query-star-matches-absent", .note, "* also matches a query item that is not there",
        why:
            "A missing item counts as empty and * matches the empty text, so this item tests "
            + "nothing. "
            + "People who want the item to be present are bitten by it.",
        fix: "write \"?*\" if the item must be present; leave it out otherwise", .appleTool,
        "Apple's swcutil, published output; Element Call #1693",
        bad: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"*\" } }"),
        good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"?*\" } }"))
    static let emptyObject = LintRule(
        "query-empty", .note, "a query without items",
        why: "It tests nothing: every query matches.", fix: "leave \"?\" out", .documented, apple,
        bad: .components("{ \"/\": \"/buy\", \"?\": {} }"), good: .components("{ \"/\": \"/buy\" }")
    )
    static let nameSyntax = LintRule(
        "query-item-name", .warning, "the name of a query item holds a sign that no name has",
        why:
            "Item names are compared with the names in the URL, which end at = and &; patterns "
            + "and variables are not read in names.",
        fix: "write the bare name", .documented, apple,
        bad: .components("{ \"/\": \"/buy\", \"?\": { \"item=\": \"?*\" } }"),
        good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"?*\" } }"))

    static let hash = LintRule(
        "query-with-hash", .warning, "a # inside a query",
        why: "A URL's query ends before its #, so the pattern can never match.",
        fix: "put what follows the # into \"#\", or write %23", .documented,
        "RFC 3986, section 3.4",
        bad: .components("{ \"/\": \"/buy\", \"?\": \"item=1#top\" }"),
        good: .components("{ \"/\": \"/buy\", \"?\": \"item=1\", \"#\": \"top\" }"))
    static let separator = LintRule(
        "query-value-with-separator", .warning, "an & in the value of a query item",
        why: "An item of a query ends at the next &, so the pattern can never match.",
        fix: "write an item of its own for what follows the &, or write %26", .documented, apple,
        bad: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"1&size=2\" } }"),
        good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"1\", \"size\": \"2\" } }"))

    static func check(
        _ text: String, at range: Range<Int>, isEncoded: Bool, _ context: inout LintContext
    ) {
        let signs = PatternSigns(text)
        // "?*" and "???" are patterns; in "?name=" the separator was copied.
        if text.hasPrefix("?"), PatternSigns.beginsWithQuery(text) {
            context.report(leadingMark, at: range, "\"\(text)\" begins with the ? of the URL")
        }
        checkPattern(text, signs, at: range, isEncoded: isEncoded, &context)
    }

    /// Checks for a whole query and for the value of an item.
    private static func checkPattern(
        _ text: String, _ signs: PatternSigns, at range: Range<Int>, isEncoded: Bool,
        _ context: inout LintContext
    ) {
        // What is decoded before may have been %23.
        if isEncoded, signs.hasHash {
            context.report(
                hash, at: range, "\"\(text)\" has a #, which no query has: it never matches")
        }
        PatternRules.checkCharacters(text, signs, at: range, isEncoded: isEncoded, &context)
    }

    static func check(
        _ items: [JSONMember], of value: JSONValue, isEncoded: Bool,
        _ context: inout LintContext
    ) {
        if items.isEmpty {
            context.report(
                emptyObject, at: value.range, "this query has no items and tests nothing")
        }
        for item in items {
            let isVariable = Self.isVariable(item.key)
            if isVariable || item.key.isEmpty || item.key.utf8.contains(where: isSeparator) {
                context.report(
                    nameSyntax, at: item.keyRange,
                    isVariable
                        ? "\"\(item.key)\" is the name of an item: variables are not read in names"
                        : "\"\(item.key)\" is not the name of a query item")
            }
            PatternRules.checkCharacters(
                item.key, PatternSigns(item.key), at: item.keyRange, isEncoded: isEncoded, &context)
            guard let pattern = item.value.string else { continue }
            if !pattern.isEmpty, pattern.utf8.allSatisfy({ $0 == UInt8(ascii: "*") }) {
                context.report(
                    starPresence, at: item.value.range,
                    "\"\(item.key)\": \"\(pattern)\" also matches when the item is absent")
            }
            if isEncoded, pattern.utf8.contains(UInt8(ascii: "&")) {
                context.report(
                    separator, at: item.value.range,
                    "\"\(pattern)\" has an &, where an item ends: it never matches")
            }
            checkPattern(
                pattern, PatternSigns(pattern), at: item.value.range, isEncoded: isEncoded,
                &context)
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { "=&?#*".utf8.contains(byte) }

    private static func isVariable(_ key: String) -> Bool {
        guard key.utf8.contains(UInt8(ascii: "$")) else { return false }
        return !PatternPiece.names(in: key).isEmpty
    }
}
