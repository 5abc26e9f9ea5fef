/// Patterns of paths and fragments: what can never match, and what means something else.
enum PatternRules {
    static let rules = [
        hash, query, noSlash, wholeURL, exclusionInComponent, white, nonASCII, regex, fragmentHash,
        emptyPath, lowerHex,
    ]
    private static let apple = "Apple, applinks.Details.Components"
    private static let good = LintExample.components("{ \"/\": \"/buy/*\" }")

    static let hash = LintRule(
        "path-with-fragment", .error, "a # inside a path",
        why: "A URL's path ends before its #, so the pattern can never match.",
        fix: "put what follows the # into \"#\"", .observed, "Apple developer forum 712348",
        bad: .components("{ \"/\": \"/app#buy/*\" }"),
        good: .components("{ \"/\": \"/app\", \"#\": \"buy/*\" }"))
    static let query = LintRule(
        "path-with-query", .error, "a query inside a path",
        why: "A path pattern is compared with the path alone, and ? in it means any one character. "
            + "The pattern does not look at the query.",
        fix: "put the query into \"?\": { \"name\": \"value\" }", .documented, apple,
        bad: .components("{ \"/\": \"/buy?item=*\" }"),
        good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"?*\" } }"))
    static let noSlash = LintRule(
        "path-without-slash", .warning, "a path that does not begin with /",
        why:
            "Apple's tool reads abc as /abc, but Apple's documentation always writes the slash: "
            + "this is "
            + "only tolerated.",
        fix: "begin the path with /", .appleTool, "domain.md 2.3",
        bad: .components("{ \"/\": \"buy/*\" }"), good: good)
    static let wholeURL = LintRule(
        "path-is-url", .error, "a whole URL instead of a path",
        why:
            "A pattern is compared with the path of the URL; scheme and host are not part of it, "
            + "so it "
            + "never matches.",
        fix: "keep only the part from the first / after the host", .documented, apple,
        bad: .components("{ \"/\": \"https://example.com/buy/*\" }"), good: good)
    static let exclusionInComponent = LintRule(
        "component-with-not", .error, "NOT inside a component",
        why:
            "\"NOT \" belongs to paths. In a component it is four ordinary characters, and the "
            + "pattern "
            + "matches nothing.",
        fix: "write \"exclude\": true", .documented, apple,
        bad: .components("{ \"/\": \"NOT /help/*\" }, { \"/\": \"*\" }"),
        good: .components("{ \"/\": \"/help/*\", \"exclude\": true }, { \"/\": \"*\" }"))
    static let white = LintRule(
        "pattern-with-blank", .warning, "white space in a pattern",
        why:
            "A URL holds %20 where a person sees a blank, and patterns are compared with the URL "
            + "as "
            + "written unless percentEncoded is false.",
        fix: "write %20, or remove the blank", .appleTool, "domain.md 2.3",
        bad: .components("{ \"/\": \"/buy/* \" }"), good: good)
    static let nonASCII = LintRule(
        "pattern-not-ascii", .warning, "characters in a pattern that URLs do not hold",
        why:
            "A URL holds their percent-encoded bytes, and patterns are compared with the URL as "
            + "written "
            + "unless percentEncoded is false: the pattern never matches.",
        fix: "write the percent-encoded form in capitals (%C3%A9), or set percentEncoded to false",
        .appleTool, "domain.md 2.3", bad: .components("{ \"/\": \"/café/*\" }"),
        good: .components("{ \"/\": \"/caf%C3%A9/*\" }"))
    static let regex = LintRule(
        "pattern-not-glob", .warning, "a pattern that looks like a regular expression or a route",
        why:
            "Patterns know *, ? and $(variable) only. Everything else stands for itself: ^, \\d, "
            + "[a-z], "
            + "(a|b), :id and {id} are compared letter by letter.",
        fix: "write * or ? or a substitution variable", .documented, apple,
        bad: .components("{ \"/\": \"/buy/:id\" }"), good: good)
    static let fragmentHash = LintRule(
        "fragment-with-hash", .warning, "a fragment pattern that begins with #",
        why: "The # is the border, not part of the fragment, so the pattern asks for a second one.",
        fix: "remove the #", .documented, apple, bad: .components("{ \"#\": \"#buy\" }"),
        good: .components("{ \"#\": \"buy\" }"))
    static let emptyPath = LintRule(
        "path-empty", .warning, "an empty path pattern",
        why: "What it matches is not documented; it may be the front page, or nothing.",
        fix: "write \"/\" for the front page, \"*\" for every page", .advice, apple,
        bad: .components("{ \"/\": \"\" }"), good: good)
    static let lowerHex = LintRule(
        "pattern-lower-hex", .info, "percent-encoding in small letters",
        why:
            "Patterns are compared with the URL as written and %c3 is not %C3 then; browsers and "
            + "URL "
            + "libraries write capitals.",
        fix: "write the hexadecimal digits in capitals", .appleTool, "domain.md 2.3",
        bad: .components("{ \"/\": \"/caf%c3%a9\" }"),
        good: .components("{ \"/\": \"/caf%C3%A9\" }"))

    static func checkPath(
        _ text: String, at range: Range<Int>, inPaths: Bool, _ context: inout LintContext
    ) {
        if text.isEmpty {
            return context.report(emptyPath, at: range, "this path pattern is empty")
        }
        if text.contains("://") {
            return context.report(
                wholeURL, at: range, "\"\(text)\" is a URL; only its path is compared")
        }
        if !inPaths, text.hasPrefix("NOT ") {
            return context.report(
                exclusionInComponent, at: range, "\"NOT \" does not exclude here")
        }
        if text.contains("#") {
            return context.report(
                hash, at: range, "\"\(text)\" has a #, which no path has: it never matches")
        }
        if let mark = text.firstIndex(of: "?"), text[mark...].contains("=") {
            return context.report(
                query, at: range, "\"\(text)\" has a query, which is not part of the path")
        }
        if let first = text.first, !"/*?$".contains(first) {
            context.report(noSlash, at: range, "\"\(text)\" does not begin with /")
        }
        checkCharacters(text, at: range, &context)
        if let why = foreignSyntax(text) {
            context.report(regex, at: range, "\"\(text)\": \(why)")
        }
    }

    static func checkFragment(
        _ text: String, at range: Range<Int>, _ context: inout LintContext
    ) {
        if text.hasPrefix("#") {
            context.report(fragmentHash, at: range, "\"\(text)\" begins with #")
        }
        checkCharacters(text, at: range, &context)
    }

    /// What holds for every pattern, queries included.
    static func checkCharacters(
        _ text: String, at range: Range<Int>, _ context: inout LintContext
    ) {
        if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
            context.report(white, at: range, "\"\(text)\" has white space in it")
        }
        if text.unicodeScalars.contains(where: { $0.value >= 0x80 }) {
            context.report(nonASCII, at: range, "\"\(text)\" has characters outside ASCII")
        }
        var rest = Array(text.utf8)[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")), percent + 2 < rest.endIndex {
            let digits = rest[percent + 1...percent + 2]
            let hex = digits.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF)
            }
            if hex, digits.contains(where: { $0 >= 0x61 }) {
                context.report(
                    lowerHex, at: range,
                    "\"\(text)\" has percent-encoding in small letters")
                break
            }
            rest = rest[(percent + 1)...]
        }
    }

    /// Why the text is not a pattern of this format but of another, or nil.
    private static func foreignSyntax(_ text: String) -> String? {
        if text.hasPrefix("^") || text.hasPrefix("/^") { return "^ stands for itself" }
        if text.contains("\\") { return "\\ stands for itself" }
        if text.contains("[") && text.contains("]") { return "brackets stand for themselves" }
        if text.contains(".*") && (text.hasSuffix(".*") || text.contains("/.*")),
            text.contains("/.*") || text.hasSuffix("(.*)")
        {
            return ".* is a full stop followed by anything"
        }
        if text.hasSuffix("$") { return "$ at the end stands for itself" }
        for segment in text.split(separator: "/") {
            if segment.hasPrefix(":"), segment.count > 1 { return "\(segment) stands for itself" }
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                return "\(segment) stands for itself"
            }
            if segment.contains("("), segment.contains("|"), segment.contains(")") {
                return "(a|b) stands for itself"
            }
        }
        return nil
    }
}
