/// The metrics of a server: names, units and sentences in one place.
package enum ServerMetrics {
    /// All metrics of a report.
    package static func all(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        traffic(report.counters) + site(report) + (report.renewals?.metrics ?? [])
            + process(report, health) + load(report.load) + (report.fleet?.metrics ?? [])
    }

    /// What the workers count.
    package static func traffic(_ counters: ServerCounters) -> [MetricFamily] {
        counted(counters) + [connections(counters), closes(counters)]
            + Distribution.allCases.map { histogram($0, counters.total($0)) }
    }

    /// Each connection is in one state. The gauges are set one after the other and may contradict
    /// each other for a moment.
    private static func connections(_ counters: ServerCounters) -> MetricFamily {
        let open = counters.total(.connectionsOpen)
        let waiting = counters.total(.connectionsWaiting)
        let begun = counters.total(.handshakesInFlight)
        let silent = min(counters.total(.handshakesSilent), begun)
        return MetricFamily(
            "aasa_connections", .gauge, "Open connections by state; their sum is the total.",
            by: "state",
            [
                ("waiting", Double(waiting)), ("handshaking", Double(begun - silent)),
                ("handshaking_silent", Double(silent)),
                ("established", open > waiting + begun ? Double(open - waiting - begun) : 0),
            ])
    }

    private static func closes(_ counters: ServerCounters) -> MetricFamily {
        MetricFamily(
            "aasa_connections_closed_total", .counter, "Connections closed, by reason.",
            by: "reason",
            CloseReason.allCases.map { ($0.label, Double(counters.totalCloses($0))) })
    }

    private static func histogram(
        _ distribution: Distribution, _ snapshot: DistributionSnapshot
    ) -> MetricFamily {
        let (name, help) = named(distribution)
        var family = MetricFamily("aasa_\(name)_duration_seconds", .histogram, help)
        let last = DistributionSnapshot.bucketCount - 1
        let buckets = (0..<last).map {
            (bound: DistributionSnapshot.upperBound($0), count: snapshot.counts[$0])
        }
        family.addHistogram(
            buckets: buckets, above: snapshot.counts[last],
            sum: Double(snapshot.sumNanoseconds) / 1e9)
        return family
    }

    private static func named(_ distribution: Distribution) -> (name: String, help: String) {
        switch distribution {
        case .handshakeTime:
            ("handshake", "Duration of a TLS handshake, without the wait before it.")
        case .answerTime:
            (
                "answer",
                "Time from a complete request head until the kernel has the answer's last byte."
            )
        case .waitingTime: ("waiting", "Time that a client waited before its handshake started.")
        case .turnTime: ("turn", "Duration of one turn of a worker's loop, without its wait.")
        }
    }

    /// What is counted, in the order it is shown. A test checks that no counter is missing.
    private static func counted(_ all: ServerCounters) -> [MetricFamily] {
        func labeled(
            _ name: String, _ help: String, by label: String,
            _ counters: KeyValuePairs<String, Counter>
        ) -> MetricFamily {
            MetricFamily(
                "aasa_\(name)", .counter, help, by: label,
                counters.map { ($0.key, Double(all.total($0.value))) })
        }
        func sum(
            _ name: String, _ help: String, _ counter: Counter,
            kind: MetricFamily.Kind = .counter
        ) -> MetricFamily {
            MetricFamily("aasa_\(name)", kind, help, value: Double(all.total(counter)))
        }
        /// - Parameter unit: factor from what is counted to the base unit of the name.
        func loop(
            _ name: String, _ help: String, _ counter: Counter, unit: Double = 1
        ) -> MetricFamily {
            MetricFamily(
                "aasa_\(name)", .counter, help, by: "worker",
                all.workers.enumerated().map {
                    (String($0.offset), Double($0.element.value(counter)) * unit)
                })
        }
        return [
            sum("connections_accepted_total", "Connections accepted.", .connectionsAccepted),
            labeled(
                "proxy_headers_total",
                "PROXY protocol headers, by the sender that they name.", by: "sender",
                [
                    "client": .proxyHeadersClient, "unknown": .proxyHeadersUnknown,
                    "front": .proxyHeadersLocal,
                ]),
            sum("handshakes_started_total", "TLS handshakes started.", .handshakesStarted),
            labeled(
                "handshakes_total", "TLS handshakes completed, by version.",
                by: "version", ["1.2": .handshakesTLS12, "1.3": .handshakesTLS13]),
            sum(
                "handshakes_resumed_total", "Completed handshakes that resumed a session.",
                .handshakesResumed),
            sum(
                "handshakes_spared_total", "Handshakes not started because the client had left.",
                .handshakesAvoided),
            sum(
                "handshakes_wasted_total",
                "Handshakes started for a client that left before the end.", .handshakesAbandoned),
            sum(
                "ephemeral_keys_reserved",
                "Key pairs made in advance that no handshake has used yet.", .keysReserved,
                kind: .gauge),
            sum(
                "ephemeral_keys_taken_total",
                "Key pairs made in advance that handshakes have used.",
                .keysTaken),
            labeled(
                "requests_total", "Requests received, by protocol.", by: "protocol",
                ["http/1.1": .requestsHTTP1, "h2": .requestsHTTP2]),
            labeled(
                "answers_total", "Answers other than 503, by kind.", by: "kind",
                [
                    "document": .answersDocument, "sibling": .answersSibling,
                    "not_found": .answersNotFound, "bad_request": .answersBadRequest,
                ]),
            labeled(
                "unavailable_total", "Answers with status 503, by cause.", by: "cause",
                [
                    "document": .shedDocument, "egress": .shedEgress, "memory": .shedMemory,
                    "budget": .shedBudget, "age": .shedAge, "draining": .shedDraining,
                    "request": .shedRequest,
                ]),
            sum(
                "answer_bytes_total", "Plaintext bytes of answers, including heads.", .bytesAnswered
            ),
            sum("received_bytes_total", "Bytes received.", .bytesReceived),
            sum("sent_bytes_total", "Bytes sent.", .bytesSent),
            sum(
                "accept_pauses_total",
                "Times that accepting paused because descriptors or memory ran out.", .acceptPauses),
            sum(
                "memory_pauses_total", "Times that accepting paused because memory ran out.",
                .memoryPauses),
            sum(
                "accept_aborts_total",
                "Connections that the client closed before they were accepted.", .acceptAborts),
            loop("loop_turns_total", "Turns of the event loop, by worker.", .turns),
            loop(
                "loop_busy_seconds_total", "Time that the event loop worked, by worker.",
                .busyNanoseconds, unit: 1e-9),
            loop(
                "idle_while_waiting_seconds_total",
                "Time that the event loop slept while a client waited; above 0 is a bug in aasa.",
                .idleWhileWaitingNanoseconds, unit: 1e-9),
            loop(
                "loop_pauses_total", "Times that the event loop could not run, by worker.",
                .latePauses),
        ]
    }
}
