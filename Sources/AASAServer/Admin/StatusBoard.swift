import Reactor

/// The one status of a process, from its start to its end. Each part writes its own section; what
/// changes with every client (counters, the snapshot that is served) is read when a client asks.
/// No thread waits for another: the lock is held for a copy.
package final class StatusBoard: Sendable {
    /// What is read when a report is made.
    package struct Sources: Sendable {
        package var counters = ServerCounters(workers: [])
        /// Over all workers.
        package var connectionsMaximum = 0
        package var publisher: SnapshotPublisher?
        /// A front on this machine ends TLS, so that a host needs no certificate.
        package var hasPlainListener = false
        package var keeper: StateKeeper?
        package var accessLog: AccessLog?
        /// Where the messages of the log go.
        package var messages: LogSink?
        var adminTokenFile: String?
    }

    package let version: String
    private let sections: Lock<StatusReport>
    private let sources = Lock(Sources())

    /// - Parameter started: seconds since 1970.
    package init(version: String, started: Int64 = WallClock.seconds) {
        self.version = version
        sections = Lock(StatusReport(version: version, now: started, started: started))
    }

    /// Changes the section of the part that calls.
    package func write(_ change: @Sendable (inout StatusReport) -> Void) {
        sections.withLock { change(&$0) }
    }

    /// Sets what is read for each report.
    package func read(_ wanted: Sources) { sources.withLock { $0 = wanted } }

    package var phase: StatusReport.Phase { sections.withLock { $0.phase } }
    /// A whole report reads files; this does not.
    var vanished: [String: Int64] { sections.withLock { $0.vanished } }

    /// The status at this moment.
    ///
    /// - Parameter now: seconds since 1970.
    package func report(now: Int64 = WallClock.seconds) -> StatusReport {
        var report = sections.withLock { $0 }
        let sources = sources.withLock { $0 }
        report.now = now
        report.reloads.problem = report.reloads.problem(at: .now())
        report.stateProblem = sources.keeper?.problem
        report.fileProblems = [
            sources.accessLog?.problem, sources.messages?.reopenFailure,
            sources.accessLog?.sink.reopenFailure,
            sources.adminTokenFile.flatMap(AdminTokenFile.problem),
        ].compactMap { $0 }
        report.lostMessages = sources.messages?.lostWrites ?? 0
        report.lostAccessLines = sources.accessLog?.lostLines ?? 0
        report.counters = sources.counters
        report.workers = sources.counters.workers.count
        report.connections = StatusReport.Connections(
            sources.counters, limit: sources.connectionsMaximum)
        report.traffic = StatusReport.Traffic(sources.counters)
        if let snapshot = sources.publisher?.latest.snapshot {
            report.generation = snapshot.generation
            report.certificates = snapshot.certificates
            report.strays = snapshot.hosts.filter(\.facts.isStray).map(\.name)
            report.hosts = Self.hosts(snapshot, isPlain: sources.hasPlainListener)
        }
        return report
    }

    private static func hosts(_ snapshot: Snapshot, isPlain: Bool) -> [StatusReport.Host] {
        let folders = Set(snapshot.certificates.map(\.folder))
        let names = Set(snapshot.certificates.flatMap(\.names).map { $0.lowercased() })
        func covers(_ name: String) -> Bool {
            let parent = name.split(separator: ".").dropFirst().joined(separator: ".")
            return isPlain || names.contains(name) || names.contains("*.\(parent)")
        }
        return snapshot.hosts.filter { !$0.facts.isStray }.map { served in
            var host = StatusReport.Host(
                name: served.name, aliases: served.aliases, facts: served.facts,
                answers: served.counters.values)
            if served.association.counts == .unavailable { host.hasDocument = false }
            host.hasCertificate =
                folders.contains(served.certificateFolder) || covers(served.name)
            host.bareAliases = served.aliases.filter { !covers($0) }
            return host
        }
    }

    /// Takes a sample of the load, for the monitor.
    ///
    /// - Parameter now: seconds since 1970.
    func sample(now: Int64) -> LoadMonitor {
        let sources = sources.withLock { $0 }
        let counters = sources.counters
        let waited = counters.total(.waitingTime)
        // The default is a worker per processor; more workers than cores share the cores.
        let processors = min(counters.workers.count, ProcessLimits.processorCount)
        let sample = LoadSample(
            time: Double(MonotonicInstant.now().nanoseconds) / 1e9,
            traffic: StatusReport.Traffic(counters),
            connections: StatusReport.Connections(counters, limit: sources.connectionsMaximum),
            waitedSeconds: Double(waited.sumNanoseconds) / 1e9, waitedCount: waited.count,
            acceptPauses: counters.total(.acceptPauses),
            memoryPauses: counters.total(.memoryPauses), processors: max(1, processors),
            machine: .now())
        return sections.withLock { report in
            report.load.take(sample, now: now)
            return report.load
        }
    }
}

extension StatusReport.Connections {
    /// Each worker sets its gauges one after the other and at its own time, so the gauges may
    /// contradict each other. A waiting connection is open, so `open` is at least `waiting`.
    init(_ counters: ServerCounters, limit: Int) {
        waiting = counters.total(.connectionsWaiting)
        open = max(counters.total(.connectionsOpen), waiting)
        self.limit = UInt64(max(0, limit))
    }
}

extension StatusReport.Traffic {
    init(_ counters: ServerCounters) {
        accepted = counters.total(.connectionsAccepted)
        handshakes = counters.total(.handshakesTLS12) &+ counters.total(.handshakesTLS13)
        answered = counters.total(.answersDocument) &+ counters.total(.answersSibling)
        other = counters.total(.answersNotFound) &+ counters.total(.answersBadRequest)
        shedByCause = [
            "link": counters.total(.shedEgress), "memory": counters.total(.shedMemory),
            "budget": counters.total(.shedBudget), "age": counters.total(.shedAge),
        ].filter { $0.value > 0 }
        unavailable =
            shed &+ counters.total(.shedDocument) &+ counters.total(.shedDraining)
            &+ counters.total(.shedRequest)
        for reason in CloseReason.allCases {
            let count = counters.totalCloses(reason)
            switch reason.meaning {
            case .served: served &+= count
            case .left: gaveUp &+= count
            case .cut: if count > 0 { cutByReason[reason.label] = count }
            case .fault: break
            }
        }
        bytesSent = counters.total(.bytesSent)
        processorSeconds = CurrentProcess.processorSeconds
        residentBytes = UInt64(CurrentProcess.residentBytes)
    }
}
