/// `/.well-known/security.txt` (RFC 9116).
enum SecurityTextRules {
    private static let known: Set<String> = [
        "acknowledgments", "canonical", "contact", "encryption", "expires", "hiring", "policy",
        "preferred-languages", "csaf",
    ]

    static func check(_ context: inout LintContext) {
        var seen: [String: Range<Int>] = [:]
        let source = context.source
        if source.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            return context.report(
                "security-line", at: 0..<1, "this is an HTML page and not security.txt",
                remedy: "Make the server send the file itself, not the site's catch-all page.")
        }
        let mark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if mark > 0 {
            context.report(
                "security-line", at: 0..<mark, "a byte order mark comes before the first field",
                remedy: "Save the file without a byte order mark.")
        }
        let lines = source.bytes[mark...].split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines {
            var bytes = line
            while let last = bytes.last, [0x0D, 0x20, 0x09].contains(last) { bytes.removeLast() }
            let range = bytes.startIndex..<bytes.endIndex
            guard let sign = bytes.first, sign != UInt8(ascii: "#") else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let isReadable = !CombiningMarks.exceedRow(text)
            // An OpenPGP clear-text signature wraps the fields (RFC 9116, 2.3).
            if isReadable, text.hasPrefix("-----BEGIN PGP SIGNATURE") { break }
            if isReadable, text.hasPrefix("-----") || text.hasPrefix("Hash:") { continue }
            guard isReadable, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
                colon != text.startIndex
            else {
                context.report(
                    "security-line", at: range, "\"\(text)\" is neither a field nor a comment")
                continue
            }
            let name = text[..<colon].lowercased()
            if let blank = name.firstIndex(of: " "), known.contains(String(name[..<blank])) {
                let written = text.prefix { $0 != " " }
                seen[String(name[..<blank])] = range
                context.report(
                    "security-line", at: range, "the colon after \(written) is missing",
                    remedy: "Write \(written): and the value.")
                continue
            }
            let value =
                String(
                    text.utf8[text.utf8.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 })
                ?? ""
            let isSecond =
                ["expires", "preferred-languages"].contains(name)
                && context.reportRepeat(
                    "security-field-twice", of: name, at: range, in: &seen, String(text[..<colon]))
            if name == "expires", !isSecond { checkExpiry(value, range, &context) }
            seen[name] = seen[name] ?? range
            if name == "contact", value.prefix(7).lowercased() == "http://" {
                context.report(
                    "security-contact-uri", at: range,
                    "\"\(value)\" is not https, which RFC 9116 requires for web addresses",
                    remedy: "Write https://.")
            } else if name == "contact", !isURI(value) {
                context.report(
                    "security-contact-uri", at: range, "\"\(value)\" is not a URI",
                    fix: TextEdit.mailAddress(range, in: source))
            }
            if !known.contains(name) {
                context.report("security-field-unknown", at: range, String(text[..<colon]))
            }
        }
        if seen["contact"] == nil { context.report("security-contact-missing", at: nil) }
        if seen["expires"] == nil { context.report("security-expires-missing", at: nil) }
    }

    private static func isURI(_ value: String) -> Bool {
        guard let colon = value.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        // Any scheme (RFC 9116, section 2.5.3; RFC 3986, section 3.1), but web pages only by https.
        let scheme = value[..<colon].utf8
        guard let first = scheme.first, first.isASCIILetter,
            scheme.allSatisfy(\.isSchemeCharacter), value[..<colon].lowercased() != "http"
        else { return false }
        let rest = value.utf8[value.utf8.index(after: colon)...]
        return !rest.isEmpty && !rest.contains { $0 <= 0x20 }
    }

    private static func checkExpiry(
        _ value: String, _ range: Range<Int>, _ context: inout LintContext
    ) {
        guard let end = Timestamp.seconds(rfc3339: value) else {
            return context.report("security-expires-format", at: range, value)
        }
        guard let now = context.options.now else { return }
        let days = (end - now) / 86_400
        if end <= now {
            context.report("security-expired", at: range, value)
        } else if days < 30 {
            context.report("security-expires-soon", at: range, value)
        } else if days > 366 {
            context.report("security-expires-far", at: range, value)
        }
    }
}

/// Date parsing without Foundation.
public enum Timestamp {
    /// Seconds since 1970 of `2027-06-01T00:00:00Z` (RFC 3339, with offset and fraction); nil
    /// otherwise.
    public static func seconds(rfc3339 text: String) -> Int? {
        let bytes = Array(text.utf8)
        /// Compares digits as zeros, and letters in lower case.
        func has(_ shape: String, at start: Int) -> Bool {
            bytes.dropFirst(start).prefix(shape.utf8.count)
                .map { $0.isASCIIDigit ? 0x30 : $0.asciiLowercased }.elementsEqual(shape.utf8)
        }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard has("0000-00-00t00:00:00", at: 0) else { return nil }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), hour < 24, minute < 60, second <= 60 else { return nil }
        let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
        let date = days(year, month, day)
        guard day >= 1, date < next else { return nil }
        var at = 19
        if has(".0", at: at) {
            at += 1
            while at < bytes.count, bytes[at].isASCIIDigit { at += 1 }
        }
        let seconds = date * 86_400 + hour * 3600 + minute * 60 + second
        if has("z", at: at) { return at + 1 == bytes.count ? seconds : nil }
        guard has("+00:00", at: at) || has("-00:00", at: at), at + 6 == bytes.count else {
            return nil
        }
        let (hours, minutes) = (number(at + 1..<at + 3), number(at + 4..<at + 6))
        guard hours < 24, minutes < 60 else { return nil }
        return seconds - (hours * 3600 + minutes * 60) * (bytes[at] == 0x2B ? 1 : -1)
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar (years begin in March, so that the
    /// leap day is the last).
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
