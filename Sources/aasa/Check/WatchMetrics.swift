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
        var good = MetricFamily("aasa_watch_host_good")
        var problems = MetricFamily("aasa_watch_problem")
        var ends = MetricFamily("aasa_watch_certificate_not_after_timestamp_seconds")
        var last = MetricFamily("aasa_watch_last_look_timestamp_seconds")
        for host in hosts {
            if let look = host.lastLook {
                last.add(Double(look), host.host)
                good.add(host.isGood ? 1 : 0, host.host)
            }
            if let end = host.certificateEnds { ends.add(Double(end), host.host) }
            for (code, problem) in host.problems.sorted(by: { $0.key < $1.key }) {
                problems.add(1, host.host, code, problem.finding.severity.rawValue)
            }
        }
        return [
            MetricFamily("aasa_watch_hosts", Double(hosts.count)),
            MetricFamily("aasa_watch_looks_total", Double(looks)),
            MetricFamily("aasa_watch_lateness_seconds", Double(lateness) / 1000),
            MetricFamily(
                "aasa_watch_changes_total",
                WatchChange.Kind.allCases.map { ($0.rawValue, Double(changes[$0] ?? 0)) }),
            good, problems, ends, last,
        ]
    }
}
