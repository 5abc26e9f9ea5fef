import CLinux
import Glibc
import Synchronization

/// One named POSIX thread with one job.
///
/// What the job owns is made inside the closure or sent into it; nothing else may be shared but
/// what is `Sendable`.
package final class WorkerThread: Sendable {
    private final class Job {
        let name: String
        let body: () -> Void
        init(name: String, body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }

    // pthread_t is an integer on Linux.
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// Starts the thread. `name` is what `top -H` shows (15 bytes at most, the kernel's limit).
    package init(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        if let number = FaultInjection.take(.pthreadCreate) {
            throw SystemError(call: "pthread_create", number: number, subject: name)
        }
        let job = Unmanaged.passRetained(Job(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
                _ = CLinux_pthread_setname_np(String(job.name.prefix(15)))
                job.body()
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            job.release()
            throw SystemError(call: "pthread_create", number: result, subject: name)
        }
        self.thread = thread
    }

    /// A thread that nobody can join any more gives its stack back when its job is done.
    deinit {
        if !isJoined.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Processor time of the calling thread.
    package static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Waits until the job is done. Only the first call waits: a second pthread_join of the same
    /// thread may wait for a stranger that got its number (pthread_join(3)).
    package func join() {
        if isJoined.exchange(true, ordering: .acquiringAndReleasing) { return }
        pthread_join(thread, nil)
    }
}
