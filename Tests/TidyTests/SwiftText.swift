/// Swift source with its comments and strings told apart from its code, line by line.
///
/// A small scanner, not a parser: enough for rules about words, so that a word in a message or in a
/// comment is not taken for code.
struct SwiftText {
    /// Per line: the code, with strings emptied and comments removed.
    let code: [String]
    /// Per line: the text of comments.
    let comments: [String]
    /// Per line: the text of strings, without what is put into them.
    let strings: [String]

    init(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        scanner.scanCode(untilParenthesis: false)
        code = Self.lines(scanner.code)
        comments = Self.lines(scanner.comments)
        strings = Self.lines(scanner.strings)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// True when the line or one of the `above` lines before it carries a comment: a reason was
    /// given.
    func hasReason(atLine index: Int, above: Int = 4) -> Bool {
        (max(0, index - above)...index).contains { comments[$0].contains { $0.isLetter } }
    }
}

private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var code: [UInt8] = []
    var comments: [UInt8] = []
    var strings: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Most bytes differ in the first place, and a test build is slow with anything more.
    private func looking(at text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count, bytes[position] == text.utf8Start[0] else {
            return false
        }
        return (1..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private mutating func newline() {
        code.append(UInt8(ascii: "\n"))
        comments.append(UInt8(ascii: "\n"))
        strings.append(UInt8(ascii: "\n"))
    }

    mutating func scanCode(untilParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            if looking(at: "//") {
                scanLineComment()
            } else if looking(at: "/*") {
                scanBlockComment()
            } else if looking(at: "\"") || looking(at: "#\"") || looking(at: "##\"") {
                scanString()
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") {
                    depth -= 1
                    if untilParenthesis && depth < 0 { return }
                }
                if byte == UInt8(ascii: "\n") { newline() } else { code.append(byte) }
                position += 1
            }
        }
    }

    private mutating func scanLineComment() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            comments.append(bytes[position])
            position += 1
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if looking(at: "/*") {
                depth += 1
                position += 2
            } else if looking(at: "*/") {
                depth -= 1
                position += 2
            } else {
                let byte = bytes[position]
                if byte == UInt8(ascii: "\n") { newline() } else { comments.append(byte) }
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func scanString() {
        var pounds = 0
        while bytes[position] == UInt8(ascii: "#") {
            pounds += 1
            position += 1
        }
        let isLong = looking(at: "\"\"\"")
        position += isLong ? 3 : 1
        code.append(contentsOf: "\"\"".utf8)
        strings.append(UInt8(ascii: " "))
        while position < bytes.count {
            if closes(isLong: isLong, pounds: pounds) {
                position += (isLong ? 3 : 1) + pounds
                return
            }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), escapes(pounds) {
                position += 1 + pounds
                guard position < bytes.count else { return }
                if bytes[position] == UInt8(ascii: "(") {
                    position += 1
                    scanCode(untilParenthesis: true)
                }
                if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { newline() }
                position += 1
            } else {
                if byte == UInt8(ascii: "\n") {
                    newline()
                    // A plain string ends with its line, whatever it was: never swallow the rest.
                    if !isLong {
                        position += 1
                        return
                    }
                } else {
                    strings.append(byte)
                }
                position += 1
            }
        }
    }

    private func closes(isLong: Bool, pounds: Int) -> Bool {
        let quotes = isLong ? 3 : 1
        guard position + quotes + pounds <= bytes.count else { return false }
        return (0..<quotes).allSatisfy { bytes[position + $0] == UInt8(ascii: "\"") }
            && (0..<pounds).allSatisfy { bytes[position + quotes + $0] == UInt8(ascii: "#") }
    }

    private func escapes(_ pounds: Int) -> Bool {
        guard position + pounds < bytes.count else { return false }
        return (0..<pounds).allSatisfy { bytes[position + 1 + $0] == UInt8(ascii: "#") }
    }
}
