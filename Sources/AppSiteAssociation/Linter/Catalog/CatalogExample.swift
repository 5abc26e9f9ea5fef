/// An example of a rule as its file holds it, made into a document only when that is needed.
///
/// Behind the name of the file, `blanks 131072` adds blanks to the document, and `signed 133000`
/// gives the size of its signed form. `{{C3A9}}` in a line stands for bytes, and `{{600 × [}}` for
/// a text that is repeated; a `#` in it counts from 1.
struct CatalogExample: Sendable {
    private let file: String
    private var padding = 0
    private var signedSize: Int?
    private let lines: [ArraySlice<UInt8>]
    /// Further files of the same host that the finding requires.
    var companions: [CatalogExample] = []

    private static let repeatsMaximum = 10_000

    init(_ field: CatalogFile.Field) {
        let words = String(decoding: field.text, as: UTF8.self).split(separator: ", ")
        file = String(words.first ?? "")
        for word in words.dropFirst() {
            let number = Int(word.drop { $0 != " " }.dropFirst())
            if word.hasPrefix("signed ") { signedSize = number } else { padding = number ?? 0 }
        }
        let end = field.lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        lines = Array(field.lines[..<end])
    }

    /// The document; each line ends with a line feed.
    var document: LintExample {
        LintExample(
            bytes: lines.flatMap { Self.expanded($0) + [UInt8(ascii: "\n")] }, file: file,
            padding: padding, companions: companions.map(\.document), signedSize: signedSize)
    }

    private static func expanded(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard let start = line.firstRange(of: "{{".utf8),
            let end = line[start.upperBound...].firstRange(of: "}}".utf8)
        else { return Array(line) }
        let content = String(decoding: line[start.upperBound..<end.lowerBound], as: UTF8.self)
        return line[..<start.lowerBound] + bytes(content) + expanded(line[end.upperBound...])
    }

    /// The bytes of `C3A9`, and of `600 × [`.
    private static func bytes(_ content: String) -> [UInt8] {
        if let times = content.firstRange(of: " × "), let count = Int(content[..<times.lowerBound])
        {
            let text = content[times.upperBound...]
            return (1...min(count, repeatsMaximum)).flatMap {
                text.replacing("#", with: "\($0)").utf8
            }
        }
        let digits = Array(content.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }
}
