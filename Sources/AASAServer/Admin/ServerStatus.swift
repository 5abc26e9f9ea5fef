import Reactor

/// The running server as the admin side sees it. Reads counters and the current snapshot; never
/// writes, never waits.
package struct ServerStatus: StatusSource {
    package let version: String
    /// Seconds since 1970.
    package let started: Int64
    package let counters: ServerCounters
    /// Over all workers.
    package let connectionsMaximum: Int
    package let snapshot: @Sendable () -> Snapshot?
    package let phase: @Sendable () -> StatusReport.Phase
    package let reloads: @Sendable () -> StatusReport.Reloads
    /// History and load, as of the monitor's last sample.
    package let look: @Sendable () -> Monitor.View
    package let renewals: @Sendable () -> StatusReport.Renewals?
    /// Why the last good state cannot be kept.
    package let stateProblem: @Sendable () -> String?
    /// Why lines of the access log are lost.
    package let accessLogProblem: @Sendable () -> String?
    package let lostLines: @Sendable () -> StatusReport.LostLines
    package let fleet: @Sendable () -> StatusReport.Fleet?

    package init(
        version: String, started: Int64, counters: ServerCounters, connectionsMaximum: Int,
        snapshot: @escaping @Sendable () -> Snapshot?,
        phase: @escaping @Sendable () -> StatusReport.Phase,
        reloads: @escaping @Sendable () -> StatusReport.Reloads,
        view look: @escaping @Sendable () -> Monitor.View = { Monitor.View() },
        renewals: @escaping @Sendable () -> StatusReport.Renewals? = { nil },
        stateProblem: @escaping @Sendable () -> String? = { nil },
        accessLogProblem: @escaping @Sendable () -> String? = { nil },
        lostLines: @escaping @Sendable () -> StatusReport.LostLines = { StatusReport.LostLines() },
        fleet: @escaping @Sendable () -> StatusReport.Fleet? = { nil }
    ) {
        self.version = version
        self.started = started
        self.counters = counters
        self.connectionsMaximum = connectionsMaximum
        self.snapshot = snapshot
        self.phase = phase
        self.reloads = reloads
        self.look = look
        self.renewals = renewals
        self.stateProblem = stateProblem
        self.accessLogProblem = accessLogProblem
        self.lostLines = lostLines
        self.fleet = fleet
    }

    package func report(now: Int64) -> StatusReport {
        var report = StatusReport(version: version, now: now, started: started)
        report.phase = phase()
        report.workers = counters.workers.count
        report.reloads = reloads()
        report.renewals = renewals()
        report.stateProblem = stateProblem()
        report.accessLogProblem = accessLogProblem()
        report.lostLines = lostLines()
        report.fleet = fleet()
        report.connections = connections
        report.traffic = StatusReport.Traffic(counters)
        if let snapshot = snapshot() {
            report.generation = snapshot.generation
            report.certificates = snapshot.certificates
            report.hosts = snapshot.hosts.map(StatusReport.Host.init)
        }
        return report
    }

    package func view() -> Monitor.View { look() }

    /// Each worker sets its gauges one after the other and at its own time, so the gauges may
    /// contradict each other. A waiting connection is open, so `open` is at least `waiting`.
    package var connections: StatusReport.Connections {
        var connections = StatusReport.Connections()
        connections.waiting = counters.total(.connectionsWaiting)
        connections.open = max(counters.total(.connectionsOpen), connections.waiting)
        connections.limit = UInt64(max(0, connectionsMaximum))
        return connections
    }

    /// - Parameter time: in seconds, from a clock that never steps back.
    package func loadSample(time: Double) -> LoadSample {
        // The default is a worker per processor; more workers than cores share the cores.
        let processors = min(counters.workers.count, ProcessLimits.processorCount)
        return LoadSample(
            time: time, counters: counters, limit: connectionsMaximum, processors: processors)
    }

    package func metrics(_ report: StatusReport, _ health: Health) -> [MetricFamily] {
        ServerMetrics.traffic(counters) + ServerMetrics.site(report)
            + ServerMetrics.process(report, health) + ServerMetrics.load(view().load)
            + ServerMetrics.fleet(report)
    }
}

extension StatusReport.Traffic {
    init(_ counters: ServerCounters) {
        accepted = counters.total(.connectionsAccepted)
        handshakes = counters.total(.handshakesTLS12) &+ counters.total(.handshakesTLS13)
        answered = counters.total(.answersDocument) &+ counters.total(.answersSibling)
        other = counters.total(.answersNotFound) &+ counters.total(.answersBadRequest)
        shed =
            counters.total(.shedEgress) &+ counters.total(.shedMemory)
            &+ counters.total(.shedBudget) &+ counters.total(.shedAge)
        unavailable =
            shed &+ counters.total(.shedDocument) &+ counters.total(.shedDraining)
            &+ counters.total(.shedRequest)
        gaveUp =
            counters.totalCloses(.leftWhileWaiting) &+ counters.totalCloses(.handshakeAbandoned)
            &+ counters.totalCloses(.leftBeforeAnswer)
        cut = CloseReason.allCases.filter { $0.meaning == .cut }
            .reduce(0) { $0 &+ counters.totalCloses($1) }
        bytesSent = counters.total(.bytesSent)
        processorSeconds = CurrentProcess.processorSeconds
        residentBytes = UInt64(CurrentProcess.residentBytes)
    }
}

extension StatusReport.Host {
    init(_ host: ServedHost) {
        self.init(name: host.name, facts: host.facts)
        aliases = host.aliases
        if case .unavailable = host.association { isAvailable = false }
        answers.json = host.counters.value(.json)
        answers.signed = host.counters.value(.signed)
        answers.sibling = host.counters.value(.sibling)
        answers.notFound = host.counters.value(.notFound)
        answers.unavailable = host.counters.value(.unavailable)
    }
}
