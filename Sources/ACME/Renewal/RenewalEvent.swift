/// An event for the log.
package enum RenewalEvent: Sendable {
    case begins(LineageID, why: String, authority: String, isResumed: Bool)
    case leavesOut(LineageID, [String])
    /// Times in seconds since 1970.
    case issued(LineageID, until: Int64, renewal: Int64)
    case failed(LineageID, FailureAdvice, retry: Int64, failures: Int)
    case window(LineageID, RenewalInfo, hasMoved: Bool)
    case cannotSave(String)
}
