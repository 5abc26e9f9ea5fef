import CLinux
import Glibc

/// Signals as a readable descriptor (signalfd(2)), for an event loop.
///
/// The signals must be blocked in `main` before the first thread starts: threads inherit the mask,
/// and the kernel would deliver a signal to any thread that has not blocked it.
package struct Signals: ~Copyable {
    package static let hangup = SIGHUP
    /// Ctrl-C.
    package static let interrupt = SIGINT
    package static let user1 = SIGUSR1
    package static let user2 = SIGUSR2
    /// The signals that end a program: Ctrl-C, and SIGTERM from a supervisor.
    package static let ending = [SIGINT, SIGTERM]

    private let file: FileDescriptor

    /// Blocks `numbers` for the calling thread and its future threads, and opens the descriptor.
    package init(blocking numbers: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        let masked = pthread_sigmask(SIG_BLOCK, &set, nil)
        if masked != 0 { throw SystemError(call: "pthread_sigmask", number: masked) }
        file = FileDescriptor(
            owning: try Syscall.call("signalfd", .signalfd) {
                signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
            })
    }

    /// Runs `body` with every signal blocked: a thread that it starts is never interrupted by one.
    package static func blockingAll<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    /// Register this for reading with the loop's ``Poller``.
    package var descriptor: Int32 { file.raw }

    /// The next pending signal, if any.
    package func next() -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(file.raw, &info, size) == size ? Int32(info.ssi_signo) : nil
    }
}
