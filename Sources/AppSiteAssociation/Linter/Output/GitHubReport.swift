extension LintReport {
    /// Workflow commands of GitHub Actions, one line per finding: `::error
    /// file=…,line=…,col=…,title=…::message`.
    ///
    /// GitHub, *Workflow commands*: data escape `%`, CR and LF; properties also `:` and `,`.
    public var github: String {
        findings.map { finding in
            let command = finding.severity == .note ? "notice" : finding.severity.rawValue
            var properties = ["file=" + Self.property(InertText.piece(finding.file))]
            if let start = finding.start {
                properties.append("line=\(start.line)")
                if let end = finding.end, end.line >= start.line {
                    properties.append("endLine=\(end.line)")
                    // GitHub rejects columns for a range of several lines.
                    if end.line == start.line {
                        properties.append("col=\(start.column)")
                        properties.append("endColumn=\(max(start.column, end.column))")
                    }
                }
            }
            properties.append("title=" + Self.property(finding.code))
            var message = InertText.piece(finding.message)
            if let remedy = finding.remedy { message += "\nfix: " + InertText.piece(remedy) }
            for related in finding.related {
                let line = related.start.map { ":\($0.line)" } ?? ""
                message += "\n" + InertText.piece("\(related.message): \(related.file)\(line)")
            }
            return "::\(command) \(properties.joined(separator: ","))::\(Self.data(message))\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        escaped(data(text), [":": "%3A", ",": "%2C"])
    }

    private static func escaped(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { codes[$0] ?? String($0) }.joined()
    }
}
