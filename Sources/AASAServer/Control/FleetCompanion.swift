package import Reactor

/// What follows a fleet beside the endpoint for as long as it serves.
package protocol FleetCompanion: Sendable {
    /// Called when everything runs, after privileges were dropped.
    func start(beside endpoint: FleetEndpoint) throws(SystemError)
    /// What the status page, `aasa status` and metrics show of it.
    var report: StatusReport.Fleet { get }
    func stop()
}

/// What a companion may ask of the endpoint.
package struct FleetEndpoint: Sendable {
    private let reloader: Reloader
    package let status: ServerStatus

    init(reloader: Reloader, status: ServerStatus) {
        self.reloader = reloader
        self.status = status
    }

    /// Reading 10,000 hosts takes seconds; a disk that hangs is told from one that is slow.
    private static let reloadLimit: Duration = .seconds(120)

    /// Reads and publishes what is on disk now, and waits for it. Not for a worker.
    ///
    /// - Returns: nil where it took too long.
    package func reload() -> ReloadOutcome? {
        let outcome = Lock<ReloadOutcome?>(nil)
        guard let done = try? Wakeup() else { return nil }
        reloader.reload { result in
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
