import AASADevice
import AASAServer
import AppSiteAssociation
import OpenSSL

/// A watcher at one moment, as page, JSON and metrics show it. A value.
struct WatchOverview: Sendable {
    struct Host: Sendable {
        let name: String
        let lastLook: Int64?
        let summary: String
        let certificateEnds: Int64?
        /// What is wrong and was told, the worst first.
        let problems: [ProblemWatch]

        var worst: Severity? { problems.map(\.problem.severity).max() }
    }

    let now: Int64
    let started: Int64
    let interval: Int64
    let hosts: [Host]
    let isCutOff: Bool
    /// Milliseconds by which looks begin too late, and by which they may.
    let lateness: Int64
    let latenessMaximum: Int64
    let fullLooks: Int
    let briefLooks: Int
    let changes: [WatchChange.Kind: Int]
    let latest: [WatchChange]
    let stateFailures: Int
    let unsavedHosts: Int
    let webhook: WebhookQueue?

    var hostsFailing: Int { hosts.count { $0.worst == .error } }
    var hostsUnseen: Int { hosts.count { $0.lastLook == nil } }

    /// Why somebody should look at the watcher itself; empty when nothing is wrong with it.
    var reasons: [String] {
        var reasons: [String] = []
        if isCutOff { reasons.append("no host can be connected to") }
        if lateness > latenessMaximum {
            reasons.append(
                "looks begin \(lateness / 1000) s too late: watch fewer hosts, or with a longer "
                    + "--watch or a higher --parallel")
        }
        if unsavedHosts > 0 { reasons.append("the state cannot be written") }
        if let webhook, webhook.entries.count > WebhookQueue.maximum / 2 {
            reasons.append("\(webhook.entries.count) changes wait for the webhook")
        }
        return reasons
    }

    // MARK: - JSON

    var json: JSONValue {
        .object([
            ("time", .text(DateText.moment(now))), ("started", .text(DateText.moment(started))),
            ("intervalSeconds", .integer(Int(interval))),
            ("good", .flag(hostsFailing == 0 && reasons.isEmpty)),
            ("reasons", .list(reasons.map { .text($0) })),
            ("hostsFailing", .integer(hostsFailing)),
            (
                "hosts",
                .list(
                    hosts.map { host in
                        .object([
                            ("host", .text(host.name)),
                            ("lastLook", .text(host.lastLook.map { DateText.moment($0) })),
                            ("summary", .text(host.summary)),
                            (
                                "certificateEnds",
                                .text(host.certificateEnds.map { DateText.moment($0) })
                            ),
                            ("problems", .list(host.problems.map { Self.json($0) })),
                        ])
                    })
            ),
            ("latest", .list(latest.reversed().map(\.json))),
        ])
    }

    private static func json(_ watch: ProblemWatch) -> JSONValue {
        .object([
            ("code", .text(watch.problem.code)),
            ("severity", .text(watch.problem.severity.rawValue)),
            ("message", .text(watch.problem.message)), ("remedy", .text(watch.problem.remedy)),
            ("since", .text(DateText.moment(watch.since))),
            ("flapping", .flag(watch.phase == .flapping)),
        ])
    }

    // MARK: - Metrics

    var metrics: [MetricFamily] {
        var looks = MetricFamily("aasa_watch_looks_total", .counter, "Looks at hosts.")
        looks.add(Double(fullLooks), [("kind", "full")])
        looks.add(Double(briefLooks), [("kind", "brief")])
        var told = MetricFamily("aasa_watch_changes_total", .counter, "Changes that were told.")
        for kind in WatchChange.Kind.allCases {
            told.add(Double(changes[kind] ?? 0), [("change", kind.rawValue)])
        }
        var good = MetricFamily(
            "aasa_watch_host_good", .gauge, "1 when no error is known of the host, else 0.")
        var problems = MetricFamily(
            "aasa_watch_problem", .gauge, "1 for each problem that is told and not over.")
        var ends = MetricFamily(
            "aasa_watch_certificate_not_after_seconds", .gauge,
            "When the host's certificate ends, in seconds since 1970.")
        var last = MetricFamily(
            "aasa_watch_last_look_seconds", .gauge,
            "When the host was looked at last, in seconds since 1970.")
        for host in hosts {
            let label = [(name: "host", value: host.name)]
            if let look = host.lastLook {
                last.add(Double(look), label)
                good.add(host.worst == .error ? 0 : 1, label)
            }
            if let end = host.certificateEnds { ends.add(Double(end), label) }
            // One series for each code: apps are told apart in the changes.
            for code in Set(host.problems.map(\.problem.code)).sorted() {
                let worst = host.problems.filter { $0.problem.code == code }
                    .map(\.problem.severity).max()
                problems.add(
                    1, label + [("code", code), ("severity", worst?.rawValue ?? "")])
            }
        }
        var families = [
            MetricFamily(
                "aasa_watch_hosts", .gauge, "Hosts that are watched.", value: Double(hosts.count)),
            MetricFamily(
                "aasa_watch_ready", .gauge, "1 when the watcher can do its work, else 0.",
                value: reasons.isEmpty ? 1 : 0),
            MetricFamily(
                "aasa_watch_lateness_seconds", .gauge,
                "By how much looks begin too late, at most.", value: Double(lateness) / 1000),
            MetricFamily(
                "aasa_watch_cut_off", .gauge, "1 when no host can be connected to.",
                value: isCutOff ? 1 : 0),
            MetricFamily(
                "aasa_watch_state_failures_total", .counter,
                "Times that the state could not be written.", value: Double(stateFailures)),
            looks, told, good, problems, ends, last,
        ]
        if let webhook {
            families += [
                MetricFamily(
                    "aasa_watch_webhook_queue", .gauge, "Changes on their way to the webhook.",
                    value: Double(webhook.entries.count)),
                MetricFamily(
                    "aasa_watch_webhook_delivered_total", .counter,
                    "Changes that the webhook took.", value: Double(webhook.delivered)),
                MetricFamily(
                    "aasa_watch_webhook_failures_total", .counter,
                    "Attempts that the webhook did not take.", value: Double(webhook.failures)),
                MetricFamily(
                    "aasa_watch_webhook_lost_total", .counter,
                    "Changes that the webhook never got: refused, or pushed out by newer ones.",
                    value: Double(webhook.lost)),
            ]
        }
        return families
    }
}

extension WatchRun {
    func overview() -> WatchOverview {
        let webhook = sender?.queue.withLock { $0 }
        let now = Self.milliseconds()
        return state.withLock { state in
            WatchOverview(
                now: ClientOptions.now, started: started, interval: settings.interval,
                hosts: state.hosts.map { host in
                    WatchOverview.Host(
                        name: host.watch.host, lastLook: host.watch.lastLook,
                        summary: host.summary, certificateEnds: host.watch.certificateEnds,
                        problems: host.watch.told)
                },
                isCutOff: state.reach.isCutOff,
                lateness: state.schedule.lateness(now: now),
                latenessMaximum: settings.latenessMaximum,
                fullLooks: state.fullLooks, briefLooks: state.briefLooks, changes: state.changes,
                latest: state.latest, stateFailures: state.stateFailures,
                unsavedHosts: state.unsaved.count, webhook: webhook)
        }
    }
}
