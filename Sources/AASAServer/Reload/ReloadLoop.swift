import Logging
import Reactor

/// The body of the reloader's thread: waits for orders, changes, polls and certificate deadlines,
/// asks the state machine, loads, publishes, and reports.
struct ReloadLoop {
    private var loader: SiteLoader
    private let publisher: SnapshotPublisher
    private let pollInterval: Duration
    private let log: Logger
    private let around: @Sendable (ReloadPhase) -> Void
    private var machine = ReloadStateMachine()
    private var fingerprint: FolderFingerprint
    private var stages: [CertificateLife] = []
    /// Of the last load.
    private var outcome = ReloadOutcome()
    /// The losses that were logged, or told to who asked, and when. An order confirms those that
    /// were reported before it, and no others.
    private var reported: [Loss: MonotonicInstant] = [:]
    /// The previous publication, kept until the next load. Its last reference is released on this
    /// thread, so that no worker has to free thousands of TLS contexts.
    private var outgoing: Publication?
    private let reporter: LoadReporter
    private let keeper: StateKeeper
    /// The last logged problem of the state folder.
    private var stateProblem: Problem?
    /// When writing the state is tried again.
    private var stateDueAt: MonotonicInstant?

    init(
        loader: SiteLoader, publisher: SnapshotPublisher, pollInterval: Duration,
        keeper: StateKeeper, log: Logger, around: @escaping @Sendable (ReloadPhase) -> Void
    ) {
        self.loader = loader
        self.publisher = publisher
        self.pollInterval = pollInterval
        self.keeper = keeper
        self.log = log
        self.around = around
        reporter = LoadReporter(log: log)
        // As of the first load, not as of now: otherwise a change in between would be missed.
        fingerprint = loader.fingerprint
        stages = loader.lifeStages(now: Self.unixTime)
        noteReported()
    }

    private static var unixTime: Int64 { WallClock.seconds }

    /// Runs until `mustReload` returns nil.
    mutating func run(
        watches: Bool, wakeup: Wakeup,
        mustReload: () -> Reloader.Orders?, board: StatusBoard
    ) {
        board.write { $0.reloads.busySince = .now() }
        defer { board.write { $0.reloads.busySince = nil } }
        var watcher = FolderWatch(isOn: watches, roots: loader.roots, log: log)
        watcher.watch(fingerprint.folders)
        if FolderFingerprint(of: loader.roots) != fingerprint {
            _ = machine.changeNoticed(now: .now())
        }
        publishState(board)
        var pollAt = MonotonicInstant.now() + pollInterval
        while true {
            let deadline = min(
                machine.deadline ?? .distantFuture, stateDueAt ?? .distantFuture, pollAt)
            board.write { $0.reloads.busySince = nil }
            let changed = watcher.wait(beside: wakeup.descriptor, until: deadline)
            board.write { $0.reloads.busySince = .now() }
            guard let orders = mustReload() else { return }
            let now = MonotonicInstant.now()
            var actions = [machine.loadAsked(for: orders.causes, now: now)]
            if changed { actions.append(machine.changeNoticed(now: now)) }
            actions.append(machine.deadlinePassed(now: now))
            if now >= pollAt {
                pollAt = now + pollInterval
                actions += poll(now)
            }
            if let due = stateDueAt, now >= due { tellState(keeper.write()) }
            for case .load(let cause) in actions {
                load(cause, board, orderedAt: orders.orderedAt)
                watcher.watch(fingerprint.folders)
            }
            outcome.stateProblem = keeper.problem
            for reply in orders.replies { reply(outcome) }
        }
    }

    private mutating func noteReported() {
        reported = Dictionary(
            uniqueKeysWithValues: loader.losses.map { ($0, reported[$0] ?? .now()) })
    }

    // MARK: State

    /// A predecessor that drains releases the folder as soon as this process serves.
    private static let busyStateInterval: Duration = .milliseconds(500)
    /// A full disk needs a person, so a new try is rarely worth it.
    private static let brokenStateInterval: Duration = .seconds(30)

    private mutating func publishState(_ board: StatusBoard) {
        board.write { [vanished = loader.vanished] in $0.vanished = vanished }
        tellState(keeper.keep(loader.kept))
    }

    /// Logs a problem of the state folder once, and its end once.
    private mutating func tellState(_ problem: Problem?) {
        if keeper.takeLoss() {
            let end = problem == nil ? "; it exists again, with the state" : ""
            log.error("state: the folder was removed or replaced\(end)")
        }
        stateDueAt = problem.map {
            .now() + ($0.isBusy ? Self.busyStateInterval : Self.brokenStateInterval)
        }
        // A folder that a predecessor is about to release is not reported.
        let problem = keeper.problem
        defer { stateProblem = problem }
        if problem == stateProblem { return }
        guard let problem else {
            log.notice("state: the last good version is stored on disk again")
            return
        }
        log.error(
            "state: \(problem); a restart may serve less",
            metadata: problem.metadata)
    }

    private mutating func poll(_ now: MonotonicInstant) -> [ReloadStateMachine.Action] {
        if loader.rotateTicketKey(now: now.wholeSeconds) {
            log.info("the key of session tickets was replaced")
        }
        // What has failed is tried again at its own pace.
        if stateDueAt == nil { tellState(keeper.write()) }
        var actions: [ReloadStateMachine.Action] = []
        if FolderFingerprint(of: loader.roots) != fingerprint {
            actions.append(machine.due(.poll, now: now))
        }
        if loader.lifeStages(now: Self.unixTime) != stages {
            actions.append(machine.due(.certificates, now: now))
        }
        return actions
    }

    private mutating func load(
        _ cause: ReloadStateMachine.Cause, _ board: StatusBoard, orderedAt: MonotonicInstant
    ) {
        around(.begins)
        defer { around(.ended) }
        let began = MonotonicInstant.now()
        let previous = publisher.latest
        do throws(Problem) {
            var (publication, report) = try loader.load(
                now: Self.unixTime,
                confirmed: cause == .order
                    ? Set(reported.filter { $0.value < orderedAt }.keys) : nil)
            report.duration = .now() - began
            publisher.publish(publication)
            outgoing = previous
            publishState(board)
            outcome = ReloadOutcome(
                generation: publication.snapshot.generation, report: report)
            finish(hasErrors: report.hasErrors, board) { reporter, verdict in
                reporter.tell(report, publication.snapshot, cause, verdict)
                return report.errors.first
            }
        } catch {
            outcome = ReloadOutcome(
                generation: previous.snapshot.generation, failure: error)
            finish(hasErrors: true, board) { reporter, verdict in
                reporter.tell(error, cause, verdict)
                return (error.description, error.remedy)
            }
        }
        stages = loader.lifeStages(now: Self.unixTime)
    }

    private mutating func finish(
        hasErrors: Bool, _ board: StatusBoard,
        tell: (LoadReporter, ReloadStateMachine.Verdict) -> (text: String, fix: String?)?
    ) {
        let now = MonotonicInstant.now()
        fingerprint = FolderFingerprint(of: loader.roots)
        // The folders changed during the load: part of what was read may be old.
        if fingerprint != loader.fingerprint { _ = machine.changeNoticed(now: now) }
        let verdict = machine.loadFinished(hasErrors: hasErrors, now: now)
        let problem = tell(reporter, verdict)
        if verdict == .preliminary { return }
        noteReported()
        board.write {
            if hasErrors { $0.reloads.failed += 1 } else { $0.reloads.succeeded += 1 }
            $0.reloads.problem = problem?.text
            $0.reloads.fix = problem?.fix
        }
    }
}
