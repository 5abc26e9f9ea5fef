import AASAServer
import TestSupport

/// What the fuzzers that share `TestEndpoint` do not need.
extension TestEndpoint {
    /// Whether the reason was counted in the end, at least so often.
    func closes(_ reason: CloseReason, _ count: UInt64 = 1) -> Bool {
        eventually { server.counters.totalCloses(reason) >= count }
    }
}
