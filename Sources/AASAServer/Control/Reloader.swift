package import Logging
package import Reactor

/// Runs loads on a thread of its own, when `ReloadStateMachine` decides so, and publishes the
/// results. Reading, linting, signing and making TLS contexts all happen here: no worker ever waits
/// for a disk or for a certificate.
package final class Reloader: Sendable {
    private enum Order {
        case load(ReloadStateMachine.Cause, Reply?)
        case stop
    }

    /// Called with the outcome of a reload, on the reloader's thread.
    package typealias Reply = @Sendable (ReloadOutcome) -> Void

    /// Results of the reloads, for the admin side.
    package struct Tally: Sendable, Equatable {
        package var succeeded: UInt64 = 0
        package var failed: UInt64 = 0
        /// Why the last load failed, or what it could not use; nil: all is well.
        package var problem: String?
        /// When the load, or the write of the state, began that is under way; nil: none is.
        package var busySince: MonotonicInstant?

        /// The largest sites are read in seconds.
        private static let busyMaximum: Duration = .seconds(60)

        /// As ``problem``; what does not come to its end is one, too.
        package func problem(at now: MonotonicInstant) -> String? {
            guard let busySince, now - busySince > Self.busyMaximum else { return problem }
            return "reading the folders or writing the state takes more than a minute by now: "
                + "does a disk answer no more?"
        }
    }

    private let orders = Lock<[Order]>([])
    private let wakeup: Wakeup
    private let tallyBox = Lock(Tally())
    private let thread = Lock<WorkerThread?>(nil)

    /// - Parameter first: what the load before the thread's start found.
    package init(first: LoadReport? = nil) throws(SystemError) {
        wakeup = try Wakeup()
        tallyBox.withLock { $0.problem = first?.firstError }
    }

    package var tally: Tally { tallyBox.withLock { $0 } }

    /// SIGHUP, and `aasa reload`, which waits for the outcome. Only for what an operator orders: it
    /// confirms the losses that were reported.
    package func reload(_ reply: Reply? = nil) { send(.load(.order, reply)) }

    /// A fleet's agent has moved the link to another revision, and waits for the outcome.
    package func revisionMoved(_ reply: @escaping Reply) { send(.load(.revision, reply)) }

    /// A certificate was installed, and is to be served.
    package func certificateInstalled() { send(.load(.certificates, nil)) }

    /// Ends the thread and waits for it.
    package func stop() {
        send(.stop)
        let ended = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        ended?.join()
    }

    private func send(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeup.signal()
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
                watches: watches, wakeup: self.wakeup,
                mustReload: { self.takeOrders() }, tally: { self.update($0) })
        }
        thread.withLock { $0 = started }
    }

    /// Nil: stop.
    private func takeOrders() -> (causes: Set<ReloadStateMachine.Cause>, replies: [Reply])? {
        wakeup.drain()
        let taken = orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
        var causes: Set<ReloadStateMachine.Cause> = []
        var replies: [Reply] = []
        for order in taken {
            switch order {
            case .stop: return nil
            case .load(let cause, let reply):
                causes.insert(cause)
                if let reply { replies.append(reply) }
            }
        }
        return (causes, replies)
    }

    private func update(_ change: (inout Tally) -> Void) { tallyBox.withLock { change(&$0) } }
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
