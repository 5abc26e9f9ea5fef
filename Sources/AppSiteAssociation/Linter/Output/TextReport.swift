extension Diagnostic {
    /// The finding for people, as every command writes it: place, message, line and remedy.
    ///
    /// - Parameter why: the reason why it matters; nil leaves it out.
    package func text(color: Bool, why: String? = nil) -> String {
        var writer = TextWriter(color: color)
        writer.write(self, why: why)
        return writer.text
    }
}

extension LintReport {
    /// For people: each finding with its line, a caret under the place, the remedy and related
    /// places.
    ///
    /// - Parameter color: whether to use the colours of a terminal (SGR).
    /// - Parameter whole: whether to write repeated findings in full; otherwise those beyond
    ///   ``repeatsShown`` in one file are listed by line.
    public func text(color: Bool, whole: Bool = false) -> String {
        var writer = TextWriter(color: color)
        let groups = Dictionary(grouping: findings) { Self.key($0) }
        var numbers: [[String]: Int] = [:]
        for finding in findings {
            let key = Self.key(finding)
            let (group, number) = (groups[key] ?? [], numbers[key, default: 0] + 1)
            numbers[key] = number
            // One more in full takes no more lines than the note about it.
            if whole || number <= Self.repeatsShown || group.count <= Self.repeatsShown + 1 {
                writer.write(finding)
            } else if number == group.count {
                writer.write(repeats: Array(group.dropFirst(Self.repeatsShown)))
            }
        }
        writer.line(summary)
        return writer.text
    }

    /// Maximum of findings of one code in one file to write in full.
    public static var repeatsShown: Int { 5 }

    /// The same for the findings of one code in one file.
    private static func key(_ finding: Diagnostic) -> [String] {
        [finding.omission == nil ? finding.code : finding.code + finding.message, finding.file]
    }
}

private struct TextWriter {
    let color: Bool
    private(set) var text = ""

    /// SGR parameters (ECMA-48, 8.3.117).
    private static let (bold, dim) = ("1", "2")
    private static let colors = [Severity.error: "1;31", .warning: "1;33", .note: "1;34"]

    private func styled(_ content: String, _ style: String) -> String {
        color ? "\u{1B}[\(style)m\(content)\u{1B}[0m" : content
    }

    mutating func line(_ content: String) { text += content + "\n" }

    mutating func write(_ finding: Diagnostic, why: String? = nil) {
        let style = Self.colors[finding.severity] ?? Self.bold
        line(
            styled(InertText.piece(finding.place), Self.bold) + ": "
                + styled(finding.severity.rawValue + ":", style) + " "
                + InertText.piece(finding.message) + " " + styled("[\(finding.code)]", Self.dim))
        excerpt(of: finding, style)
        if let why, !why.isEmpty {
            line(styled("   = why: ", Self.dim) + InertText.piece(why))
        }
        if let remedy = finding.remedy {
            line(styled("   = fix: ", Self.dim) + InertText.piece(remedy))
        }
        for related in finding.related {
            line(
                styled("   = \(InertText.piece(related.message)): ", Self.dim)
                    + InertText.piece(related.place))
        }
        line("")
    }

    /// Findings that differ from the previous ones only in their place.
    mutating func write(repeats findings: [Diagnostic]) {
        guard let first = findings.first else { return }
        let lines = findings.compactMap(\.start).prefix(20).map { "\($0.line):\($0.column)" }
        let places =
            lines.isEmpty
            ? "" : " at " + lines.joined(separator: ", ") + (findings.count > 20 ? ", …" : "")
        line(
            styled(InertText.piece(first.file), Self.bold) + ": and \(findings.count) more of "
                + "[\(first.code)]\(places)")
        line("")
    }

    private mutating func excerpt(of finding: Diagnostic, _ style: String) {
        guard let source = finding.sourceLine, let start = finding.start else { return }
        let shown = Self.printable(source)
        // Nothing to point at in a blank line.
        guard shown.unicodeScalars.contains(where: { $0 != " " }) else { return }
        let number = String(start.line)
        let gutter = String(repeating: " ", count: max(0, 4 - number.count)) + number
        let ellipsis = finding.sourceLineColumn > 1 ? "…" : ""
        line(styled("\(gutter) | ", Self.dim) + ellipsis + shown)
        let before = max(0, start.column - finding.sourceLineColumn) + ellipsis.count
        let isOneLine = finding.end?.line == start.line
        let length = isOneLine ? max(1, (finding.end?.column ?? 0) - start.column) : 1
        let room = max(1, source.unicodeScalars.count + ellipsis.count - before)
        line(
            styled("     | ", Self.dim) + String(repeating: " ", count: before)
                + styled(String(repeating: "^", count: min(length, room)), style))
    }

    /// One column per scalar, without anything that a terminal would interpret: a document is
    /// untrusted text.
    private static func printable(_ source: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in source.unicodeScalars {
            let isCommand = scalar == "[" && result.suffix(2).elementsEqual("##".unicodeScalars)
            switch scalar {
            case "\t": result.append(" ")
            case _ where isCommand || InertText.isActive(scalar): result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
