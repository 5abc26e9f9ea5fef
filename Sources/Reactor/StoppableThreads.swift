import Synchronization

/// Threads with loops that another thread ends; mostly one.
package final class StoppableThreads: Sendable {
    /// Ready once the loops have to end, for one that waits for other things as well.
    package let wakeup: Wakeup
    private let raised = Atomic(false)
    private let threads = Lock<[WorkerThread]>([])

    package init() throws(SystemError) { wakeup = try Wakeup() }

    /// Starts a thread. `name` is shown by `top -H` (at most 15 bytes, the kernel's limit).
    package func start(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        let started = try WorkerThread(name: name, body)
        threads.withLock { $0.append(started) }
    }

    package var isStopping: Bool { raised.load(ordering: .acquiring) }

    /// Waits until the loops have to end, but no longer than `interval`.
    package func wait(within interval: Duration) {
        _ = Waiting.wait([.init(wakeup.descriptor)], until: .now() + interval)
    }

    /// Asks the loops to end, and does not wait for them.
    package func raise() {
        raised.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// Asks the loops to end and waits for them.
    package func stop() {
        raise()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}
