import Logging
import Reactor

/// The body of the reloader's thread: waits for orders, changes, polls and certificate deadlines,
/// asks the state machine, loads, publishes, and reports.
struct ReloadLoop {
    private(set) var loader: SiteLoader
    let publisher: SnapshotPublisher
    /// Gets the outcome of every load.
    let board: StatusBoard
    let pollInterval: Duration
    /// Whether the kernel reports changes, too.
    let watches: Bool
    /// Receives what is served after every load.
    let keeper: StateKeeper
    let log: Logger
    /// Called before and after a publication (`RELOADING=1`, `READY=1`).
    let around: @Sendable (ReloadPhase) -> Void
    private(set) var machine = ReloadStateMachine()
    /// The folders as of the last look, or of the last load if they have not changed since.
    private(set) var seen = FolderFingerprint(of: [])
    private(set) var stages: [CertificateLife] = []
    /// The losses that were logged, or told to who asked, and when. An order confirms those that
    /// were reported before it, and no others.
    private(set) var reported: [Loss: MonotonicInstant] = [:]
    /// The previous publication, kept until the next load. Its last reference is released on this
    /// thread, so that no worker has to free thousands of TLS contexts.
    private(set) var outgoing: Publication?
    /// The last logged problem of the state folder.
    private(set) var stateProblem: Problem?
    /// When writing the state is tried again.
    private(set) var stateDueAt: MonotonicInstant?

    /// Runs until `mustReload` returns nil.
    mutating func run(wakeup: Wakeup, mustReload: () -> [Reloader.Order]?) {
        board.write { $0.reloads.busySince = .now() }
        defer { board.write { $0.reloads.busySince = nil } }
        // As of the first load, not as of now: otherwise a change in between would be missed.
        seen = loader.fingerprint
        stages = loader.lifeStages(now: WallClock.seconds)
        noteReported()
        var watcher = FolderWatch(isOn: watches, roots: loader.roots, log: log)
        watcher.watch(seen.folders)
        look()
        publishState()
        var pollAt = MonotonicInstant.now() + pollInterval
        while true {
            let deadline = min(
                machine.deadline ?? .distantFuture, stateDueAt ?? .distantFuture, pollAt)
            board.write { $0.reloads.busySince = nil }
            let changed = watcher.wait(beside: wakeup.descriptor, until: deadline)
            board.write { $0.reloads.busySince = .now() }
            guard let orders = mustReload() else { return }
            var causes = Set(orders.map(\.cause))
            let now = MonotonicInstant.now()
            let isPoll = now >= pollAt
            if isPoll {
                pollAt = now + pollInterval
                if poll(now) { causes.insert(.certificates) }
            }
            // What is on the way to a folder may be new.
            if changed, machine.deadline == nil { watcher.watch(seen.folders) }
            if changed || isPoll || now >= machine.deadline ?? .distantFuture { look() }
            if let due = stateDueAt, now >= due { tellState(keeper.write()) }
            if let cause = machine.load(for: causes, now: now) {
                let orderedAt = orders.last { $0.cause == .order }?.time
                let outcome = ReloadOutcome(
                    load: load(cause, orderedAt: orderedAt), stateProblem: keeper.problem)
                watcher.watch(seen.folders)
                for order in orders { order.reply?(outcome) }
            }
        }
    }

    private mutating func look() {
        let found = FolderFingerprint(of: loader.roots)
        if found == seen { return }
        seen = found
        machine.changeNoticed(now: .now())
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

    private mutating func publishState() {
        board.write { [vanished = loader.vanished] in $0.vanished = vanished }
        tellState(keeper.keep(loader.kept))
    }

    /// Logs a problem of the state folder once, and its end once.
    private mutating func tellState(_ problem: Problem?) {
        if keeper.wasLost {
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

    /// - Returns: whether a certificate or a signature has reached an alarm or its end.
    private mutating func poll(_ now: MonotonicInstant) -> Bool {
        if loader.rotateTicketKey(now: now.wholeSeconds) {
            log.info("the key of session tickets was replaced")
        }
        // What has failed is tried again at its own pace.
        if stateDueAt == nil { tellState(keeper.write()) }
        return loader.lifeStages(now: WallClock.seconds) != stages
    }

    /// - Parameter orderedAt: when an operator asked last; nil: no operator did.
    private mutating func load(
        _ cause: ReloadStateMachine.Cause, orderedAt: MonotonicInstant?
    ) -> Result<LoadReport, Problem> {
        around(.begins)
        defer { around(.ended) }
        let began = MonotonicInstant.now()
        let previous = publisher.latest
        let result: Result<LoadReport, Problem>
        do throws(Problem) {
            var (publication, report) = try loader.load(
                now: WallClock.seconds,
                confirmed: orderedAt.map { time in
                    Set(reported.filter { $0.value < time }.keys)
                })
            report.duration = .now() - began
            publisher.publish(publication)
            outgoing = previous
            publishState()
            report.logReload(to: log, cause)
            note(report.errors.first)
            result = .success(report)
        } catch {
            error.logReload(to: log, cause)
            note((error.description, error.remedy))
            result = .failure(error)
        }
        stages = loader.lifeStages(now: WallClock.seconds)
        // What changed while it read may be missing from the load.
        seen = loader.fingerprint
        look()
        return result
    }

    private mutating func note(_ problem: (text: String, fix: String?)?) {
        noteReported()
        tell(problem)
        board.write {
            if problem != nil { $0.reloads.failed += 1 } else { $0.reloads.succeeded += 1 }
        }
    }

    /// Shows what the last load could not use; nil: it could use everything.
    func tell(_ problem: (text: String, fix: String?)?) {
        board.write {
            $0.reloads.problem = problem?.text
            $0.reloads.fix = problem?.fix
        }
    }
}
