/// The metrics of a server: which values they show. What each means is in `metrics.txt`.
package enum ServerMetrics {
    /// All metrics of a report.
    package static func all(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        traffic(report.counters) + site(report) + (report.renewals?.metrics ?? [])
            + process(report, health) + load(report.load) + (report.fleet?.metrics ?? [])
    }

    /// What the workers count: the metrics that have sources in the table, and two that are made of
    /// several counters.
    package static func traffic(_ counters: ServerCounters) -> [MetricFamily] {
        MetricFamily.all.filter { !$0.sources.isEmpty }.map { counted($0, counters) }
            + [connections(counters), closes(counters)]
    }

    private static func counted(
        _ family: MetricFamily, _ counters: ServerCounters
    ) -> MetricFamily {
        var family = family
        for (label, source) in family.sources {
            if let distribution = distributions[source] {
                let all = counters.total(distribution)
                let buckets = all.counts.enumerated().map {
                    (bound: DistributionSnapshot.upperBound($0.offset), count: $0.element)
                }
                family.addHistogram(buckets: buckets, sum: Double(all.sumNanoseconds) / 1e9)
            } else if let counter = self.counters[source], family.labelNames == ["worker"] {
                // Counters of seconds count nanoseconds.
                let unit = family.name.hasSuffix("_seconds_total") ? 1e-9 : 1
                for (index, worker) in counters.workers.enumerated() {
                    family.add(Double(worker.value(counter)) * unit, "\(index)")
                }
            } else if let counter = self.counters[source] {
                family.add(Double(counters.total(counter)), label)
            }
        }
        return family
    }

    /// By the names that `metrics.txt` uses. A test checks that no counter is missing there.
    private static let counters = Dictionary(
        uniqueKeysWithValues: Counter.allCases.map { ("\($0)", $0) })
    private static let distributions = Dictionary(
        uniqueKeysWithValues: Distribution.allCases.map { ("\($0)", $0) })

    /// Each connection is in one state. The gauges are set one after the other and may contradict
    /// each other for a moment.
    private static func connections(_ counters: ServerCounters) -> MetricFamily {
        let open = counters.total(.connectionsOpen)
        let waiting = counters.total(.connectionsWaiting)
        let begun = counters.total(.handshakesInFlight)
        let silent = min(counters.total(.handshakesSilent), begun)
        return MetricFamily(
            "aasa_connections",
            [
                ("waiting", Double(waiting)), ("handshaking", Double(begun - silent)),
                ("handshaking_silent", Double(silent)),
                ("established", open > waiting + begun ? Double(open - waiting - begun) : 0),
            ])
    }

    private static func closes(_ counters: ServerCounters) -> MetricFamily {
        MetricFamily(
            "aasa_connections_closed_total",
            CloseReason.allCases.map { ($0.label, Double(counters.totalCloses($0))) })
    }
}
