/// The metrics of a server: names, units and sentences in one place.
package enum ServerMetrics {
    /// All metrics of a report.
    package static func all(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        traffic(report.counters) + site(report) + (report.renewals?.metrics ?? [])
            + process(report, health) + load(report.load) + (report.fleet?.metrics ?? [])
    }

    /// What the workers count.
    package static func traffic(_ counters: ServerCounters) -> [MetricFamily] {
        var families = Dictionary(
            uniqueKeysWithValues: CounterFamily.allCases.map { ($0, $0.empty) })
        for counter in Counter.allCases {
            let place = CounterFamily.place(of: counter)
            if place.family == .connections { continue }
            if place.family.isPerWorker {
                for (index, worker) in counters.workers.enumerated() {
                    families[place.family]?.add(
                        Double(worker.value(counter)) * place.family.unit,
                        place.labels + [(name: "worker", value: String(index))])
                }
            } else {
                families[place.family]?.add(
                    Double(counters.total(counter)) * place.family.unit, place.labels)
            }
        }
        families[.connections] = connections(counters)
        return CounterFamily.allCases.compactMap { families[$0] } + [closes(counters)]
            + Distribution.allCases.map { histogram($0, counters.total($0)) }
    }

    /// Each connection is in one state. The gauges are set one after the other and may contradict
    /// each other for a moment.
    private static func connections(_ counters: ServerCounters) -> MetricFamily {
        let open = counters.total(.connectionsOpen)
        let waiting = counters.total(.connectionsWaiting)
        let begun = counters.total(.handshakesInFlight)
        let silent = min(counters.total(.handshakesSilent), begun)
        var family = CounterFamily.connections.empty
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

/// The families that counters belong to, in the order they are shown.
enum CounterFamily: CaseIterable {
    case accepted, connections, proxyHeaders
    case handshakesStarted, handshakes, resumed, avoided, abandoned, keysReserved, keysTaken
    case requests, answers, unavailable, answerBytes, receivedBytes, sentBytes
    case acceptPauses, memoryPauses, acceptAborts, turns, busy, idleWhileWaiting, latePauses

    var isPerWorker: Bool {
        switch self {
        case .turns, .busy, .idleWhileWaiting, .latePauses: true
        default: false
        }
    }

    /// Factor from what is counted to the base unit of the name.
    var unit: Double {
        switch self {
        case .busy, .idleWhileWaiting: 1e-9
        default: 1
        }
    }

    var empty: MetricFamily {
        let (name, help) = text
        return MetricFamily(
            "aasa_\(name)",
            self == .connections || self == .keysReserved ? .gauge : .counter, help)
    }

    private var text: (name: String, help: String) {
        switch self {
        case .accepted: ("connections_accepted_total", "Connections accepted.")
        case .connections:
            ("connections", "Open connections by state; their sum is the total.")
        case .proxyHeaders:
            ("proxy_headers_total", "PROXY protocol headers, by the sender that they name.")
        case .handshakesStarted: ("handshakes_started_total", "TLS handshakes started.")
        case .handshakes: ("handshakes_total", "TLS handshakes completed, by version.")
        case .resumed: ("handshakes_resumed_total", "Completed handshakes that resumed a session.")
        case .avoided:
            ("handshakes_spared_total", "Handshakes not started because the client had left.")
        case .abandoned:
            ("handshakes_wasted_total", "Handshakes started for a client that left before the end.")
        case .keysReserved:
            ("ephemeral_keys_reserved", "Key pairs made in advance that no handshake has used yet.")
        case .keysTaken:
            ("ephemeral_keys_taken_total", "Key pairs made in advance that handshakes have used.")
        case .requests: ("requests_total", "Requests received, by protocol.")
        case .answers: ("answers_total", "Answers other than 503, by kind.")
        case .unavailable: ("unavailable_total", "Answers with status 503, by cause.")
        case .answerBytes: ("answer_bytes_total", "Plaintext bytes of answers, including heads.")
        case .receivedBytes: ("received_bytes_total", "Bytes received.")
        case .sentBytes: ("sent_bytes_total", "Bytes sent.")
        case .acceptPauses:
            (
                "accept_pauses_total",
                "Times that accepting paused because descriptors or memory ran out."
            )
        case .memoryPauses:
            ("memory_pauses_total", "Times that accepting paused because memory ran out.")
        case .acceptAborts:
            ("accept_aborts_total", "Connections that the client closed before they were accepted.")
        case .turns: ("loop_turns_total", "Turns of the event loop, by worker.")
        case .busy: ("loop_busy_seconds_total", "Time that the event loop worked, by worker.")
        case .idleWhileWaiting:
            (
                "idle_while_waiting_seconds_total",
                "Time that the event loop slept while a client waited; always 0."
            )
        case .latePauses:
            ("loop_pauses_total", "Times that the event loop could not run, by worker.")
        }
    }

    /// Exhaustive on purpose: a new counter does not compile until it has a family here.
    static func place(
        of counter: Counter
    ) -> (family: CounterFamily, labels: MetricFamily.Labels) {
        switch counter {
        case .connectionsAccepted: (.accepted, [])
        case .connectionsOpen, .connectionsWaiting, .handshakesInFlight, .handshakesSilent:
            (.connections, [])
        case .proxyHeadersClient: (.proxyHeaders, [(name: "sender", value: "client")])
        case .proxyHeadersUnknown: (.proxyHeaders, [(name: "sender", value: "unknown")])
        case .proxyHeadersLocal: (.proxyHeaders, [(name: "sender", value: "front")])
        case .handshakesStarted: (.handshakesStarted, [])
        case .handshakesTLS12: (.handshakes, [(name: "version", value: "1.2")])
        case .handshakesTLS13: (.handshakes, [(name: "version", value: "1.3")])
        case .handshakesResumed: (.resumed, [])
        case .handshakesAvoided: (.avoided, [])
        case .handshakesAbandoned: (.abandoned, [])
        case .keysReserved: (.keysReserved, [])
        case .keysTaken: (.keysTaken, [])
        case .requestsHTTP1: (.requests, [(name: "protocol", value: "http/1.1")])
        case .requestsHTTP2: (.requests, [(name: "protocol", value: "h2")])
        case .answersDocument: (.answers, [(name: "kind", value: "document")])
        case .answersSibling: (.answers, [(name: "kind", value: "sibling")])
        case .answersNotFound: (.answers, [(name: "kind", value: "not_found")])
        case .answersBadRequest: (.answers, [(name: "kind", value: "bad_request")])
        case .shedDocument: (.unavailable, [(name: "cause", value: "document")])
        case .shedEgress: (.unavailable, [(name: "cause", value: "egress")])
        case .shedMemory: (.unavailable, [(name: "cause", value: "memory")])
        case .shedBudget: (.unavailable, [(name: "cause", value: "budget")])
        case .shedAge: (.unavailable, [(name: "cause", value: "age")])
        case .shedDraining: (.unavailable, [(name: "cause", value: "draining")])
        case .shedRequest: (.unavailable, [(name: "cause", value: "request")])
        case .bytesAnswered: (.answerBytes, [])
        case .bytesReceived: (.receivedBytes, [])
        case .bytesSent: (.sentBytes, [])
        case .acceptPauses: (.acceptPauses, [])
        case .memoryPauses: (.memoryPauses, [])
        case .acceptAborts: (.acceptAborts, [])
        case .turns: (.turns, [])
        case .busyNanoseconds: (.busy, [])
        case .idleWhileWaitingNanoseconds: (.idleWhileWaiting, [])
        case .latePauses: (.latePauses, [])
        }
    }
}
