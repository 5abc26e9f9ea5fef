import AppSiteAssociation
import Reactor

/// Findings on stderr, for the commands whose stdout is a document.
enum FindingNotes {
    static func print(_ findings: [Diagnostic], documents: Int) {
        guard !findings.isEmpty else { return }
        let report = LintReport(findings: findings, documents: documents)
        Terminal.noteExactly(report.text(color: Terminal.wantsColor(.error)))
    }
}
