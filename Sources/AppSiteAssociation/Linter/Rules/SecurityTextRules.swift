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
            context.report(
                "security-line", at: 0..<1, "this is an HTML page and not security.txt",
                remedy: "Make the server send the file itself, not the site's catch-all page.")
            return
        }
        let mark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if mark > 0 {
            context.report(
                "security-line", at: 0..<mark, "a byte order mark comes before the first field",
                remedy: "Save the file without a byte order mark.")
        }
        for line in lines(of: source) {
            let range = max(line.lowerBound, mark)..<max(line.upperBound, mark)
            let bytes = source.bytes[range]
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
            let first = seen.updateValue(range, forKey: name)
            if let first { seen[name] = first }
            if let first, name == "expires" || name == "preferred-languages" {
                context.report(
                    "security-field-twice", at: range,
                    "\(text[..<colon]) may appear only once",
                    related: [("first here", first)])
            } else if name == "expires" {
                checkExpiry(value, range, &context)
            }
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
                context.report(
                    "security-field-unknown", at: range,
                    "\(text[..<colon]) is not a registered field")
            }
        }
        if seen["contact"] == nil {
            context.report("security-contact-missing", at: nil, "the Contact field is missing")
        }
        if seen["expires"] == nil {
            context.report("security-expires-missing", at: nil, "the Expires field is missing")
        }
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
            context.report(
                "security-expires-format", at: range, "\"\(value)\" is not an RFC 3339 date")
            return
        }
        guard let now = context.options.now else { return }
        let days = (end - now) / 86_400
        if end <= now {
            context.report("security-expired", at: range, "security.txt expired at \(value)")
        } else if days < 30 {
            context.report(
                "security-expires-soon", at: range, "security.txt expires at \(value)")
        } else if days > 366 {
            context.report(
                "security-expires-far", at: range, "security.txt does not expire until \(value)")
        }
    }

    /// Lines without their line ends.
    private static func lines(of source: SourceText) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        let bytes = source.bytes
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var last = end
            while last > start, [0x0D, 0x20, 0x09].contains(bytes[last - 1]) { last -= 1 }
            lines.append(start..<last)
            start = end + 1
        }
        return lines
    }
}

/// Date parsing without Foundation.
public enum Timestamp {
    /// Seconds since 1970 of `2027-06-01T00:00:00Z` (RFC 3339, with offset and fraction); nil
    /// otherwise.
    public static func seconds(rfc3339 text: String) -> Int? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[range] {
                guard byte.isASCIIDigit else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74,
            bytes[13] == 0x3A, bytes[16] == 0x3A,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...daysOf(month, year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        var at = 19
        if bytes[at] == 0x2E {
            at += 1
            while at < bytes.count, bytes[at].isASCIIDigit { at += 1 }
            if at == 20 { return nil }
        }
        guard at < bytes.count else { return nil }
        var offset = 0
        if bytes[at] | 0x20 == 0x7A {
            guard at + 1 == bytes.count else { return nil }
        } else {
            guard bytes[at] == 0x2B || bytes[at] == 0x2D, at + 6 == bytes.count,
                bytes[at + 3] == 0x3A, let hours = number(at + 1..<at + 3),
                let minutes = number(at + 4..<at + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (bytes[at] == 0x2B ? 1 : -1)
        }
        return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    }

    private static func daysOf(_ month: Int, _ year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
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
