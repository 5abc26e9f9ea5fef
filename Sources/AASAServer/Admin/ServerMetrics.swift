/// The metrics of a server: names, units and sentences in one place.
package enum ServerMetrics {
    /// All metrics of a report.
    package static func all(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        traffic(report.counters) + site(report) + (report.renewals?.metrics ?? [])
            + process(report, health) + load(report.load) + (report.fleet?.metrics ?? [])
    }

    /// What the workers count.
    package static func traffic(_ counters: ServerCounters) -> [MetricFamily] {
        CounterMetric.all.map { $0.family(counters) } + [connections(counters), closes(counters)]
            + Distribution.allCases.map { histogram($0, counters.total($0)) }
    }

    /// Each connection is in one state. The gauges are set one after the other and may contradict
    /// each other for a moment.
    private static func connections(_ counters: ServerCounters) -> MetricFamily {
        let open = counters.total(.connectionsOpen)
        let waiting = counters.total(.connectionsWaiting)
        let begun = counters.total(.handshakesInFlight)
        let silent = min(counters.total(.handshakesSilent), begun)
        var family = MetricFamily(
            "aasa_connections", .gauge, "Open connections by state; their sum is the total.")
        for (state, count) in [
            ("waiting", waiting), ("handshaking", begun - silent), ("handshaking_silent", silent),
            ("established", open > waiting + begun ? open - waiting - begun : 0),
        ] { family.add(Double(count), [(name: "state", value: state)]) }
        return family
    }

    private static func closes(_ counters: ServerCounters) -> MetricFamily {
        var family = MetricFamily(
            "aasa_connections_closed_total", .counter, "Connections closed, by reason.")
        for reason in CloseReason.allCases {
            family.add(
                Double(counters.totalCloses(reason)), [(name: "reason", value: reason.label)])
        }
        return family
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
}

/// A metric whose samples are counters. A test checks that no counter is missing.
private struct CounterMetric {
    /// Without `aasa_`.
    let name: String
    let help: String
    var kind = MetricFamily.Kind.counter
    /// The label that tells the counters of the metric apart.
    var label = ""
    /// The counters, by the value of the label.
    let counters: KeyValuePairs<String, Counter>
    var isPerWorker = false
    /// Factor from what is counted to the base unit of the name.
    var unit = 1.0

    func family(_ all: ServerCounters) -> MetricFamily {
        var family = MetricFamily("aasa_\(name)", kind, help)
        for (value, counter) in counters {
            let labels = label.isEmpty ? [] : [(name: label, value: value)]
            if isPerWorker {
                for (index, worker) in all.workers.enumerated() {
                    family.add(
                        Double(worker.value(counter)) * unit,
                        labels + [(name: "worker", value: String(index))])
                }
            } else {
                family.add(Double(all.total(counter)) * unit, labels)
            }
        }
        return family
    }

    private static func sum(
        _ name: String, _ help: String, _ counter: Counter
    ) -> CounterMetric { CounterMetric(name: name, help: help, counters: ["": counter]) }

    private static func loop(
        _ name: String, _ help: String, _ counter: Counter, unit: Double = 1
    ) -> CounterMetric {
        CounterMetric(
            name: name, help: help, counters: ["": counter], isPerWorker: true, unit: unit)
    }

    /// In the order they are shown.
    static let all: [CounterMetric] = [
        sum("connections_accepted_total", "Connections accepted.", .connectionsAccepted),
        CounterMetric(
            name: "proxy_headers_total",
            help: "PROXY protocol headers, by the sender that they name.", label: "sender",
            counters: [
                "client": .proxyHeadersClient, "unknown": .proxyHeadersUnknown,
                "front": .proxyHeadersLocal,
            ]),
        sum("handshakes_started_total", "TLS handshakes started.", .handshakesStarted),
        CounterMetric(
            name: "handshakes_total", help: "TLS handshakes completed, by version.",
            label: "version", counters: ["1.2": .handshakesTLS12, "1.3": .handshakesTLS13]),
        sum(
            "handshakes_resumed_total", "Completed handshakes that resumed a session.",
            .handshakesResumed),
        sum(
            "handshakes_spared_total", "Handshakes not started because the client had left.",
            .handshakesAvoided),
        sum(
            "handshakes_wasted_total",
            "Handshakes started for a client that left before the end.", .handshakesAbandoned),
        CounterMetric(
            name: "ephemeral_keys_reserved",
            help: "Key pairs made in advance that no handshake has used yet.", kind: .gauge,
            counters: ["": .keysReserved]),
        sum(
            "ephemeral_keys_taken_total", "Key pairs made in advance that handshakes have used.",
            .keysTaken),
        CounterMetric(
            name: "requests_total", help: "Requests received, by protocol.", label: "protocol",
            counters: ["http/1.1": .requestsHTTP1, "h2": .requestsHTTP2]),
        CounterMetric(
            name: "answers_total", help: "Answers other than 503, by kind.", label: "kind",
            counters: [
                "document": .answersDocument, "sibling": .answersSibling,
                "not_found": .answersNotFound, "bad_request": .answersBadRequest,
            ]),
        CounterMetric(
            name: "unavailable_total", help: "Answers with status 503, by cause.", label: "cause",
            counters: [
                "document": .shedDocument, "egress": .shedEgress, "memory": .shedMemory,
                "budget": .shedBudget, "age": .shedAge, "draining": .shedDraining,
                "request": .shedRequest,
            ]),
        sum(
            "answer_bytes_total", "Plaintext bytes of answers, including heads.", .bytesAnswered),
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
