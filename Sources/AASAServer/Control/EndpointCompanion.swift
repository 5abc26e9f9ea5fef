package import Reactor

/// Something that runs beside the endpoint for as long as it serves, and is told when what is
/// served has changed: renewals of certificates.
package protocol EndpointCompanion: Sendable {
    /// Called after privileges were dropped, before the first client is accepted.
    ///
    /// - Throws: what an operator has to mend first.
    func prepare() throws(Problem)
    /// Called when everything runs.
    func start(beside endpoint: RunningEndpoint) throws(SystemError)
    /// A publication was made.
    func publicationChanged()
    /// What the status page, `aasa status` and metrics show of it.
    var renewals: StatusReport.Renewals { get }
    func stop()
}

/// What a companion may ask of the endpoint.
package struct RunningEndpoint: Sendable {
    package let snapshot: @Sendable () -> Snapshot
    /// Reads site and certificates anew, now.
    package let reload: @Sendable () -> Void
}
