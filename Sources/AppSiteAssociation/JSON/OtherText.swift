/// Recognizes texts that stand where the JSON should, by how they begin: the source of a program,
/// the text of an error, a merge that was not finished.
enum OtherText {
    static let sourceMessage =
        "this is the source of a program or a template, not the JSON that it makes"

    /// Most bytes to search for marks inside.
    private static let longest = 65_536
    /// Most characters of the first line to judge: a document without line ends is one line.
    private static let longestLine = 1_024

    /// - Parameter start: of the text, whose first byte is not blank.
    static func recognize(_ source: SourceText, from start: Int) -> JSONError? {
        let bytes = source.bytes[start...]
        let text = String(decoding: bytes.prefix(longest), as: UTF8.self)
        let head = text.prefix(120).lowercased()
        func begins(_ starts: [String]) -> Bool { starts.contains { head.hasPrefix($0) } }
        func error(
            _ code: String, _ message: String, _ remedy: String? = nil, offset: Int = 0
        ) -> JSONError {
            let place = start + offset
            return JSONError(
                code, in: source, at: place..<min(place + 3, bytes.endIndex), message,
                remedy: remedy)
        }
        if let conflict = conflict(text) {
            return error(
                "json-merge-conflict",
                "the file contains git's conflict markers from an unfinished merge",
                offset: conflict)
        }
        if begins(["---"]), text.dropFirst(3).contains("\n---") {
            return error(
                "json-source-code",
                "front matter, as in Jekyll, comes before the JSON: it is served as it is unless "
                    + "the site generator has run",
                "Check what the site generator publishes, not its source.")
        }
        if let other = notation(text) {
            return error(
                "json-source-code", "this is \(other), not the JSON itself",
                "Write the document as JSON.")
        }
        if isPath(text) {
            return error(
                "json-source-code",
                "this is a path and not the document, as of a symbolic link that Git checked out "
                    + "as text",
                "Let Git write links (git config core.symlinks true), or copy the file that the "
                    + "path names.")
        }
        if isCall(text) { return error("json-source-code", sourceMessage) }
        if begins(warnings) || (text.contains("{") && head.contains("warning</b>")) {
            return error(
                "json-error-text",
                "a message of the program that creates the file comes before the JSON",
                "Fix what the message says, and keep messages out of the answer.")
        }
        if bytes.count < 4_096, !begins(["{", "["]), isError(head) {
            return error(
                "json-error-text",
                "this is the text of an error, not the document: the download failed")
        }
        return nil
    }

    /// Another notation for data, if the text begins in it.
    private static func notation(_ text: String) -> String? {
        if text.hasPrefix("```") { return "a code block of Markdown" }
        let isEncoded = ["eyJ", "ewo", "ewk", "ew0K"].contains { text.hasPrefix($0) }
        if isEncoded, text.utf8.count >= 16, text.utf8.prefix(16).allSatisfy(isBase64) {
            return "Base64 of JSON"
        }
        let line = text.prefix(longestLine).prefix { !$0.isNewline }
        let head = line.lowercased()
        if line.utf8.count >= 4, head.hasPrefix("7b"), line.allSatisfy(\.isHexDigit) {
            return "JSON as hexadecimal digits"
        }
        if head.hasPrefix("%7b") { return "percent-encoded JSON" }
        let isURL = ["https://", "http://"].contains { head.hasPrefix($0) }
        if isURL, !text.dropFirst(line.count).contains(where: { !$0.isWhitespace }) {
            return "a URL"
        }
        let inner = line.drop { $0 == "[" }.prefix {
            $0.isLetter || $0.isNumber || "._-".contains($0)
        }
        let rest = line.drop { $0 == "[" }.dropFirst(inner.count)
        if line.hasPrefix("---") || !inner.isEmpty && line.first != "[" && rest == ":" {
            return "YAML"
        }
        // `[None]` and nothing more is an array with a slip.
        let goesOn = text.dropFirst(line.count).contains { !$0.isWhitespace }
        let isTable = line.first == "[" && !inner.isEmpty && !rest.isEmpty && goesOn
        return isTable && rest.allSatisfy { $0 == "]" } ? "TOML" : nil
    }

    /// One line without blanks that begins as a path does, or ends with the name of a document.
    private static func isPath(_ text: String) -> Bool {
        let line = text.prefix(longestLine).prefix { !$0.isNewline }
        guard line.allSatisfy({ $0.isLetter || $0.isNumber || "/._-@+~".contains($0) }),
            !text.dropFirst(line.count).contains(where: { !$0.isWhitespace })
        else { return false }
        return line.hasPrefix("../") || line.hasPrefix("./") || line.hasPrefix("/")
            || line.hasSuffix(".json") || line.hasSuffix("apple-app-site-association")
    }

    static func isBase64(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    private static let warnings = [
        "<br />", "<b>", "warning:", "notice:", "deprecated:", "fatal error", "php ", "parse error",
        "traceback", "% total",
    ]

    /// `callback({…})`: JSON for a script.
    private static func isCall(_ text: String) -> Bool {
        let name = text.prefix { $0.isLetter || $0.isNumber || "_$.".contains($0) }
        return !name.isEmpty && text.dropFirst(name.count).hasPrefix("(")
    }

    private static func isError(_ head: String) -> Bool {
        let words = head.drop { !$0.isLetter && !$0.isNumber }
        let start =
            words.hasPrefix("http") || words.hasPrefix("error")
            ? words.drop { !$0.isNumber } : words
        let status = start.prefix { $0.isNumber }
        if status.count == 3, let first = status.first, "345".contains(first),
            start.dropFirst(3).first.map({ " :\n".contains($0) }) ?? true
        {
            return true
        }
        return [
            "not found", "forbidden", "access denied", "unauthorized", "bad gateway",
            "no such file", "service unavailable", "internal server error", "too many requests",
            "nosuchkey", "cannot get ", "curl: (", "bad request", "gateway time", "error code: ",
        ].contains { head.contains($0) }
    }

    /// The place of `<<<<<<<` at the start of a line, if `>>>>>>>` follows.
    private static func conflict(_ text: String) -> Int? {
        var place = 0
        var start: Int?
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: "<<<<<<< ".utf8) { start = start ?? place }
            if line.starts(with: ">>>>>>> ".utf8), let start { return start }
            place += line.count + 1
        }
        return nil
    }
}
