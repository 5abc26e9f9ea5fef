import Synchronization

/// What one host answered since the process started. Carried by name from snapshot to snapshot, so
/// a reload loses nothing. Written by all workers (relaxed: the values are read for display only,
/// nothing is decided by them), read by the admin side.
///
/// One object of its own allocation per host: two hosts do not share a cache line by design, two
/// workers that answer for the same host do (one atomic add per answer, ~20 ns at worst, against a
/// handshake of ~300 µs).
package final class HostCounters: Sendable {
    package let host: String
    private let json = Atomic<UInt64>(0)
    private let signed = Atomic<UInt64>(0)
    private let sibling = Atomic<UInt64>(0)
    private let notFound = Atomic<UInt64>(0)
    private let unavailable = Atomic<UInt64>(0)

    package init(host: String) { self.host = host }

    /// What kind of answer was given.
    package enum Answer: CaseIterable, Sendable {
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

    package func count(_ answer: Answer) {
        switch answer {
        case .json: json.wrappingAdd(1, ordering: .relaxed)
        case .signed: signed.wrappingAdd(1, ordering: .relaxed)
        case .sibling: sibling.wrappingAdd(1, ordering: .relaxed)
        case .notFound: notFound.wrappingAdd(1, ordering: .relaxed)
        case .unavailable: unavailable.wrappingAdd(1, ordering: .relaxed)
        }
    }

    package func value(_ answer: Answer) -> UInt64 {
        switch answer {
        case .json: json.load(ordering: .relaxed)
        case .signed: signed.load(ordering: .relaxed)
        case .sibling: sibling.load(ordering: .relaxed)
        case .notFound: notFound.load(ordering: .relaxed)
        case .unavailable: unavailable.load(ordering: .relaxed)
        }
    }
}
