package import Reactor

/// Runs loads on a thread of its own, when `ReloadStateMachine` decides so, and publishes the
/// results. Reading, linting, signing and making TLS contexts all happen here: no worker ever waits
/// for a disk or for a certificate.
package final class Reloader: Sendable {
    /// Called with the outcome of a reload, on the reloader's thread.
    package typealias Reply = @Sendable (ReloadOutcome) -> Void

    /// A load that is asked for, and when.
    struct Order {
        let cause: ReloadStateMachine.Cause
        let reply: Reply?
        var time = MonotonicInstant.now()
    }

    /// Reading 10,000 hosts takes seconds, so a load that takes longer than this means a disk that
    /// hangs.
    private static let revisionLimit: Duration = .seconds(120)

    /// Nil: stop.
    private let orders: Mailbox<Order?>
    private let thread = Lock<WorkerThread?>(nil)

    package init() throws(SystemError) { orders = try Mailbox() }

    /// SIGHUP, and `aasa reload`, which waits for the outcome. Only for what an operator orders: it
    /// confirms the losses that were reported.
    package func reload(_ reply: Reply? = nil) { load(.order, reply) }

    /// Reads and publishes the revision that a fleet's agent has moved the link to, and waits until
    /// it is done. Not for the thread of a worker.
    ///
    /// - Returns: nil if it took too long.
    package func revisionMoved() -> ReloadOutcome? {
        guard let outcomes = try? Mailbox<ReloadOutcome>() else { return nil }
        load(.revision) { outcomes.put($0) }
        _ = Waiting.wait(
            [.init(outcomes.wakeup.descriptor)], until: .now() + Self.revisionLimit)
        return outcomes.take().first
    }

    /// A certificate was installed, and is to be served.
    package func certificateInstalled() { load(.certificates, nil) }

    private func load(_ cause: ReloadStateMachine.Cause, _ reply: Reply?) {
        orders.put(Order(cause: cause, reply: reply))
    }

    /// Ends the thread and waits for it.
    package func stop() {
        orders.put(nil)
        thread.withLock { $0 }?.join()
    }

    /// Starts the thread, which owns the loop from here on.
    ///
    /// - Parameter first: what the load before the thread's start found.
    func start(_ loop: ReloadLoop, first: LoadReport? = nil) throws(SystemError) {
        loop.tell(first?.errors.first)
        let started = try WorkerThread(name: "aasa-reloader") {
            var loop = loop
            loop.run(wakeup: self.orders.wakeup, mustReload: self.takeOrders)
        }
        thread.withLock { $0 = started }
    }

    /// What was asked for since the last turn; nil: stop.
    private func takeOrders() -> [Order]? {
        let taken = orders.take()
        let wanted = taken.compactMap { $0 }
        return wanted.count == taken.count ? wanted : nil
    }
}

/// The outcome of a reload that was ordered.
package struct ReloadOutcome: Sendable {
    /// What the load found, or why nothing could be built.
    package let load: Result<LoadReport, Problem>
    /// Why what is served now cannot be kept for a restart; nil: it is kept, or `--state` is not
    /// set.
    var stateProblem: Problem?
}

/// The moments that are reported to the service manager.
package enum ReloadPhase: Sendable { case begins, ended }
