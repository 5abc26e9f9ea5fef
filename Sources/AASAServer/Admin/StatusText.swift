/// The verdict of the status page for a terminal: what `aasa status` prints.
package enum StatusText {
    package static func lines(_ report: StatusReport, health: Health, history: History) -> [String]
    {
        var lines = [headline(report, health)]
        lines += health.reasons.map { "  - \($0)" }
        lines += hosts(report)
        lines += renewals(report)
        if let fleet = report.fleet { lines.append(fleet.line) }
        lines += load(report, history)
        return lines
    }

    private static func headline(_ report: StatusReport, _ health: Health) -> String {
        let verdict =
            switch health.level {
            case .well: "well"
            case .attention: "somebody should look"
            case .overloaded: "overloaded"
            case .failing: "failing"
            }
        return "\(verdict): \(report.phase.rawValue) \(count(report.hosts.count, "host")), "
            + (health.isReady ? "ready" : "not ready") + ", up "
            + span(report.now - report.started) + ", version \(report.version)"
    }

    private static func hosts(_ report: StatusReport) -> [String] {
        report.hosts.prefix(rowsMaximum).map { host in
            var line = "  \(host.name): "
            line +=
                host.isAvailable
                ? "\(host.facts.documentBytes) bytes, \(count(host.facts.apps, "app")) of "
                    + count(host.facts.teams.count, "team") : "answers 503"
            for left in host.facts.removedTeams {
                line += "; team \(left.team) is gone since \(TimeText.second(left.since))"
            }
            return line
        }
            + (report.hosts.count > rowsMaximum
                ? ["  and \(report.hosts.count - rowsMaximum) more hosts"] : [])
    }

    /// Certificates that fail or wait come first, because the list is cut.
    private static func renewals(_ report: StatusReport) -> [String] {
        guard let renewals = report.renewals else { return [] }
        let good = renewals.entries.filter { $0.state == "good" && $0.lastError == nil }
        let others = renewals.entries.filter { $0.state != "good" || $0.lastError != nil }
        var lines = others.prefix(rowsMaximum).flatMap { entry -> [String] in
            var line = "  certificate of \(entry.host) (\(entry.key)): \(entry.note)"
            if let next = entry.next {
                line += next > report.now ? "; tried in \(span(next - report.now))" : "; under way"
            }
            if entry.tries > 0 { line += ", \(count(entry.tries, "failed try", "failed tries"))" }
            guard let error = entry.lastError else { return [line] }
            return [line, "    \(error)"] + (entry.remedy.map { ["    \($0)"] } ?? [])
        }
        if others.count > rowsMaximum {
            lines.append("  and \(others.count - rowsMaximum) more certificates")
        }
        if let next = good.compactMap(\.next).min() {
            lines.append(
                "  \(count(good.count, "certificate")) by ACME good, the next is renewed in "
                    + span(next - report.now))
        }
        return lines
            + renewals.budgets.map {
                "  \($0.authority): \($0.ordersLeft) of \($0.orders) orders left"
            }
    }

    private static func load(_ report: StatusReport, _ history: History) -> [String] {
        let last = history.points.last
        return [
            "  \(report.connections.open) connections open, \(report.connections.waiting) waiting; "
                + "\(last?.answered ?? 0) answers/s, \(last?.accepted ?? 0) new connections/s"
        ]
    }

    /// One screen.
    private static let rowsMaximum = 40

    private static func count(
        _ number: Int, _ what: String, _ several: String? = nil
    ) -> String {
        "\(number) \(number == 1 ? what : several ?? what + "s")"
    }

    static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(max(0, seconds)) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
