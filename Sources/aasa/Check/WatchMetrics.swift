import AASADevice
import AASAServer

extension WatchRun {
    /// What `/metrics` shows.
    func metrics() -> [MetricFamily] {
        let (hosts, looks, changes, lateness) = state.withLock { state in
            (
                state.hosts, state.looks, state.changes,
                state.schedule.lateness(now: Self.milliseconds())
            )
        }
        let told = MetricFamily(
            "aasa_watch_changes_total", .counter, "Changes reported, by kind.", by: "change",
            WatchChange.Kind.allCases.map { ($0.rawValue, Double(changes[$0] ?? 0)) })
        var good = MetricFamily(
            "aasa_watch_host_good", .gauge, "1 if no error of the host is known, else 0.")
        var problems = MetricFamily(
            "aasa_watch_problem", .gauge, "1 for each problem that is not resolved.")
        var ends = MetricFamily(
            "aasa_watch_certificate_not_after_timestamp_seconds", .gauge,
            "When the host's certificate expires, in seconds since 1970.")
        var last = MetricFamily(
            "aasa_watch_last_look_timestamp_seconds", .gauge,
            "When the host was last checked, in seconds since 1970.")
        for host in hosts {
            let label = [(name: "host", value: host.host)]
            if let look = host.lastLook {
                last.add(Double(look), label)
                good.add(host.isGood ? 1 : 0, label)
            }
            if let end = host.certificateEnds { ends.add(Double(end), label) }
            for (code, problem) in host.problems.sorted(by: { $0.key < $1.key }) {
                let severity = problem.finding.severity.rawValue
                problems.add(1, label + [("code", code), ("severity", severity)])
            }
        }
        return [
            MetricFamily(
                "aasa_watch_hosts", .gauge, "Number of watched hosts.", value: Double(hosts.count)),
            MetricFamily(
                "aasa_watch_looks_total", .counter, "Checks of hosts.", value: Double(looks)),
            MetricFamily(
                "aasa_watch_lateness_seconds", .gauge,
                "Delay of the most overdue check.",
                value: Double(lateness) / 1000),
            told, good, problems, ends, last,
        ]
    }
}
