/// Where the admin side gets what it shows. Called from the admin thread only.
package protocol StatusSource: Sendable {
    /// The state of everything.
    ///
    /// - Parameter now: seconds since 1970.
    func report(now: Int64) -> StatusReport

    /// History and load, as of the last second.
    func view() -> Monitor.View

    /// All metrics that belong to the report.
    func metrics(_ report: StatusReport, _ health: Health) -> [MetricFamily]
}
