package import Reactor

/// A part that runs beside the endpoint while it serves: renewals of certificates, the agent of a
/// fleet. It writes its own section of the status.
package protocol EndpointPart: Sendable {
    /// Called after privileges were dropped, before the first client is accepted.
    ///
    /// - Throws: a problem that the operator has to fix first.
    func prepare() throws(Problem)
    /// Called when everything runs.
    func start(beside endpoint: RunningEndpoint) throws(SystemError)
    /// Called after each publication.
    func publicationChanged()
    func stop()
}

/// The part of the endpoint that the parts beside it may use.
package struct RunningEndpoint: Sendable {
    let publisher: SnapshotPublisher
    let reloader: Reloader

    /// Reading 10,000 hosts takes seconds, so a load that takes longer than this means a disk that
    /// hangs.
    private static let reloadLimit: Duration = .seconds(120)

    /// What is served now.
    package var snapshot: Snapshot { publisher.latest.snapshot }

    /// Has a certificate that was installed served.
    package func certificateInstalled() { reloader.certificateInstalled() }

    /// Reads and publishes the revision that a fleet's agent has moved the link to, and waits until
    /// it is done. Not for the thread of a worker.
    ///
    /// - Returns: nil if it took too long.
    package func revisionMoved() -> ReloadOutcome? {
        guard let outcomes = try? Mailbox<ReloadOutcome>() else { return nil }
        reloader.revisionMoved { outcomes.put($0) }
        _ = Waiting.wait(
            [.init(outcomes.wakeup.descriptor)], until: .now() + Self.reloadLimit)
        return outcomes.take().first
    }
}
