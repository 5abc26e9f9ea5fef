/// One link test: a URL, and the apps that must open it.
public struct LinkExpectation: Sendable, Hashable {
    /// A URL, or a path that begins with a slash.
    public let url: String
    /// Application identifiers; empty: the URL stays in the browser.
    public let apps: [String]
    /// The bytes of its line or object.
    public let range: Range<Int>
}

/// Parses link tests: lines of `URL,APP[,COMMENT]` (RFC 4180), or a JSON array of
/// `{"url": …, "app": …}`.
///
/// The app is an identifier, several separated by blanks (in JSON an array), or `none` (in JSON
/// also null) if no app may open the URL. A first line that begins with `url` is a header; lines
/// that begin with `#` are comments.
public enum LinkExpectationReader {
    /// - Returns: the tests, and an error for each invalid line: nothing is ignored silently.
    public static func read(
        _ source: SourceText
    ) -> (expectations: [LinkExpectation], problems: [Diagnostic]) {
        var result = Result(source: source)
        let first = source.bytes.first { $0 > 0x20 }
        if first == nil {
            // Lost tests would pass forever; an empty file needs a comment.
            result.report(
                0..<0, "the file is empty: it tests nothing",
                remedy: "Write URL,APP on a line, or delete the file.")
        } else if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            readJSON(&result)
        } else {
            readCSV(&result)
        }
        return (result.tests, result.problems)
    }

    private struct Result {
        let source: SourceText
        var tests: [LinkExpectation] = []
        var problems: [Diagnostic] = []

        mutating func report(_ range: Range<Int>, _ message: String, remedy: String) {
            problems.append(
                Diagnostic(
                    code: "links-unreadable", severity: .error, message: message, remedy: remedy,
                    source: source, range: range))
        }

        /// Adds a test, or what is wrong with it.
        mutating func add(_ test: LinkExpectation) {
            if URLParts(test.url) == nil {
                return report(
                    test.range, "\"\(test.url)\" is no URL",
                    remedy: "Write https://example.com/path, or a path such as /buy/42.")
            }
            for app in test.apps {
                if let problem = AppIdentifier.problem(in: app) {
                    return report(
                        test.range, "\"\(app)\": \(problem.message)",
                        remedy: "Write PREFIX.BUNDLE-ID, or none where no app may open.")
                }
            }
            tests.append(test)
        }
    }

    private static func apps(_ text: String) -> [String] {
        let names = text.split { $0 == " " || $0 == ";" || $0 == "\t" }.map(String.init)
        return names == ["none"] || names == ["-"] ? [] : names
    }

    // MARK: JSON

    private static func readJSON(_ result: inout Result) {
        let document: JSONDocument
        do {
            document = try JSONReader.read(result.source)
        } catch {
            result.problems.append(error.diagnostic)
            return
        }
        guard let values = document.root.array else {
            return result.report(
                document.root.range, "link tests in JSON must be an array",
                remedy: "Write [{\"url\": \"/buy/42\", \"app\": \"TEAM.bundle\"}].")
        }
        for value in values {
            guard let url = value["url"]?.string, let app = value.member("app") else {
                result.report(
                    value.range, "a test must have a \"url\" and an \"app\"",
                    remedy: "Write {\"url\": \"/buy/42\", \"app\": \"TEAM.bundle\"}; null "
                        + "where no app may open")
                continue
            }
            let names: [String]
            switch app.value.kind {
            case .null: names = []
            case .string(let text): names = apps(text)
            case .array(let list) where list.allSatisfy({ $0.string != nil }):
                names = list.compactMap(\.string)
            case .array, .bool, .number, .object:
                result.report(
                    app.value.range, "\"app\" is \(app.value.kindName)",
                    remedy: "Write an app ID, an array of them, or null.")
                continue
            }
            result.add(LinkExpectation(url: url, apps: names, range: value.range))
        }
    }

    // MARK: CSV

    private static func readCSV(_ result: inout Result) {
        let source = result.source
        // Windows editors may save UTF-16: every line would be an error, and none would explain it.
        if let zero = source.bytes.firstIndex(of: 0) {
            let encoding = source.wideEncoding
            return result.report(
                zero..<zero + 1,
                encoding.map { "the file is saved as \($0)" }
                    ?? "this is a binary file, not a list of link tests",
                remedy: encoding == nil ? "Write one URL and one app a line." : "Save it as UTF-8.")
        }
        var scanner = CSVScanner(bytes: source.bytes)
        var isFirst = true
        while let (cells, range) = scanner.next() {
            if let quote = scanner.openQuote {
                result.report(
                    quote, "this quote is never closed",
                    remedy: "Close it, or write \"\" for a quote within quotes: what follows "
                        + "is not read")
                break
            }
            let text = cells.map { Self.trimmed($0) }
            if text == [""] || text[0].hasPrefix("#") { continue }
            let isHeading = isFirst && text[0].lowercased() == "url"
            isFirst = false
            if isHeading { continue }
            guard !text.contains(where: CombiningMarks.exceedRow) else {
                result.report(
                    range, "too many combining marks",
                    remedy: "Remove the combining marks, or the line.")
                continue
            }
            guard text.count >= 2, !text[1].isEmpty else {
                let other = [";", "\t"].first { text[0].contains($0) }
                result.report(
                    range, "the app is missing",
                    remedy: other.map {
                        "Write a comma between URL and app, not a "
                            + ($0 == ";" ? "semicolon" : "tab")
                    }
                        ?? "Write URL,APP, or URL,none where no app may open.")
                continue
            }
            result.add(LinkExpectation(url: text[0], apps: apps(text[1]), range: range))
        }
    }

    private static func trimmed(_ cell: [UInt8]) -> String {
        var cell = cell[...]
        if cell.starts(with: [0xEF, 0xBB, 0xBF]) { cell = cell.dropFirst(3) }
        while let last = cell.last, last <= 0x20 { cell.removeLast() }
        return String(decoding: cell.drop { $0 <= 0x20 }, as: UTF8.self)
    }
}

/// Records of comma-separated values (RFC 4180), one after the other.
struct CSVScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// The quote that the last record does not close, so that it goes on to the end.
    private(set) var openQuote: Range<Int>?

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The cells of the next record and its bytes; nil at the end.
    mutating func next() -> (cells: [[UInt8]], range: Range<Int>)? {
        guard index < bytes.count else { return nil }
        let start = index
        var cells: [[UInt8]] = []
        var cell: [UInt8] = []
        // Only blanks so far: a quote begins the cell.
        var isBlank = true
        var isQuoted = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    cell.append(byte)
                    continue
                }
                if index < bytes.count, bytes[index] == byte {
                    cell.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                    openQuote = nil
                }
            } else if byte == UInt8(ascii: "\""), isBlank {
                cell = []
                isBlank = false
                isQuoted = true
                openQuote = index - 1..<index
            } else if byte == UInt8(ascii: ",") {
                cells.append(cell)
                cell = []
                isBlank = true
            } else if byte == UInt8(ascii: "\n") {
                return (cells + [cell], start..<index - 1)
            } else {
                isBlank = isBlank && byte <= 0x20
                cell.append(byte)
            }
        }
        return (cells + [cell], start..<index)
    }
}
