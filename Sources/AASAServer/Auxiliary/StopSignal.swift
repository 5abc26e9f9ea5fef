package import Reactor
import Synchronization

/// Asks a loop to end, from another thread.
package final class StopSignal: Sendable {
    package let wakeup: Wakeup
    private let raised = Atomic(false)

    package init(wakeup: Wakeup) { self.wakeup = wakeup }

    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Waits until the signal is raised, but no longer than `interval`.
    package func wait(within interval: Duration) {
        _ = Waiting.wait([.init(wakeup.descriptor)], until: .now() + interval)
    }

    package func raise() {
        raised.store(true, ordering: .releasing)
        wakeup.signal()
    }
}
