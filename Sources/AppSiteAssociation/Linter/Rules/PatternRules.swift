/// Patterns of paths and fragments that can never match, or have an unexpected meaning.
enum PatternRules {
    /// - Parameter isEncoded: whether the pattern is compared with the URL as written
    ///   (`percentEncoded`, with its defaults).
    static func checkPath(
        _ text: String, at range: Range<Int>, inPaths: Bool, isEncoded: Bool,
        _ context: inout LintContext
    ) {
        let signs = PatternSigns(text)
        if text.isEmpty {
            return context.report("path-empty", at: range, "this path pattern is empty")
        }
        if signs.hasScheme {
            return context.report(
                "path-is-url", at: range, "\"\(text)\" is a URL, but devices match only paths")
        }
        if !inPaths, PathRules.excluded(text) != nil {
            return context.report(
                "component-with-not", at: range, "\"\(text)\" excludes nothing in a component")
        }
        if signs.hasHost {
            return context.report(
                "path-with-host", at: range,
                "\"\(text)\" begins with a host, which is not part of the path")
        }
        if signs.hasHash {
            return context.report(
                "path-with-fragment", at: range,
                "\"\(text)\" has a #, but the path of a URL ends before the #",
                remedy: inPaths ? "Remove the # and what follows: only \"#\" compares it." : nil)
        }
        if signs.hasQuery {
            return context.report(
                "path-with-query", at: range,
                "\"\(text)\" has a query, which is not part of the path",
                remedy: inPaths ? "Keep only the path: only components compare the query." : nil)
        }
        let foreign = signs.mayBeForeign ? ForeignSyntax.reason(text) : nil
        if let first = text.utf8.first, !" /*?$".utf8.contains(first), foreign == nil {
            context.gather("path-without-slash", at: range, "\"\(text)\" does not begin with /")
        }
        checkCharacters(
            text, signs, at: range, isEncoded: isEncoded, isForeign: foreign != nil, &context)
        if let foreign { context.report("pattern-not-glob", at: range, "\"\(text)\": \(foreign)") }
    }

    static func checkFragment(
        _ text: String, at range: Range<Int>, isEncoded: Bool, _ context: inout LintContext
    ) {
        if text.hasPrefix("#") {
            context.report("fragment-with-hash", at: range, "\"\(text)\" begins with #")
        }
        checkCharacters(text, PatternSigns(text), at: range, isEncoded: isEncoded, &context)
    }

    /// Checks for every pattern, including queries, and for the names of query items.
    ///
    /// - Parameter isForeign: whether the text is a pattern of another format, which
    ///   explains its signs.
    static func checkCharacters(
        _ text: String, _ signs: PatternSigns, at range: Range<Int>, isEncoded: Bool,
        isForeign: Bool = false, _ context: inout LintContext
    ) {
        guard isEncoded else {
            if signs.hasEncoding {
                context.report(
                    "pattern-percent-literal", at: range,
                    "\"\(text)\" is percent-encoded, but devices decode the URL first")
            }
            return
        }
        if signs.hasBlank {
            context.report("pattern-with-blank", at: range, "\"\(text)\" contains white space")
        }
        if signs.hasNonASCII, let sign = text.unicodeScalars.first(where: { !$0.isASCII }) {
            let isUnseen =
                sign.properties.isWhitespace || sign.properties.isDefaultIgnorableCodePoint
            let whole = text.unicodeScalars.map { $0.isASCII ? String($0) : encoded($0) }
            context.report(
                "pattern-not-ascii", at: range, "\"\(text)\" has characters outside ASCII",
                remedy: isUnseen
                    ? "Remove the invisible character \(sign.codePoint)."
                    : "Write \"\(whole.joined())\", or set percentEncoded to false.")
        }
        if let byte = signs.unencoded, !isForeign {
            let sign = Unicode.Scalar(byte)
            context.report(
                "pattern-not-encoded", at: range,
                "\"\(text)\" has \(sign), which URLs contain as \(encoded(sign))",
                remedy: "Write \(encoded(sign)), or set percentEncoded to false.")
        }
        if signs.hasClass, !isForeign {
            context.report(
                "pattern-not-glob", at: range,
                "\"\(text)\": \(ForeignSyntax.brackets)")
        }
        if signs.hasLowerHex {
            context.report(
                "pattern-lower-hex", at: range, "\"\(text)\" has percent-encoding in lower case")
        }
    }

    /// The percent-encoded form.
    private static func encoded(_ sign: Unicode.Scalar) -> String {
        String(sign).utf8.map(\.percentEncoded).joined()
    }
}

/// Properties of a pattern, determined in one pass over its bytes.
struct PatternSigns {
    private(set) var hasBlank = false
    private(set) var hasNonASCII = false
    /// The first printable ASCII character that URLs hold percent-encoded.
    private(set) var unencoded: UInt8?
    private(set) var hasHash = false
    /// `[0-9`, `[a-z` or `[A-Z`, as in a regular expression.
    private(set) var hasClass = false
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
        let bytes = Array(text.utf8)
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
                UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: ","):
                mayBeForeign = true
                let range = bytes[(index + 1)...].prefix(3)
                hasClass =
                    hasClass
                    || byte == UInt8(ascii: "[")
                        && ["0-9", "a-z", "A-Z"].contains { range.elementsEqual($0.utf8) }
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
                let digits = bytes[(index + 1)...].prefix(2)
                if digits.count == 2, digits.allSatisfy(\.isASCIIHexDigit) {
                    hasEncoding = true
                    if digits.contains(where: { $0 >= 0x61 }) { hasLowerHex = true }
                } else if unencoded == nil, !digits.contains(where: "*?$".utf8.contains) {
                    unencoded = byte
                }
            default: break
            }
        }
    }

    /// Whether a text is `?item=…`.
    static func beginsWithQuery(_ text: String) -> Bool {
        text.hasPrefix("?") && isQuery(Array(text.utf8).dropFirst())
    }

    /// Whether a name and `=` follow a `?`, as in `?item=`. After wildcards `=` is an ordinary
    /// character of a path (RFC 3986, section 3.3).
    private static func isQuery(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
        return !name.isEmpty && name.endIndex < rest.endIndex
            && rest[name.endIndex] == UInt8(ascii: "=")
    }

    /// Whether a folder with the name of a host begins the text, and something follows it. Pages
    /// have names with full stops, too, so the last label is one that no file ends with.
    private static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        let host = text.prefix { $0 != UInt8(ascii: "/") }
        guard host.endIndex < text.endIndex || host.starts(with: "*.".utf8), host.count < 256,
            host.dropFirst(2).allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || ".-".utf8.contains($0)
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
    private static func isScheme(_ start: ArraySlice<UInt8>) -> Bool {
        guard let first = start.first, first.isASCIILetter else { return false }
        return start.allSatisfy { $0.isSchemeCharacter || $0 == UInt8(ascii: "?") }
    }
}

/// Patterns of other formats, which are literal here.
private enum ForeignSyntax {
    /// No route has longer patterns; the check stops there.
    private static let longest = 2_048

    static let brackets = "brackets have no special meaning"

    /// Why the text is a pattern of another format, or nil.
    static func reason(_ text: String) -> String? {
        let bytes = Array(text.utf8.prefix(longest))
        func has(_ sign: Unicode.Scalar) -> Bool { bytes.contains(UInt8(ascii: sign)) }
        if bytes.starts(with: "^".utf8) || bytes.starts(with: "/^".utf8) {
            return "^ has no special meaning"
        }
        if has("\\") { return "\\ has no special meaning" }
        if has("["), has("]") { return brackets }
        if bytes.suffix(4).elementsEqual("(.*)".utf8) || bytes.contains("/.*".utf8) {
            return ".* is a full stop and any text"
        }
        if bytes.last == UInt8(ascii: "$") { return "$ at the end has no special meaning" }
        let names = bytes.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        if let name = names.dropFirst().first(where: {
            $0.count > 1 && $0.prefix(2).allSatisfy(\.isASCIILetter)
        }) {
            let name = String(decoding: name.prefix { $0.isASCIILetter }, as: UTF8.self)
            return "$\(name) has no special meaning; write $(\(name)) for a variable"
        }
        if bytes.contains(",/".utf8) {
            return "a comma does not separate patterns"
        }
        let mayChoose = has("|") && has("(") && has(")")
        guard mayChoose || has(":") || has("{") || has("<") else { return nil }
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            let isParameter = part.first == UInt8(ascii: ":") && part.count > 1
            // URLs have these percent-encoded: `item-{id}` and `<id>` match none.
            let isBraced = isPair("{", "}", in: part) || isPair("<", ">", in: part)
            if isParameter || isBraced {
                return "\(String(decoding: part, as: UTF8.self)) has no special meaning"
            }
            if mayChoose, part.contains(UInt8(ascii: "(")), part.contains(UInt8(ascii: "|")),
                part.contains(UInt8(ascii: ")"))
            {
                return "(a|b) has no special meaning"
            }
        }
        return nil
    }

    private static func isPair(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, in part: ArraySlice<UInt8>
    ) -> Bool {
        guard let start = part.firstIndex(of: UInt8(ascii: open)) else { return false }
        return part[start...].contains(UInt8(ascii: close))
    }
}
