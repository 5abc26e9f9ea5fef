/// The findings of a run, in one of four formats.
public struct LintReport: Sendable {
    /// The formats of a report.
    public enum Format: String, Sendable, CaseIterable {
        /// For people: source line, caret, remedy.
        case text
        case json
        /// SARIF 2.1.0, for code scanning services.
        case sarif
        /// Workflow commands of GitHub Actions, displayed at the changed lines.
        case github
    }

    /// The findings, in display order.
    public let findings: [Diagnostic]
    /// The number of checked documents, including those without findings.
    public let documents: Int

    /// Creates a report.
    public init(findings: [Diagnostic], documents: Int) {
        self.findings = findings
        self.documents = documents
    }

    /// The number of findings with a severity, including those not listed.
    public func count(_ severity: Severity) -> Int {
        findings.filter { ($0.omission?.severity ?? $0.severity) == severity }
            .reduce(0) { $0 + ($1.omission?.count ?? 1) }
    }

    /// Whether any finding is at least as severe.
    public func has(_ severity: Severity) -> Bool {
        findings.contains { max($0.severity, $0.omission?.severity ?? .note) >= severity }
    }

    /// "3 errors, 1 warning and 2 notes in 2 of 5 documents".
    public var summary: String {
        let whole = counted(documents, "document")
        if findings.isEmpty {
            return "\(whole) checked" + (documents == 0 ? "" : ", nothing found")
        }
        let counts = Severity.allCases.reversed().filter { count($0) > 0 }
            .map { counted(count($0), $0.rawValue) }
        let list =
            counts.count <= 1
            ? counts.first ?? "nothing"
            : counts.dropLast().joined(separator: ", ") + " and " + (counts.last ?? "")
        let files = Set(findings.map(\.file)).count
        // Folders and files that are not documents have findings, too.
        return files <= documents
            ? "\(list) in \(files) of \(whole)"
            : "\(list) in \(counted(files, "place")); \(whole) checked"
    }
}
