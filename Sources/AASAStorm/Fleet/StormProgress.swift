import Reactor
import Synchronization

/// The progress of the generator threads, for display during the storm.
package final class StormProgress: Sendable {
    private let count = Lock(DeviceCount())
    private let stopped = Atomic<Bool>(false)

    package init() {}

    /// Ends the storm soon: no new devices start, and waiting ones are abandoned.
    package func stop() { stopped.store(true, ordering: .relaxed) }
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func started() { count.withLock { $0.devices += 1 } }
    func ended(_ outcome: DeviceOutcome) { count.withLock { $0.ended(outcome) } }

    /// One line for people.
    package func line(devices: Int, seconds: Double) -> String {
        let count = count.withLock { $0 }
        return "\(Decimal.text(seconds, 0)) s: \(Decimal.count(count.devices)) of "
            + "\(Decimal.count(devices)) arrived, \(Decimal.count(count.associated)) associated, "
            + "\(Decimal.count(count.willRetry)) answered 503, \(Decimal.count(count.denied)) denied, "
            + "\(Decimal.count(count.failed)) failed, "
            + "\(Decimal.count(count.devices - count.ended)) waiting"
    }
}
