import AppSiteAssociation
package import Logging
import Reactor

/// What a load found and changed, in the log: the same findings as `aasa lint`, with their places
/// and remedies.
extension LoadReport {
    /// More findings of one load are counted, not written.
    static let findingsMaximum = 100

    /// Logs the load and its outcome.
    func logReload(to log: Logger, _ cause: ReloadStateMachine.Cause) {
        logAll(to: log)
        let milliseconds = duration / .milliseconds(1)
        var text = "reloaded"
        if hasErrors {
            text += "; some files on disk cannot be used"
            if !kept.isEmpty { text += ", and their last good versions stay in service" }
        }
        log.notice(
            "\(text)",
            metadata: [
                "cause": "\(cause.rawValue)",
                "generation": .stringConvertible(generation),
                "hosts": .stringConvertible(hostCount),
                "changed": .stringConvertible(changes.count),
                "ms": .stringConvertible(Int(milliseconds)),
            ])
    }

    /// Logs changes, findings, and the hosts that serve something older than what is on disk.
    package func logAll(to log: Logger) {
        for change in changes {
            for line in change.lines {
                log.notice("\(line)", metadata: ["host": "\(change.host)"])
            }
        }
        logFindings(to: log)
        for (host, text) in kept.prefix(Self.findingsMaximum) {
            log.error("\(text)", metadata: ["host": "\(host)"])
        }
        if kept.count > Self.findingsMaximum {
            log.error("and \(kept.count - Self.findingsMaximum) more last good versions")
        }
    }

    /// Logs every finding; errors get the highest level.
    package func logFindings(to log: Logger) {
        var told = 0
        for certificate in certificates {
            told += 1
            if told > Self.findingsMaximum { continue }
            log.log(
                level: certificate.isError ? .error : .warning, "\(certificate.problem.cause)",
                metadata: certificate.problem.metadata)
        }
        for (host, findings) in findings {
            for finding in findings where finding.severity != .note {
                told += 1
                if told > Self.findingsMaximum { continue }
                finding.log(to: log, host: host)
            }
        }
        if told > Self.findingsMaximum {
            log.error("and \(told - Self.findingsMaximum) more findings: run aasa lint")
        }
    }
}

extension Problem {
    /// Logs why a load has failed.
    func logReload(to log: Logger, _ cause: ReloadStateMachine.Cause) {
        var metadata = metadata
        metadata["cause"] = "\(cause.rawValue)"
        log.error("\(self); aasa keeps serving what it served before", metadata: metadata)
    }
}

extension Diagnostic {
    fileprivate func log(to log: Logger, host: String) {
        var metadata: Logger.Metadata = ["code": "\(code)"]
        if !host.isEmpty { metadata["host"] = "\(host)" }
        if let remedy { metadata["fix"] = "\(remedy)" }
        if let other = related.first {
            metadata["see"] = "\(other.place)"
        }
        log.log(
            level: severity == .error ? .error : .warning, "\(line)", metadata: metadata)
    }

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
