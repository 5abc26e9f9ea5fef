import Synchronization

/// A thread with a loop that another thread ends.
package final class StoppableThread: Sendable {
    /// Ready once the loop has to end, for a loop that waits for other things as well.
    package let wakeup: Wakeup
    private let raised = Atomic(false)
    private let thread = Lock<WorkerThread?>(nil)

    package init() throws(SystemError) { wakeup = try Wakeup() }

    /// Starts the thread. `name` is shown by `top -H` (at most 15 bytes, the kernel's limit).
    package func start(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        let started = try WorkerThread(name: name, body)
        thread.withLock { $0 = started }
    }

    package var isStopping: Bool { raised.load(ordering: .acquiring) }

    /// Waits until the loop has to end, but no longer than `interval`.
    package func wait(within interval: Duration) {
        _ = Waiting.wait([.init(wakeup.descriptor)], until: .now() + interval)
    }

    /// Asks the loop to end, and does not wait for it.
    package func raise() {
        raised.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// Asks the loop to end and waits for it.
    package func stop() {
        raise()
        thread.withLock { $0 }?.join()
    }
}
