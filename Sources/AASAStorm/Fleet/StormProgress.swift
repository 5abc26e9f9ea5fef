import Synchronization

/// The progress of the generator threads, for display during the storm. Relaxed counters: each is
/// exact, but together they may be slightly inconsistent.
package final class StormProgress: Sendable {
    let started = Atomic<Int>(0)
    let associated = Atomic<Int>(0)
    let unavailable = Atomic<Int>(0)
    let denied = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    private let stopped = Atomic<Bool>(false)

    package init() {}

    /// Ends the storm soon: no new devices start, and waiting ones are abandoned.
    package func stop() { stopped.store(true, ordering: .relaxed) }
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func ended(_ outcome: DeviceOutcome) {
        switch outcome {
        case .associated: associated.add(1, ordering: .relaxed)
        case .willRetry: unavailable.add(1, ordering: .relaxed)
        case .denied: denied.add(1, ordering: .relaxed)
        case .failed: failed.add(1, ordering: .relaxed)
        }
    }

    /// One line for people.
    package func line(devices: Int, seconds: Double) -> String {
        let started = started.load(ordering: .relaxed)
        let associated = associated.load(ordering: .relaxed)
        let unavailable = unavailable.load(ordering: .relaxed)
        let denied = denied.load(ordering: .relaxed)
        let failed = failed.load(ordering: .relaxed)
        let waiting = max(0, started - associated - unavailable - denied - failed)
        return "\(Decimal.text(seconds, 0)) s: \(Decimal.count(started)) of "
            + "\(Decimal.count(devices)) arrived, \(Decimal.count(associated)) associated, "
            + "\(Decimal.count(unavailable)) answered 503, \(Decimal.count(denied)) denied, "
            + "\(Decimal.count(failed)) failed, \(Decimal.count(waiting)) waiting"
    }
}
