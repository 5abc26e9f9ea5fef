import Reactor
import Synchronization

/// Gives a complete publication to all workers at once. Each worker reads an atomic number once per
/// turn and takes the lock only when the number has changed; an idle worker is woken.
package final class SnapshotPublisher: Sendable {
    private let current: Lock<Publication>
    private let number = Atomic<UInt64>(1)
    private let wakeups: Lock<[Wakeup]> = Lock([])

    package init(_ first: Publication) { current = Lock(first) }

    /// Replaces what is served. Exchanges under way finish with the publication they began with.
    package func publish(_ publication: Publication) {
        current.withLock { $0 = publication }
        number.wrappingAdd(1, ordering: .releasing)
        for wakeup in wakeups.withLock({ $0 }) { wakeup.signal() }
    }

    /// What is served now.
    package var latest: Publication { current.withLock { $0 } }

    /// Changes with every ``publish(_:)``.
    package var version: UInt64 { number.load(ordering: .acquiring) }

    /// From now on `wakeup` is signalled at every publication.
    func wake(_ wakeup: Wakeup) { wakeups.withLock { $0.append(wakeup) } }
}
