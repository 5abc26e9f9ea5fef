import TestSupport
import Testing

@Suite struct WatchMetricsTests {
    /// More than one thread can check in their time: the metrics say so.
    @Test func saysThatItFallsBehind() throws {
        let silent = (0..<5).map { ("silent\($0).test", WatchedHosts.Manner.silent) }
        let hosts = try WatchedHosts(Dictionary(uniqueKeysWithValues: silent))
        let watcher = try Watcher(hosts, ["--parallel", "1"])
        try watcher.wait {
            let metrics = (try? $0.ask("/metrics")) ?? ""
            let late = metrics.firstMatch(of: #/aasa_watch_lateness_seconds ([0-9]+)/#)
            return (late.flatMap { Int($0.1) } ?? 0) > 2
        }
        expectEqual(watcher.end(), 0)
    }

    @Test func showsEachHostAndItsProblems() throws {
        let hosts = try WatchedHosts(["good.test": .good, "cut.test": .cut])
        let watcher = try Watcher(hosts)
        try watcher.wait { watcher in
            let metrics = (try? watcher.ask("/metrics")) ?? ""
            return metrics.contains("aasa_watch_host_good{host=\"good.test\"} 1")
                && metrics.contains("aasa_watch_host_good{host=\"cut.test\"} 0")
        }
        let metrics = try watcher.ask("/metrics")
        for line in [
            "aasa_watch_hosts 2",
            "aasa_watch_problem{host=\"cut.test\",code=\"answer-cut\",severity=\"error\"} 1",
            "aasa_watch_last_look_timestamp_seconds{host=\"cut.test\"} ",
            "aasa_watch_certificate_not_after_timestamp_seconds{host=\"good.test\"} ",
            "aasa_watch_changes_total{change=\"problem\"} ",
        ] { #expect(metrics.contains("\n" + line), "\(line): \(metrics)") }
        #expect(!metrics.contains("aasa_watch_looks_total 0"))
        let problems = metrics.split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("aasa_watch_problem{host=\"good.test\"") }
        #expect(problems.allSatisfy { $0.contains(WatchedHosts.slowness) }, "\(problems)")
        expectEqual(watcher.end(), 0)
    }
}
