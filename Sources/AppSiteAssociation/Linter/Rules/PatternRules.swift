/// Patterns of paths and fragments that can never match, or have an unexpected meaning.
enum PatternRules {
    static let rules = [
        hash, query, noSlash, wholeURL, host, exclusionInComponent, white, nonASCII, unencoded,
        regex,
        fragmentHash, emptyPath, lowerHex, encodedLiteral,
    ]
    private static let apple = "Apple, applinks.Details.Components"
    private static let good = LintExample.components("{ \"/\": \"/buy/*\" }")

    static let hash = LintRule(
        "path-with-fragment", .warning, "a # inside a path",
        why: "A URL's path ends before its #, so the pattern can never match.",
        fix: "put what follows the # into \"#\"", .observed, "Apple developer forum 712348",
        bad: .components("{ \"/\": \"/app#buy/*\" }"),
        good: .components("{ \"/\": \"/app\", \"#\": \"buy/*\" }"))
    static let query = LintRule(
        "path-with-query", .warning, "a query inside a path",
        why: "A path pattern is compared with the path alone, and ? in it means any one character. "
            + "The pattern does not look at the query.",
        fix: "put the query into \"?\": { \"name\": \"value\" }", .documented, apple,
        bad: .components("{ \"/\": \"/buy?item=*\" }"),
        good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"?*\" } }"))
    static let noSlash = LintRule(
        "path-without-slash", .note, "a path that does not begin with /",
        why:
            "Apple's tool reads abc as /abc, and Apple's page on components writes one so: it "
            + "works. Other readers of the file, and people, expect the slash.",
        fix: "begin the path with /", .appleTool, "Apple, applinks.Details.Components",
        bad: .components("{ \"/\": \"buy/*\" }"), good: good)
    static let wholeURL = LintRule(
        "path-is-url", .warning, "a whole URL instead of a path",
        why:
            "A pattern is compared with the path of the URL; scheme and host are not part of it, "
            + "so it "
            + "never matches.",
        fix: "keep only the part from the first / after the host", .documented, apple,
        bad: .components("{ \"/\": \"https://example.com/buy/*\" }"), good: good)
    static let host = LintRule(
        "path-with-host", .warning, "a host inside a path",
        why: "A pattern is compared with the path of the URL, which begins behind the host: the "
            + "pattern matches only where a folder has the name of a host.",
        fix: "keep only what follows the host; each host has a file of its own", .documented, apple,
        bad: .components("{ \"/\": \"/links.example.com/buy/*\" }"), good: good)
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
        fix: "write %20, or remove the blank", .appleTool, "Apple's swcutil, published output",
        bad: .components("{ \"/\": \"/buy/* \" }"), good: good)
    static let nonASCII = LintRule(
        "pattern-not-ascii", .warning, "characters in a pattern that URLs do not hold",
        why:
            "A URL holds their percent-encoded bytes, and patterns are compared with the URL as "
            + "written "
            + "unless percentEncoded is false: the pattern never matches.",
        fix: "write the percent-encoded form in capitals (%C3%A9), or set percentEncoded to false",
        .appleTool, "Apple's swcutil, published output", bad: .components("{ \"/\": \"/café/*\" }"),
        good: .components("{ \"/\": \"/caf%C3%A9/*\" }"))
    static let unencoded = LintRule(
        "pattern-not-encoded", .warning, "a sign in a pattern that URLs hold percent-encoded",
        why:
            "A URL holds none of \" < > \\ ^ ` { | } (RFC 3986): whoever makes one encodes them, "
            + "and patterns are compared with the URL as written unless percentEncoded is false: "
            + "the pattern never matches.",
        fix: "write the percent-encoded form (%7C for |), or set percentEncoded to false",
        .reported, "RFC 3986, section 2; Foundation's URL",
        bad: .components("{ \"/\": \"/a|b/*\" }"),
        good: .components("{ \"/\": \"/a%7Cb/*\" }"))
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
        "pattern-lower-hex", .note, "percent-encoding in small letters",
        why:
            "Patterns are compared with the URL as written and %c3 is not %C3 then; browsers and "
            + "URL "
            + "libraries write capitals.",
        fix: "write the hexadecimal digits in capitals", .appleTool,
        "Apple's swcutil, published output",
        bad: .components("{ \"/\": \"/caf%c3%a9\" }"),
        good: .components("{ \"/\": \"/caf%C3%A9\" }"))

    static let encodedLiteral = LintRule(
        "pattern-percent-literal", .warning, "percent-encoding where percentEncoded is false",
        why:
            "With percentEncoded false the URL is decoded first and the pattern is taken as it "
            + "stands: %C3 in it asks for a percent sign, C and 3.",
        fix: "write the character itself (é), or remove percentEncoded", .appleTool,
        "Apple, applinks.Details.Components",
        bad: .components("{ \"/\": \"/caf%C3%A9\", \"percentEncoded\": false }"),
        good: .components("{ \"/\": \"/café\", \"percentEncoded\": false }"))

    // MARK: - Checks

    /// - Parameter isEncoded: whether the pattern is compared with the URL as written
    ///   (`percentEncoded`, with its defaults).
    static func checkPath(
        _ text: String, at range: Range<Int>, inPaths: Bool, isEncoded: Bool,
        _ context: inout LintContext
    ) {
        let signs = PatternSigns(text)
        if text.isEmpty {
            return context.report(emptyPath, at: range, "this path pattern is empty")
        }
        if signs.hasScheme {
            return context.report(
                wholeURL, at: range, "\"\(text)\" is a URL; only its path is compared")
        }
        if !inPaths, text.hasPrefix("NOT ") {
            return context.report(
                exclusionInComponent, at: range, "\"NOT \" does not exclude here")
        }
        if signs.hasHost {
            return context.report(
                host, at: range, "\"\(text)\" begins with a host, which is no part of the path")
        }
        if signs.hasHash {
            return context.report(
                hash, at: range, "\"\(text)\" has a #, which no path has: it never matches",
                remedy: inPaths ? "remove it; only components compare what follows a #" : nil)
        }
        if signs.hasQuery {
            return context.report(
                query, at: range, "\"\(text)\" has a query, which is not part of the path",
                remedy: inPaths ? "keep only the path; only components compare the query" : nil)
        }
        if let first = text.utf8.first, !"/*?$".utf8.contains(first) {
            context.gather(noSlash, at: range, "\"\(text)\" does not begin with /")
        }
        let foreign = signs.mayBeForeign ? ForeignSyntax.reason(text) : nil
        checkCharacters(
            text, signs, at: range, isEncoded: isEncoded, isForeign: foreign != nil, &context)
        if let foreign { context.report(regex, at: range, "\"\(text)\": \(foreign)") }
    }

    static func checkFragment(
        _ text: String, at range: Range<Int>, isEncoded: Bool, _ context: inout LintContext
    ) {
        if text.hasPrefix("#") {
            context.report(fragmentHash, at: range, "\"\(text)\" begins with #")
        }
        checkCharacters(text, PatternSigns(text), at: range, isEncoded: isEncoded, &context)
    }

    /// Checks for every pattern, including queries, and for the names of query items.
    ///
    /// - Parameter isForeign: whether the text is told to be a pattern of another format, which
    ///   explains its signs.
    static func checkCharacters(
        _ text: String, _ signs: PatternSigns, at range: Range<Int>, isEncoded: Bool,
        isForeign: Bool = false, _ context: inout LintContext
    ) {
        guard isEncoded else {
            if signs.hasEncoding {
                context.report(
                    encodedLiteral, at: range,
                    "\"\(text)\" is percent-encoded, and the URL is decoded before")
            }
            return
        }
        if signs.hasBlank {
            context.report(white, at: range, "\"\(text)\" has white space in it")
        }
        if signs.hasNonASCII {
            context.report(nonASCII, at: range, "\"\(text)\" has characters outside ASCII")
        }
        if let sign = signs.unencoded, !isForeign {
            context.report(
                unencoded, at: range,
                "\"\(text)\" has \(Unicode.Scalar(sign)), which a URL holds as "
                    + "%\(String(sign, radix: 16, uppercase: true))")
        }
        if signs.hasLowerHex {
            context.report(
                lowerHex, at: range, "\"\(text)\" has percent-encoding in small letters")
        }
    }
}

/// Properties of a pattern, determined in one pass over its bytes.
struct PatternSigns {
    private(set) var hasBlank = false
    private(set) var hasNonASCII = false
    /// The first printable ASCII character that URLs hold percent-encoded.
    private(set) var unencoded: UInt8?
    private(set) var hasHash = false
    /// The first folder is `www.example.com` or `*.example.com`.
    private(set) var hasHost = false
    /// `://`
    private(set) var hasScheme = false
    /// A `?`, `&` or `*` followed by a name and `=`.
    private(set) var hasQuery = false
    /// `%` and two hexadecimal digits.
    private(set) var hasEncoding = false
    private(set) var hasLowerHex = false
    /// Syntax of other formats that is literal here.
    private(set) var mayBeForeign = false

    init(_ text: String) {
        var text = text
        self = text.withUTF8 { PatternSigns($0) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Values stand in the place of a `$(name)`, so its own characters do not matter.
        var nameEnd = 0
        hasHost = Self.isHost(bytes.drop { $0 == UInt8(ascii: "/") })
        for (index, byte) in bytes.enumerated() where index >= nameEnd {
            if unencoded == nil, 0x20 < byte, byte < 0x7F, !URLParts.mayStand(byte) {
                unencoded = byte
            }
            switch byte {
            case 0...0x20, 0x7F: hasBlank = true
            case 0x80...: hasNonASCII = true
            case UInt8(ascii: "#"): hasHash = true
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "*"):
                if !hasQuery { hasQuery = Self.isQuery(bytes[(index + 1)...]) }
            case UInt8(ascii: "^"), UInt8(ascii: "\\"), UInt8(ascii: "["), UInt8(ascii: "."),
                UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"):
                mayBeForeign = true
            case UInt8(ascii: "$"):
                mayBeForeign = true
                nameEnd = PatternPiece.endOfName(bytes, from: index + 1) ?? nameEnd
            case UInt8(ascii: ":"):
                mayBeForeign = true
                // Of several the first: behind it stands a URL that the path holds.
                if !hasScheme, index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"),
                    bytes[index + 2] == UInt8(ascii: "/")
                {
                    hasScheme = Self.isScheme(bytes[..<index])
                }
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count else { continue }
                let digits = (bytes[index + 1], bytes[index + 2])
                guard Self.isHex(digits.0), Self.isHex(digits.1) else { continue }
                hasEncoding = true
                if digits.0 >= 0x61 || digits.1 >= 0x61 { hasLowerHex = true }
            default: break
            }
        }
    }

    /// Whether a text is `?item=…`.
    static func beginsWithQuery(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.first == UInt8(ascii: "?") && isQuery($0.dropFirst()) }
    }

    /// Whether a name and `=` follow a `?`, as in `?item=`. After wildcards `=` is an ordinary
    /// character of a path (RFC 3986, section 3.3).
    private static func isQuery(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let name = rest.prefix {
            $0.isASCIILetter || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
        return !name.isEmpty && name.endIndex < rest.endIndex
            && rest[name.endIndex] == UInt8(ascii: "=")
    }

    /// Whether a folder with the name of a host begins the text, and something follows it. Pages
    /// have names with full stops, too, so the last label is one that no file ends with.
    private static func isHost(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let host = text.prefix { $0 != UInt8(ascii: "/") }
        guard host.endIndex < text.endIndex || host.starts(with: "*.".utf8), host.count < 256,
            host.dropFirst(2).allSatisfy({
                $0.isASCIILetter || (0x30...0x39).contains($0) || ".-".utf8.contains($0)
            }), let dot = host.lastIndex(of: UInt8(ascii: "."))
        else { return false }
        return domains.contains(String(decoding: host[(dot + 1)...], as: UTF8.self).lowercased())
    }

    private static let domains: Set<String> = [
        "com", "net", "org", "io", "app", "dev", "info", "biz", "shop", "link", "page", "eu", "de",
        "at", "ch", "uk", "fr", "it", "es", "nl", "be", "pl", "se", "dk", "us", "ca", "br", "mx",
        "au", "jp", "kr", "cn", "in", "ru", "co", "me", "tv", "ai", "cloud", "online", "store",
    ]

    /// Whether the text before `://` is a URL scheme, rather than a path that contains a URL.
    private static func isScheme(_ start: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = start.first, first.isASCIILetter else { return false }
        return start.allSatisfy { $0.isSchemeCharacter || $0 == UInt8(ascii: "?") }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}

/// Patterns of other formats, which are literal here.
private enum ForeignSyntax {
    /// No route has longer patterns; the check stops there.
    private static let longest = 2_048

    /// Why the text is a pattern of another format, or nil.
    static func reason(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { reason($0.prefix(longest)) }
    }

    private static func reason(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        func has(_ sign: Unicode.Scalar) -> Bool { bytes.contains(UInt8(ascii: sign)) }
        if bytes.starts(with: "^".utf8) || bytes.starts(with: "/^".utf8) {
            return "^ stands for itself"
        }
        if has("\\") { return "\\ stands for itself" }
        if has("["), has("]") { return "brackets stand for themselves" }
        if bytes.suffix(4).elementsEqual("(.*)".utf8) || hasAnything(bytes) {
            return ".* is a full stop followed by anything"
        }
        if bytes.last == UInt8(ascii: "$") { return "$ at the end stands for itself" }
        let names = bytes.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        if let name = names.dropFirst().first(where: {
            $0.count > 1 && $0.prefix(2).allSatisfy(\.isASCIILetter)
        }) {
            let name = String(decoding: name.prefix { $0.isASCIILetter }, as: UTF8.self)
            return "$\(name) stands for itself; a variable is written $(\(name))"
        }
        let mayChoose = has("|") && has("(") && has(")")
        guard mayChoose || has(":") || has("{") || has("<") else { return nil }
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            let isParameter = part.first == UInt8(ascii: ":") && part.count > 1
            // URLs have these percent-encoded: `item-{id}` and `<id>` match none.
            let isBraced = isPair("{", "}", in: part) || isPair("<", ">", in: part)
            if isParameter || isBraced {
                return "\(String(decoding: part, as: UTF8.self)) stands for itself"
            }
            if mayChoose, part.contains(UInt8(ascii: "(")), part.contains(UInt8(ascii: "|")),
                part.contains(UInt8(ascii: ")"))
            {
                return "(a|b) stands for itself"
            }
        }
        return nil
    }

    private static func isPair(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, in part: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Bool {
        guard let start = part.firstIndex(of: UInt8(ascii: open)) else { return false }
        return part[start...].contains(UInt8(ascii: close))
    }

    /// `/.*`
    private static func hasAnything(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.indices.dropLast(2).contains {
            bytes[$0] == UInt8(ascii: "/") && bytes[$0 + 1] == UInt8(ascii: ".")
                && bytes[$0 + 2] == UInt8(ascii: "*")
        }
    }
}
