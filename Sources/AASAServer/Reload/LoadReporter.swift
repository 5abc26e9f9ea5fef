import AppSiteAssociation
package import Logging
package import Reactor

/// Logs what a load found and changed: the same findings as `aasa lint`, with their places and
/// remedies.
package struct LoadReporter: Sendable {
    private let log: Logger

    /// More findings of one load are counted, not written.
    static let findingsMaximum = 100

    package init(log: Logger) { self.log = log }

    package func tell(
        _ report: LoadReport, _ snapshot: Snapshot, _ cause: ReloadStateMachine.Cause
    ) {
        logChanges(report)
        logFindings(report)
        logKept(report)
        let milliseconds = report.duration / .milliseconds(1)
        var text = "reloaded"
        if report.hasErrors {
            text += "; some files on disk cannot be used"
            if !report.kept.isEmpty { text += ", and their last good versions stay in service" }
        }
        log.notice(
            "\(text)",
            metadata: [
                "cause": "\(cause.rawValue)",
                "generation": .stringConvertible(snapshot.generation),
                "hosts": .stringConvertible(report.hostCount),
                "changed": .stringConvertible(report.changes.count),
                "ms": .stringConvertible(Int(milliseconds)),
            ])
    }

    package func tell(_ failure: Problem, _ cause: ReloadStateMachine.Cause) {
        var metadata = failure.metadata
        metadata["cause"] = "\(cause.rawValue)"
        log.error("\(failure); aasa keeps serving what it served before", metadata: metadata)
    }

    package func logChanges(_ report: LoadReport) {
        for change in report.changes {
            for line in change.lines {
                log.notice("\(line)", metadata: ["host": "\(change.host)"])
            }
        }
    }

    /// The hosts that serve something older than what is on disk.
    package func logKept(_ report: LoadReport) {
        for (host, text) in report.kept.prefix(Self.findingsMaximum) {
            log.error("\(text)", metadata: ["host": "\(host)"])
        }
        if report.kept.count > Self.findingsMaximum {
            log.error("and \(report.kept.count - Self.findingsMaximum) more last good versions")
        }
    }

    /// Logs every finding; errors get the highest level.
    package func logFindings(_ report: LoadReport) {
        var told = 0
        for certificate in report.certificates {
            told += 1
            if told > Self.findingsMaximum { continue }
            log.log(
                level: certificate.isError ? .error : .warning, "\(certificate.problem.cause)",
                metadata: certificate.problem.metadata)
        }
        for (host, findings) in report.findings {
            for finding in findings where finding.severity != .note {
                told += 1
                if told > Self.findingsMaximum { continue }
                tell(finding, host: host)
            }
        }
        if told > Self.findingsMaximum {
            log.error("and \(told - Self.findingsMaximum) more findings: run aasa lint")
        }
    }

    private func tell(_ finding: Diagnostic, host: String) {
        var metadata: Logger.Metadata = ["code": "\(finding.code)"]
        if !host.isEmpty { metadata["host"] = "\(host)" }
        if let remedy = finding.remedy { metadata["fix"] = "\(remedy)" }
        if let other = finding.related.first {
            metadata["see"] = "\(other.place)"
        }
        log.log(
            level: finding.severity == .error ? .error : .warning, "\(finding.line)",
            metadata: metadata)
    }
}

extension Diagnostic {
    /// `PLACE: MESSAGE`, for the log and for commands.
    var line: String { "\(place): \(message)" }
}

extension LoadReport {
    /// Everything on disk that is not served, in one line each, with its suggested fix.
    package var errors: [(text: String, fix: String?)] {
        var errors: [(text: String, fix: String?)] = []
        for certificate in certificates where certificate.isError {
            errors.append((certificate.problem.cause, certificate.problem.remedy))
        }
        for finding in findings.flatMap(\.findings) where finding.severity == .error {
            errors.append((finding.line, finding.remedy))
        }
        return errors
    }

    /// Whether any file on disk is not served as it is.
    package var hasErrors: Bool { !errors.isEmpty }
}
