package import Reactor

/// A part that runs beside the endpoint while it serves, and is notified when the publication
/// changes: renewals of certificates.
package protocol EndpointService: Sendable {
    /// Called after privileges were dropped, before the first client is accepted.
    ///
    /// - Throws: a problem that the operator has to fix first.
    func prepare() throws(Problem)
    /// Called when everything runs.
    func start(beside endpoint: RunningEndpoint) throws(SystemError)
    /// A publication was made.
    func publicationChanged()
    /// The companion's state for the status page, `aasa status` and the metrics.
    var renewals: StatusReport.Renewals { get }
    func stop()
}

/// The part of the endpoint that a companion may use.
package struct RunningEndpoint: Sendable {
    package let snapshot: @Sendable () -> Snapshot
    /// Has a certificate that was installed served.
    package let certificateInstalled: @Sendable () -> Void
}
