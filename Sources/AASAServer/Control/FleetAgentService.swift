package import Reactor

/// The fleet's agent, which runs beside the endpoint while it serves.
package protocol FleetAgentService: Sendable {
    /// Called when everything runs, after privileges were dropped.
    func start(beside endpoint: FleetEndpoint) throws(SystemError)
    /// The agent's state for the status page, `aasa status` and the metrics.
    var report: StatusReport.Fleet { get }
    func stop()
}

/// The part of the endpoint that the agent may use.
package struct FleetEndpoint: Sendable {
    private let reloader: Reloader
    package let status: ServerStatus

    init(reloader: Reloader, status: ServerStatus) {
        self.reloader = reloader
        self.status = status
    }

    /// Reading 10,000 hosts takes seconds, so a load that takes longer than this means a disk that
    /// hangs.
    private static let reloadLimit: Duration = .seconds(120)

    /// Reads and publishes what is on disk now, and waits until it is done. Not for the thread of a
    /// worker.
    ///
    /// - Returns: nil if it took too long.
    package func reload() -> ReloadOutcome? {
        let outcome = Lock<ReloadOutcome?>(nil)
        guard let done = try? Wakeup() else { return nil }
        reloader.revisionMoved { result in
            outcome.withLock { $0 = result }
            done.signal()
        }
        let end = MonotonicInstant.now() + Self.reloadLimit
        while outcome.withLock({ $0 == nil }) {
            if MonotonicInstant.now() >= end { return nil }
            _ = Waiting.wait([.init(done.descriptor)], until: end)
        }
        return outcome.withLock { $0 }
    }
}
