/// Something that a person should read about.
package enum RenewalEvent: Sendable {
    case begins(LineageID, why: String, authority: String, isResumed: Bool)
    case leavesOut(LineageID, [String])
    /// Moments in seconds since 1970.
    case issued(LineageID, until: Int64, renewal: Int64)
    case failed(LineageID, FailureAdvice, retry: Int64, failures: Int)
    case window(LineageID, RenewalInfo, hasMoved: Bool)
    case cannotSave(String)
}
