/// The evidence for a rule: how certain it is that a device behaves as the rule says.
public enum LintConfidence: String, Sendable, CaseIterable {
    /// Documented by Apple (or, for sibling documents, by the owner of their format).
    case documented
    /// Shown by the published output of Apple's `swcutil`.
    case appleTool = "apple-tool"
    /// Observed in public by independent people.
    case observed
    /// A third party's analysis of the system; not documented.
    case reported
    /// Good practice: nothing breaks.
    case advice
}

/// A document that demonstrates a rule: its file name determines its type.
public struct LintExample: Sendable {
    /// The document, without its padding.
    public let bytes: [UInt8]
    /// The file name for linting, for instance `apple-app-site-association`.
    public let file: String
    /// Blanks after the bytes, for the rules about size.
    public private(set) var padding = 0
    /// Further files of the same host that the finding requires (a second team's fragment).
    public private(set) var companions: [LintExample] = []
    /// Size of the signed form, for the rule about it.
    public private(set) var signedSize: Int?

    /// The document as text; invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The complete document for the linter.
    public var source: SourceText {
        SourceText(
            name: file, bytes: bytes + [UInt8](repeating: UInt8(ascii: " "), count: padding))
    }
}

// MARK: - In a catalogue

extension LintExample {
    private static let repeatsMaximum = 10_000

    /// An example as a ``CodeFamily`` holds it; each line of the document ends with a line feed.
    ///
    /// After the name of the file, `blanks 131072` adds blanks to the document, and
    /// `signed 133000` gives the size of its signed form. `{{C3A9}}` in a line stands for bytes,
    /// and `{{600 × [}}` for a text that is repeated; a `#` in it counts from 1.
    ///
    /// - Parameters:
    ///   - field: the document.
    ///   - companions: further files of the same host.
    init(_ field: CodeFamily.Field, companions: [LintExample] = []) {
        var (padding, signedSize) = (0, nil as Int?)
        let words = String(decoding: field.text, as: UTF8.self).split(separator: ", ")
        for word in words.dropFirst() {
            let number = Int(word.drop { $0 != " " }.dropFirst())
            if word.hasPrefix("signed ") { signedSize = number } else { padding = number ?? 0 }
        }
        let end = field.lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        self.init(
            bytes: field.lines[..<end].flatMap { Self.expanded($0) + [UInt8(ascii: "\n")] },
            file: String(words.first ?? ""), padding: padding,
            companions: companions, signedSize: signedSize)
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
