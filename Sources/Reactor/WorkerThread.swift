import CLinux
import Glibc
import Synchronization

/// One named POSIX thread with one job.
///
/// The job creates its own state inside the closure or receives it as `sending`; only `Sendable`
/// values are shared.
package final class WorkerThread: Sendable {
    private final class Job {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    // pthread_t is an integer on Linux.
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// Starts the thread. `name` is shown by `top -H` (at most 15 bytes, the kernel's limit).
    package init(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        if let number = FaultInjection.take(.pthreadCreate) {
            throw SystemError(call: "pthread_create", number: number, subject: name)
        }
        let job = Unmanaged.passRetained(
            Job {
                _ = CLinux_pthread_setname_np(String(name.prefix(15)))
                body()
            })
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            job.release()
            throw SystemError(call: "pthread_create", number: result, subject: name)
        }
        self.thread = thread
    }

    /// Without a join, the thread is detached, so that its stack is freed when its job ends.
    deinit {
        if !isJoined.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Processor time of the calling thread.
    package static var processorSeconds: Double {
        seconds(of: CLOCK_THREAD_CPUTIME_ID)
    }

    /// Waits until the job ends. Only the first call waits: a second pthread_join could wait for
    /// another thread that got the same identifier (pthread_join(3)).
    package func join() {
        if isJoined.exchange(true, ordering: .acquiringAndReleasing) { return }
        pthread_join(thread, nil)
    }
}
