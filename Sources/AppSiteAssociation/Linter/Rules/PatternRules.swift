/// Patterns of paths and fragments that can never match, or have an unexpected meaning.
enum PatternRules {
    /// - Parameter isEncoded: whether the pattern is compared with the URL as written
    ///   (`percentEncoded`, with its defaults).
    static func checkPath(
        _ pattern: Located<String>, inPaths: Bool, isEncoded: Bool, _ context: inout LintContext
    ) {
        let (text, range) = (pattern.value, pattern.range)
        let signs = PatternSigns(pattern)
        if text.isEmpty { return context.report("path-empty", at: range) }
        if signs.hasScheme { return context.report("path-is-url", at: range, text) }
        if !inPaths, PathRules.excluded(text) != nil {
            return context.report("component-with-not", at: range, text)
        }
        if signs.hasHost { return context.report("path-with-host", at: range, text) }
        if signs.hasHash {
            return context.report(
                "path-with-fragment", at: range, text,
                remedy: inPaths ? "Remove the # and what follows: only \"#\" compares it." : nil)
        }
        if signs.hasQuery {
            return context.report(
                "path-with-query", at: range, text,
                remedy: inPaths ? "Keep only the path: only components compare the query." : nil)
        }
        let foreign = signs.mayBeForeign ? ForeignSyntax.reason(text) : nil
        if let first = text.utf8.first, !" /*?$".utf8.contains(first), foreign == nil {
            context.gather("path-without-slash", at: range, "\"\(text)\" does not begin with /")
        }
        checkCharacters(signs, isEncoded: isEncoded, isForeign: foreign != nil, &context)
        if let foreign { context.report("pattern-not-glob", at: range, "\"\(text)\": \(foreign)") }
    }

    static func checkFragment(
        _ pattern: Located<String>, isEncoded: Bool, _ context: inout LintContext
    ) {
        if pattern.value.hasPrefix("#") {
            context.report("fragment-with-hash", at: pattern.range, pattern.value)
        }
        checkCharacters(PatternSigns(pattern), isEncoded: isEncoded, &context)
    }

    /// Checks for every pattern, including queries, and for the names of query items.
    ///
    /// - Parameter isForeign: whether the text is a pattern of another format, which
    ///   explains its signs.
    static func checkCharacters(
        _ signs: PatternSigns, isEncoded: Bool, isForeign: Bool = false,
        _ context: inout LintContext
    ) {
        let (text, range) = (signs.pattern.value, signs.pattern.range)
        guard isEncoded else {
            if signs.hasEncoding { context.report("pattern-percent-literal", at: range, text) }
            return
        }
        if signs.hasBlank { context.report("pattern-with-blank", at: range, text) }
        if signs.hasNonASCII, let sign = text.unicodeScalars.first(where: { !$0.isASCII }) {
            let isUnseen =
                sign.properties.isWhitespace || sign.properties.isDefaultIgnorableCodePoint
            let whole = text.unicodeScalars.map { $0.isASCII ? String($0) : encoded($0) }
            context.report(
                "pattern-not-ascii", at: range, text,
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
            context.report("pattern-not-glob", at: range, "\"\(text)\": \(ForeignSyntax.brackets)")
        }
        if signs.hasLowerHex { context.report("pattern-lower-hex", at: range, text) }
    }

    /// The percent-encoded form.
    private static func encoded(_ sign: Unicode.Scalar) -> String {
        String(sign).utf8.map(\.percentEncoded).joined()
    }
}

/// Properties of a pattern, determined from its bytes.
struct PatternSigns {
    let pattern: Located<String>
    /// Values stand in the place of a `$(name)`, so its own characters do not matter: here it is
    /// `$` alone.
    private let bytes: [UInt8]
    /// The first folder is `www.example.com` or `*.example.com`.
    let hasHost: Bool

    init(_ pattern: Located<String>) {
        self.pattern = pattern
        let whole = Array(pattern.value.utf8)
        hasHost = Self.isHost(whole.drop { $0 == UInt8(ascii: "/") })
        guard whole.contains(UInt8(ascii: "$")) else {
            bytes = whole
            return
        }
        bytes = PatternPiece.all(in: pattern.value).flatMap { piece in
            if case .text(let text) = piece { Array(text.utf8) } else { [UInt8(ascii: "$")] }
        }
    }

    var hasBlank: Bool { bytes.contains { $0 <= 0x20 || $0 == 0x7F } }
    var hasNonASCII: Bool { bytes.contains { $0 >= 0x80 } }
    var hasHash: Bool { bytes.contains(UInt8(ascii: "#")) }

    /// Syntax of other formats that is literal here.
    var mayBeForeign: Bool { bytes.contains(where: "^\\[.{(<,$:".utf8.contains) }

    /// `[0-9`, `[a-z` or `[A-Z`, as in a regular expression.
    var hasClass: Bool {
        bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "[")
                && ["0-9", "a-z", "A-Z"].contains { bytes[(index + 1)...].starts(with: $0.utf8) }
        }
    }

    /// A scheme and `://`. Of several the first counts: behind it stands a URL that the path holds.
    var hasScheme: Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return bytes[colon...].starts(with: "://".utf8) && Self.isScheme(bytes[..<colon])
    }

    /// A `?`, `&` or `*` followed by a name and `=`.
    var hasQuery: Bool {
        bytes.indices.contains {
            "?&*".utf8.contains(bytes[$0]) && Self.isQuery(bytes[($0 + 1)...])
        }
    }

    /// The hexadecimal digits of an octet such as `%C3`, if it stands at this place.
    private func digits(at index: Int) -> ArraySlice<UInt8>? {
        guard bytes[index] == UInt8(ascii: "%") else { return nil }
        let digits = bytes[(index + 1)...].prefix(2)
        return digits.count == 2 && digits.allSatisfy(\.isASCIIHexDigit) ? digits : nil
    }

    var hasEncoding: Bool { bytes.indices.contains { digits(at: $0) != nil } }
    var hasLowerHex: Bool {
        bytes.indices.contains { digits(at: $0)?.contains { $0 >= 0x61 } == true }
    }

    /// The first printable ASCII character that URLs hold percent-encoded.
    var unencoded: UInt8? {
        let place = bytes.indices.first { index in
            if bytes[index] == UInt8(ascii: "%") {
                let next = bytes[(index + 1)...].prefix(2)
                return digits(at: index) == nil && !next.contains(where: "*?$".utf8.contains)
            }
            return (0x21..<0x7F).contains(bytes[index]) && !URLParts.mayStand(bytes[index])
        }
        return place.map { bytes[$0] }
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
        func holds(_ text: String) -> Bool {
            bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
        }
        if bytes.starts(with: "^".utf8) || bytes.starts(with: "/^".utf8) {
            return "^ has no special meaning"
        }
        if has("\\") { return "\\ has no special meaning" }
        if has("["), has("]") { return brackets }
        if bytes.suffix(4).elementsEqual("(.*)".utf8) || holds("/.*") {
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
        if holds(",/") {
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
