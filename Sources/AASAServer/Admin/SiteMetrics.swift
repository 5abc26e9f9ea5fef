extension ServerMetrics {
    /// What is served, and how often it was answered.
    package static func site(_ report: StatusReport) -> [MetricFamily] {
        func documents(
            _ name: String, _ value: (StatusReport.Host) -> Double?
        ) -> MetricFamily {
            MetricFamily(
                "aasa_document_\(name)",
                report.hosts.compactMap { host in value(host).map { (host.name, $0) } })
        }
        var answers = MetricFamily("aasa_host_answers_total")
        for host in report.hosts {
            for answer in HostCounters.Answer.allCases {
                let form = answer == .notFound ? "not_found" : "\(answer)"
                answers.add(Double(host.answers[answer, default: 0]), host.name, form)
            }
        }
        var available = documents("available") { $0.isAvailable ? 1 : 0 }
        for name in report.vanished.keys.sorted() { available.add(0, name) }
        return [
            answers, documents("bytes") { Double($0.facts.documentBytes) },
            documents("apps") { Double($0.facts.apps) }, available,
            documents("kept_since_timestamp_seconds") { $0.facts.keptSince.map(Double.init) },
        ] + certificates(report) + reloads(report)
    }

    private static func certificates(_ report: StatusReport) -> [MetricFamily] {
        var ends = MetricFamily("aasa_certificate_not_after_timestamp_seconds")
        var left = MetricFamily("aasa_certificate_life_left_ratio")
        var seen: Set<String> = []
        for certificate in report.certificates {
            let (folder, key) = (certificate.folder, certificate.keyType)
            // Two certificates with the same key type in one folder would make two samples with the
            // same labels.
            guard seen.insert("\(folder)\n\(key)").inserted else { continue }
            ends.add(Double(certificate.notAfter), folder, key)
            left.add(certificate.shareLeft(now: report.now), folder, key)
        }
        return [ends, left]
    }

    private static func reloads(_ report: StatusReport) -> [MetricFamily] {
        let isBroken =
            report.reloads.problem != nil
            || report.hosts.contains { $0.facts.keptSince != nil || !$0.isAvailable }
        return [
            MetricFamily(
                "aasa_reloads_total",
                [
                    ("ok", Double(report.reloads.succeeded)),
                    ("failed", Double(report.reloads.failed)),
                ]),
            MetricFamily("aasa_site_broken", isBroken ? 1 : 0),
            MetricFamily("aasa_state_writable", report.stateProblem == nil ? 1 : 0),
            MetricFamily("aasa_snapshot_generation", Double(report.generation)),
        ]
    }

    /// Whether the server keeps up with its clients.
    package static func load(_ load: LoadMonitor) -> [MetricFamily] {
        [
            MetricFamily(
                "aasa_overloaded",
                LoadMonitor.Cause.allCases.map {
                    ($0.rawValue, load.overload?.cause == $0 ? 1 : 0)
                }),
            MetricFamily(
                "aasa_answered_ratio", [("10s", load.lately.share), ("1m", load.minute.share)]),
            MetricFamily("aasa_machine_stalled_ratio", load.lately.stalled),
            MetricFamily("aasa_machine_stolen_ratio", load.lately.stolen),
        ]
    }

    /// The process as a whole.
    package static func process(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        let level = Health.Level.allCases.firstIndex(of: health.level) ?? 0
        return [
            MetricFamily("aasa_ready", health.isReady ? 1 : 0),
            MetricFamily("aasa_health_level", Double(level)),
            MetricFamily("aasa_connections_limit", Double(report.connections.limit)),
            MetricFamily("aasa_shed_total", Double(report.traffic.shed)),
            MetricFamily(
                "aasa_log_lines_lost_total",
                [
                    ("messages", Double(report.lostMessages)),
                    ("access", Double(report.lostAccessLines)),
                ]),
            MetricFamily("aasa_build_info", [(report.version, 1)]),
            MetricFamily("process_cpu_seconds_total", report.traffic.processorSeconds),
            MetricFamily("process_resident_memory_bytes", Double(report.traffic.residentBytes)),
            MetricFamily("process_start_time_seconds", Double(report.started)),
        ]
    }
}
