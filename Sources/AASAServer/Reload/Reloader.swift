package import Logging
package import Reactor

/// Runs loads on a thread of its own, when `ReloadStateMachine` decides so, and publishes the
/// results. Reading, linting, signing and making TLS contexts all happen here: no worker ever waits
/// for a disk or for a certificate.
package final class Reloader: Sendable {
    private enum Order {
        case load(ReloadStateMachine.Cause, Reply?, at: MonotonicInstant)
        case stop
    }

    /// Called with the outcome of a reload, on the reloader's thread.
    package typealias Reply = @Sendable (ReloadOutcome) -> Void

    private let orders: Mailbox<Order>
    private let board: StatusBoard
    private let thread = Lock<WorkerThread?>(nil)

    /// - Parameters:
    ///   - first: what the load before the thread's start found.
    ///   - board: gets the outcome of every load.
    package init(first: LoadReport? = nil, board: StatusBoard) throws(SystemError) {
        orders = try Mailbox()
        self.board = board
        let problem = first?.errors.first
        board.write {
            $0.reloads.problem = problem?.text
            $0.reloads.fix = problem?.fix
        }
    }

    /// SIGHUP, and `aasa reload`, which waits for the outcome. Only for what an operator orders: it
    /// confirms the losses that were reported.
    package func reload(_ reply: Reply? = nil) { load(.order, reply) }

    /// A fleet's agent has moved the link to another revision, and waits for the outcome.
    package func revisionMoved(_ reply: @escaping Reply) { load(.revision, reply) }

    /// A certificate was installed, and is to be served.
    package func certificateInstalled() { load(.certificates, nil) }

    private func load(_ cause: ReloadStateMachine.Cause, _ reply: Reply?) {
        orders.put(.load(cause, reply, at: .now()))
    }

    /// Ends the thread and waits for it.
    package func stop() {
        orders.put(.stop)
        thread.withLock { $0 }?.join()
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - loader: has loaded once; the thread owns it from here on.
    ///   - keeper: receives what is served after every load.
    ///   - around: called on the thread before and after a publication (`RELOADING=1`, `READY=1`).
    package func start(
        loader: SiteLoader, publisher: SnapshotPublisher, pollInterval: Duration,
        watches: Bool, keeper: StateKeeper = StateKeeper(path: nil), log: Logger,
        around: @escaping @Sendable (ReloadPhase) -> Void
    ) throws(SystemError) {
        let started = try WorkerThread(name: "aasa-reloader") {
            var loop = ReloadLoop(
                loader: loader, publisher: publisher, pollInterval: pollInterval,
                keeper: keeper, log: log, around: around)
            loop.run(
                watches: watches, wakeup: self.orders.wakeup,
                mustReload: { self.takeOrders() }, board: self.board)
        }
        thread.withLock { $0 = started }
    }

    /// What was asked for since the last turn.
    struct Orders {
        var causes: Set<ReloadStateMachine.Cause> = []
        var replies: [Reply] = []
        /// When an operator asked last.
        var orderedAt = MonotonicInstant(nanoseconds: 0)
    }

    /// Nil: stop.
    private func takeOrders() -> Orders? {
        var taken = Orders()
        for order in orders.take() {
            guard case .load(let cause, let reply, let time) = order else { return nil }
            taken.causes.insert(cause)
            if let reply { taken.replies.append(reply) }
            if cause == .order { taken.orderedAt = time }
        }
        return taken
    }
}

/// The outcome of a reload that was ordered.
package struct ReloadOutcome: Sendable {
    /// The generation that is served now.
    package var generation: UInt64 = 0
    /// Nil: nothing could be built.
    package var report: LoadReport?
    package var failure: Problem?
    /// Why what is served now cannot be kept for a restart; nil: it is kept, or `--state` is not
    /// set.
    package var stateProblem: Problem?
}

/// The moments that are reported to the service manager.
package enum ReloadPhase: Sendable { case begins, ended }
