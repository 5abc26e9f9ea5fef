import Synchronization

/// What one host answered since the process started. The counters go by name from snapshot to
/// snapshot, so a reload loses nothing. All workers write them (relaxed: the values are only
/// displayed, no decision uses them), the admin side reads them.
///
/// Each host has an object of its own allocation, so two hosts share no cache line. Two workers
/// that answer for the same host do (one atomic add per answer, ~20 ns at worst, against a
/// handshake of ~300 µs).
package final class HostCounters: Sendable {
    package let host: String
    private let counts = InlineArray<5, Atomic<UInt64>> { _ in Atomic(0) }

    package init(host: String) { self.host = host }

    /// What kind of answer was given.
    package enum Answer: Int, CaseIterable, Sendable {
        /// 200, the document as JSON.
        case json
        /// 200, the document in its CMS form.
        case signed
        /// A sibling document, or the change-password redirect.
        case sibling
        case notFound
        /// 503, for whatever cause.
        case unavailable
    }

    /// How often each was given.
    package var values: [Answer: UInt64] {
        Dictionary(uniqueKeysWithValues: Answer.allCases.map { ($0, value($0)) })
    }

    package func count(_ answer: Answer) {
        counts[answer.rawValue].wrappingAdd(1, ordering: .relaxed)
    }

    package func value(_ answer: Answer) -> UInt64 {
        counts[answer.rawValue].load(ordering: .relaxed)
    }
}
