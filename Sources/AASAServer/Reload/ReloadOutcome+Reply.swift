import Reactor

extension ReloadOutcome {
    /// What changed, what was refused and where.
    var reply: ControlReply {
        let stateLines = stateProblem?.stateLines ?? []
        if let failure {
            var lines = failure.lines
            lines[0] += "; aasa keeps serving what it served before"
            return ControlReply(.refused, problems: lines + stateLines)
        }
        guard let report else { return ControlReply(.refused, problems: ["no outcome"]) }
        var lines = report.changes.flatMap { change in
            change.lines.map { "\(change.host): \($0)" }
        }
        let milliseconds = Int(report.duration / .milliseconds(1))
        lines.append(
            "\(report.hasErrors ? "reload incomplete" : "reloaded"): \(report.hostCount) host\(report.hostCount == 1 ? "" : "s"), "
                + (report.changes.isEmpty
                    ? "nothing changed" : "\(report.changes.count) changed")
                + ", generation \(generation), \(milliseconds) ms")
        return ControlReply(
            report.hasErrors || stateProblem != nil ? .findings : .good, lines: lines,
            problems: report.problemLines + stateLines)
    }
}

extension Problem {
    /// What a command says of a state folder that cannot be written.
    var stateLines: [String] {
        var lines = lines
        lines[0] = "state: \(lines[0]); a restart may serve less"
        return lines
    }
}

extension LoadReport {
    /// Every error with its remedy, then which hosts keep an older state because of the errors.
    var problemLines: [String] { refusedLines + keptLines }

    /// Every error with its remedy.
    package var refusedLines: [String] {
        var lines: [String] = []
        for certificate in certificates where certificate.isError {
            lines.append("error: \(certificate.problem.cause)")
            lines.append("  fix: \(certificate.problem.remedy)")
        }
        for (_, findings) in findings {
            for finding in findings where finding.severity == .error {
                lines.append("error: \(finding.line)")
                if let remedy = finding.remedy { lines.append("  fix: \(remedy)") }
            }
        }
        let most = 2 * LoadReporter.findingsMaximum
        if lines.count > most {
            lines = lines.prefix(most) + ["and more: run aasa lint"]
        }
        return lines
    }

    /// `HOST: serving the last good version since TIME, because PLACE: CAUSE`.
    package var keptLines: [String] {
        kept.prefix(LoadReporter.findingsMaximum).map { "\($0.host): \($0.text)" }
    }
}
