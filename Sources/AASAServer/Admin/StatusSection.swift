package import AppSiteAssociation

/// A part's own section of the status: what runs beside the server (renewals of certificates, the
/// agent of a fleet) owns its facts, and says how they are shown.
package protocol StatusSection: Sendable {
    /// The section in `status.json`.
    var json: JSONValue { get }
    var metrics: [MetricFamily] { get }
    /// What needs a person's attention, the worst first.
    func problems(in report: StatusReport) -> [Health.Reason]
    /// The section in `aasa status`.
    func lines(now: Int64) -> [String]
}
