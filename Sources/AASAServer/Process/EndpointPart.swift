package import Reactor

/// A part that runs beside the endpoint while it serves: renewals of certificates, the agent of a
/// fleet. It writes its own section of the status.
package protocol EndpointPart: Sendable {
    /// Called after privileges were dropped, before the first client is accepted.
    ///
    /// - Throws: a problem that the operator has to fix first.
    func prepare() throws(Problem)
    /// Called when everything runs.
    ///
    /// - Parameter publisher: has what is served.
    func start(beside reloader: Reloader, _ publisher: SnapshotPublisher) throws(SystemError)
    /// Called after each publication.
    func publicationChanged()
    func stop()
}
