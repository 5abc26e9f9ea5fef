import AppSiteAssociation
import OpenSSL

/// The verdict of the status page for a terminal: what `aasa status` prints.
package enum StatusText {
    package static func lines(_ report: StatusReport, _ health: Health) -> [String] {
        var lines = [headline(report, health)]
        for reason in health.reasons {
            lines.append("  - \(reason.text)")
            if let fix = reason.fix { lines.append("    fix: \(fix)") }
        }
        lines += hosts(report)
        lines += report.renewals?.lines(now: report.now) ?? []
        lines += report.fleet?.lines(now: report.now) ?? []
        lines += load(report)
        return lines
    }

    private static func headline(_ report: StatusReport, _ health: Health) -> String {
        let verdict =
            health.level == .attention ? "attention needed" : health.level.rawValue
        return "\(verdict): \(report.phase.rawValue) \(counted(report.hosts.count, "host")), "
            + (health.isReady ? "ready" : "not ready") + ", up "
            + span(report.now - report.started) + ", version \(report.version)"
    }

    private static func hosts(_ report: StatusReport) -> [String] {
        report.hosts.prefix(rowsMaximum).map { host in
            var line = "  \(host.name): "
            line +=
                host.isAvailable
                ? "\(host.facts.documentBytes) bytes, \(counted(host.facts.apps, "app")) of "
                    + counted(host.facts.teams.count, "team")
                : host.hasDocument ? "no certificate" : "answers 503"
            for left in host.facts.removedTeams {
                line += "; team \(left.team) was removed at \(DateText.moment(left.since))"
            }
            return line
        }
            + omitted(report.hosts.count, "more host").map { "  " + $0 }
    }

    private static func load(_ report: StatusReport) -> [String] {
        let second = report.load.lastSecond
        return [
            "  \(report.connections.open) connections open, \(report.connections.waiting) waiting; "
                + "\(second.rate(\.traffic.answered)) answers/s, "
                + "\(second.rate(\.traffic.accepted)) new connections/s"
        ]
    }

    /// One screen; the status page shows a thousand hosts.
    package static let rowsMaximum = 40

    /// The line for the rows that do not fit.
    package static func omitted(_ count: Int, _ more: String) -> [String] {
        count > rowsMaximum ? ["and " + counted(count - rowsMaximum, more)] : []
    }

    package static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(max(0, seconds)) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
