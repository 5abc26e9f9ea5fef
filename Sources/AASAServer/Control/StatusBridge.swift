import Reactor
import Synchronization

/// Shows the running endpoint to the admin side: reads what other threads write, never waits.
package final class StatusBridge: Sendable {
    private let publisher: SnapshotPublisher
    private let reloader: Reloader
    private let counters: ServerCounters
    private let connectionsMaximum: Int
    private let keeper: StateKeeper
    private let monitor: Monitor
    private let accessLog: AccessLog?
    private let messages: LogSink?
    private let version: String
    private let renewals: @Sendable () -> StatusReport.Renewals?
    private let fleet: @Sendable () -> StatusReport.Fleet?
    private let started: Int64
    private let draining = Atomic(false)

    package init(
        publisher: SnapshotPublisher, reloader: Reloader, counters: ServerCounters,
        connectionsMaximum: Int, keeper: StateKeeper, monitor: Monitor,
        accessLog: AccessLog? = nil, messages: LogSink? = nil, version: String,
        renewals: @escaping @Sendable () -> StatusReport.Renewals? = { nil },
        fleet: @escaping @Sendable () -> StatusReport.Fleet? = { nil }
    ) {
        self.renewals = renewals
        self.fleet = fleet
        self.publisher = publisher
        self.reloader = reloader
        self.counters = counters
        self.connectionsMaximum = connectionsMaximum
        self.keeper = keeper
        self.monitor = monitor
        self.accessLog = accessLog
        self.messages = messages
        self.version = version
        started = WallClock.seconds
    }

    /// From now on `/readyz` says no.
    package func drainBegins() { draining.store(true, ordering: .releasing) }

    package var source: ServerStatus {
        ServerStatus(
            version: version, started: started, counters: counters,
            connectionsMaximum: connectionsMaximum, snapshot: { self.publisher.latest.snapshot },
            phase: { self.draining.load(ordering: .acquiring) ? .draining : .serving },
            reloads: {
                let tally = self.reloader.tally
                var reloads = StatusReport.Reloads()
                reloads.succeeded = tally.succeeded
                reloads.failed = tally.failed
                reloads.problem = tally.problem(at: .now())
                return reloads
            },
            view: { self.monitor.current },
            renewals: renewals,
            stateProblem: { self.keeper.problem?.description },
            accessLogProblem: { self.accessLog?.problem },
            lostLines: {
                StatusReport.LostLines(
                    messages: self.messages?.lostWrites ?? 0,
                    access: self.accessLog?.lostLines ?? 0)
            },
            fleet: fleet)
    }
}
