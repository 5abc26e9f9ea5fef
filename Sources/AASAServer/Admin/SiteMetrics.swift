extension ServerMetrics {
    /// What is served, and how often it was answered.
    package static func site(_ report: StatusReport) -> [MetricFamily] {
        var answers = MetricFamily(
            "aasa_host_answers_total", .counter, "Answers of a host since the start, by form.")
        var bytes = MetricFamily(
            "aasa_document_bytes", .gauge,
            "Size of a host's document; devices accept at most 131072.")
        var apps = MetricFamily("aasa_document_apps", .gauge, "Apps in a host's document.")
        var available = MetricFamily(
            "aasa_document_available", .gauge,
            "1 if a host's document is served over TLS, else 0.")
        var kept = MetricFamily(
            "aasa_document_kept_since_timestamp_seconds", .gauge,
            "Since when a host has served its last good version instead of the files on disk."
        )
        for host in report.hosts {
            let label = [(name: "host", value: host.name)]
            bytes.add(Double(host.facts.documentBytes), label)
            apps.add(Double(host.facts.apps), label)
            available.add(host.isAvailable ? 1 : 0, label)
            if let since = host.facts.keptSince { kept.add(Double(since), label) }
            for answer in HostCounters.Answer.allCases {
                let form = answer == .notFound ? "not_found" : "\(answer)"
                answers.add(
                    Double(host.answers[answer, default: 0]), label + [(name: "form", value: form)])
            }
        }
        for name in report.vanished.keys.sorted() {
            available.add(0, [(name: "host", value: name)])
        }
        return [answers, bytes, apps, available, kept] + certificates(report) + reloads(report)
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
        var reloads = MetricFamily(
            "aasa_reloads_total", .counter, "Reloads of site or certificates, by result.")
        reloads.add(Double(report.reloads.succeeded), [(name: "result", value: "ok")])
        reloads.add(Double(report.reloads.failed), [(name: "result", value: "failed")])
        let isBroken =
            report.reloads.problem != nil
            || report.hosts.contains { $0.facts.keptSince != nil || !$0.isAvailable }
        return [
            reloads,
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
        var overloaded = MetricFamily(
            "aasa_overloaded", .gauge, "1 while overloaded, by the exhausted resource.")
        for cause in LoadMonitor.Cause.allCases {
            overloaded.add(
                load.overload?.cause == cause ? 1 : 0, [(name: "cause", value: cause.rawValue)])
        }
        var share = MetricFamily(
            "aasa_answered_ratio", .gauge, "Fraction of clients that got their answer, by window.")
        share.add(load.lately.share, [(name: "window", value: "10s")])
        share.add(load.minute.share, [(name: "window", value: "1m")])
        return [
            overloaded, share,
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
        var build = MetricFamily("aasa_build_info", .gauge, "Always 1; the version is a label.")
        build.add(1, [(name: "version", value: report.version)])
        var lost = MetricFamily(
            "aasa_log_lines_lost_total", .counter,
            "Log lines that could not be written, by log.")
        lost.add(Double(report.lostMessages), [(name: "log", value: "messages")])
        lost.add(Double(report.lostAccessLines), [(name: "log", value: "access")])
        return [
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
            lost, build,
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
