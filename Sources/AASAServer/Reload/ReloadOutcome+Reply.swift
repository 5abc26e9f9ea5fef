import AppSiteAssociation
import Reactor

extension ReloadOutcome {
    /// What changed, what was refused and where.
    var reply: ControlReply {
        let stateLines = stateProblem?.stateLines ?? []
        let report: LoadReport
        do throws(Problem) {
            report = try load.get()
        } catch {
            var lines = error.lines
            lines[0] += "; aasa keeps serving what it served before"
            return ControlReply(.refused, problems: lines + stateLines)
        }
        var lines = report.changes.flatMap { change in
            change.lines.map { "\(change.host): \($0)" }
        }
        let milliseconds = Int(report.duration / .milliseconds(1))
        lines.append(
            "\(report.hasErrors ? "reload incomplete" : "reloaded"): \(counted(report.hostCount, "host")), "
                + (report.changes.isEmpty
                    ? "nothing changed" : "\(report.changes.count) changed")
                + ", generation \(report.generation), \(milliseconds) ms")
        return ControlReply(
            report.hasErrors || stateProblem != nil ? .findings : .good, lines: lines,
            problems: report.refusedLines + report.keptLines + stateLines)
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

/// An error with its fix, as commands print it.
func errorLines(_ text: String, fix: String?) -> [String] {
    ["error: \(text)"] + (fix.map { ["  fix: \($0)"] } ?? [])
}

extension LoadReport {
    /// Every error with its remedy.
    package var refusedLines: [String] {
        var lines = errors.flatMap { errorLines($0.text, fix: $0.fix) }
        let most = 2 * Self.findingsMaximum
        if lines.count > most {
            lines = lines.prefix(most) + ["and more: run aasa lint"]
        }
        return lines
    }

    /// `HOST: serving the last good version since TIME, because PLACE: CAUSE`.
    package var keptLines: [String] {
        kept.prefix(Self.findingsMaximum).map { "\($0.host): \($0.text)" }
    }
}
