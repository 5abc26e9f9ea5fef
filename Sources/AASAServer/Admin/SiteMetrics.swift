extension ServerMetrics {
    /// What is served, and how often it was answered.
    package static func site(_ report: StatusReport) -> [MetricFamily] {
        func family(
            _ name: String, _ help: String, _ value: (StatusReport.Host) -> Double?
        ) -> MetricFamily {
            MetricFamily(
                "aasa_document_\(name)", .gauge, help, by: "host",
                report.hosts.compactMap { host in value(host).map { (host.name, $0) } })
        }
        var answers = MetricFamily(
            "aasa_host_answers_total", .counter, "Answers of a host since the start, by form.")
        for host in report.hosts {
            for answer in HostCounters.Answer.allCases {
                let form = answer == .notFound ? "not_found" : "\(answer)"
                answers.add(
                    Double(host.answers[answer, default: 0]),
                    [(name: "host", value: host.name), (name: "form", value: form)])
            }
        }
        var available = family(
            "available", "1 if a host's document is served over TLS, else 0."
        ) { $0.isAvailable ? 1 : 0 }
        for name in report.vanished.keys.sorted() {
            available.add(0, [(name: "host", value: name)])
        }
        return [
            answers,
            family("bytes", "Size of a host's document; devices accept at most 131072.") {
                Double($0.facts.documentBytes)
            },
            family("apps", "Apps in a host's document.") { Double($0.facts.apps) }, available,
            family(
                "kept_since_timestamp_seconds",
                "Since when a host has served its last good version instead of the files on disk."
            ) { $0.facts.keptSince.map(Double.init) },
        ] + certificates(report) + reloads(report)
    }

    private static func certificates(_ report: StatusReport) -> [MetricFamily] {
        var ends = MetricFamily(
            "aasa_certificate_not_after_timestamp_seconds", .gauge,
            "When a certificate in use expires.")
        var left = MetricFamily(
            "aasa_certificate_life_left_ratio", .gauge,
            "Fraction of a certificate's life that is left; below 0.25 its renewal is late.")
        var seen: Set<String> = []
        for certificate in report.certificates {
            // Two certificates with the same key type in one folder would make two samples with the
            // same labels.
            guard seen.insert("\(certificate.folder)\n\(certificate.keyType)").inserted else {
                continue
            }
            let labels = [
                (name: "host", value: certificate.folder),
                (name: "key", value: certificate.keyType),
            ]
            ends.add(Double(certificate.notAfter), labels)
            left.add(certificate.shareLeft(now: report.now), labels)
        }
        return [ends, left]
    }

    private static func reloads(_ report: StatusReport) -> [MetricFamily] {
        let isBroken =
            report.reloads.problem != nil
            || report.hosts.contains { $0.facts.keptSince != nil || !$0.isAvailable }
        return [
            MetricFamily(
                "aasa_reloads_total", .counter, "Reloads of site or certificates, by result.",
                by: "result",
                [
                    ("ok", Double(report.reloads.succeeded)),
                    ("failed", Double(report.reloads.failed)),
                ]),
            MetricFamily(
                "aasa_site_broken", .gauge,
                "1 while the files on disk differ from what is served, else 0.",
                value: isBroken ? 1 : 0),
            MetricFamily(
                "aasa_state_writable", .gauge,
                "1 while the last good version can be stored for a restart, else 0.",
                value: report.stateProblem == nil ? 1 : 0),
            MetricFamily(
                "aasa_snapshot_generation", .gauge,
                "Number of the snapshot (site and certificates) in service, starting with 1.",
                value: Double(report.generation)),
        ]
    }

    /// Whether the server keeps up with its clients.
    package static func load(_ load: LoadMonitor) -> [MetricFamily] {
        [
            MetricFamily(
                "aasa_overloaded", .gauge, "1 while overloaded, by the exhausted resource.",
                by: "cause",
                LoadMonitor.Cause.allCases.map {
                    ($0.rawValue, load.overload?.cause == $0 ? 1 : 0)
                }),
            MetricFamily(
                "aasa_answered_ratio", .gauge,
                "Fraction of clients that got their answer, by window.", by: "window",
                [("10s", load.lately.share), ("1m", load.minute.share)]),
            MetricFamily(
                "aasa_machine_stalled_ratio", .gauge,
                "Fraction of the last ten seconds in which a process of the machine waited for a CPU.",
                value: load.stalled),
            MetricFamily(
                "aasa_machine_stolen_ratio", .gauge,
                "Fraction of the last ten seconds that the hypervisor took.", value: load.stolen),
        ]
    }

    /// The process as a whole, named as Prometheus' own client libraries name it.
    package static func process(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        [
            MetricFamily(
                "aasa_ready", .gauge,
                "1 while load balancers may send new connections here, else 0.",
                value: health.isReady ? 1 : 0),
            MetricFamily(
                "aasa_health_level", .gauge,
                "0 all is well, 1 attention needed, 2 overloaded, 3 failing.",
                value: Double(Health.Level.allCases.firstIndex(of: health.level) ?? 0)),
            MetricFamily(
                "aasa_connections_limit", .gauge, "Maximum number of open connections.",
                value: Double(report.connections.limit)),
            MetricFamily(
                "aasa_shed_total", .counter, "Answers with status 503 because of load.",
                value: Double(report.traffic.shed)),
            MetricFamily(
                "aasa_log_lines_lost_total", .counter,
                "Log lines that could not be written, by log.", by: "log",
                [
                    ("messages", Double(report.lostMessages)),
                    ("access", Double(report.lostAccessLines)),
                ]),
            MetricFamily(
                "aasa_build_info", .gauge, "Always 1; the version is a label.", by: "version",
                [(report.version, 1)]),
            MetricFamily(
                "process_cpu_seconds_total", .counter, "CPU time used, user and system.",
                value: report.traffic.processorSeconds),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Resident memory.",
                value: Double(report.traffic.residentBytes)),
            MetricFamily(
                "process_start_time_seconds", .gauge,
                "Start time of the process, in seconds since 1970.",
                value: Double(report.started)),
        ]
    }
}
