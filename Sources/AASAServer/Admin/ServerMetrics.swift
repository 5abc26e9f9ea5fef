/// The metrics of a server: which values they show. What each means is in `metrics.txt`.
package enum ServerMetrics {
    /// All metrics of a report.
    package static func all(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        traffic(report.counters) + site(report) + (report.renewals?.metrics ?? [])
            + process(report, health) + load(report.load) + (report.fleet?.metrics ?? [])
    }

    /// What the workers count.
    package static func traffic(_ counters: ServerCounters) -> [MetricFamily] {
        counted.map { name, sources in
            MetricFamily(name, sources.map { ($0.key, Double(counters.total($0.value))) })
        }
            + ofEachWorker.map { name, source in
                let unit = name.hasSuffix("_seconds_total") ? 1e-9 : 1
                let values = counters.workers.map { Double($0.value(source)) * unit }
                return MetricFamily(name, values.enumerated().map { ("\($0.offset)", $0.element) })
            }
            + [connections(counters), closes(counters)]
            + durations.map { name, source in
                var family = MetricFamily(name)
                let all = counters.total(source)
                family.addHistogram(
                    buckets: all.counts.enumerated().map {
                        (bound: DistributionSnapshot.upperBound($0.offset), count: $0.element)
                    }, sum: Double(all.sumNanoseconds) / 1e9)
                return family
            }
    }

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

    /// Sums over all workers, by the value of the metric's label; "" where it has none. A test
    /// checks that no counter is missing.
    private static let counted: KeyValuePairs<String, KeyValuePairs<String, Counter>> = [
        "aasa_connections_accepted_total": ["": .connectionsAccepted],
        "aasa_proxy_headers_total": [
            "client": .proxyHeadersClient, "unknown": .proxyHeadersUnknown,
            "front": .proxyHeadersLocal,
        ],
        "aasa_handshakes_started_total": ["": .handshakesStarted],
        "aasa_handshakes_total": ["1.2": .handshakesTLS12, "1.3": .handshakesTLS13],
        "aasa_handshakes_resumed_total": ["": .handshakesResumed],
        "aasa_handshakes_spared_total": ["": .handshakesAvoided],
        "aasa_handshakes_wasted_total": ["": .handshakesAbandoned],
        "aasa_ephemeral_keys_reserved": ["": .keysReserved],
        "aasa_ephemeral_keys_taken_total": ["": .keysTaken],
        "aasa_requests_total": ["http/1.1": .requestsHTTP1, "h2": .requestsHTTP2],
        "aasa_answers_total": [
            "document": .answersDocument, "sibling": .answersSibling,
            "not_found": .answersNotFound, "bad_request": .answersBadRequest,
        ],
        "aasa_unavailable_total": [
            "document": .shedDocument, "egress": .shedEgress, "memory": .shedMemory,
            "budget": .shedBudget, "age": .shedAge, "draining": .shedDraining,
            "request": .shedRequest,
        ],
        "aasa_answer_bytes_total": ["": .bytesAnswered],
        "aasa_received_bytes_total": ["": .bytesReceived],
        "aasa_sent_bytes_total": ["": .bytesSent],
        "aasa_accept_pauses_total": ["": .acceptPauses],
        "aasa_memory_pauses_total": ["": .memoryPauses],
        "aasa_accept_aborts_total": ["": .acceptAborts],
    ]

    /// Counters that have a sample for each worker; those of seconds count nanoseconds.
    private static let ofEachWorker: KeyValuePairs<String, Counter> = [
        "aasa_loop_turns_total": .turns, "aasa_loop_busy_seconds_total": .busyNanoseconds,
        "aasa_idle_while_waiting_seconds_total": .idleWhileWaitingNanoseconds,
        "aasa_loop_pauses_total": .latePauses,
    ]

    private static let durations: KeyValuePairs<String, Distribution> = [
        "aasa_handshake_duration_seconds": .handshakeTime,
        "aasa_answer_duration_seconds": .answerTime,
        "aasa_waiting_duration_seconds": .waitingTime, "aasa_turn_duration_seconds": .turnTime,
    ]
}
