import Glibc
import TestSupport
import Testing

@testable import Reactor

/// Masks are a thread's, and a signal that were not blocked would end the tests: each has a process
/// of its own.
@Suite struct SignalsTests {
    @Test func `Signals are read one after another, and nothing when there is none`() async {
        await #expect(processExitsWith: .success) {
            let signals = try Signals(blocking: [Signals.user1, Signals.user2])
            #expect(fcntl(signals.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(signals.next() == nil)
            let poller = try Poller()
            try poller.add(signals.descriptor, .read, token: 1)
            for number in [SIGUSR2, SIGUSR1] {
                expectEqual(pthread_kill(pthread_self(), number), 0)
            }
            try expectEqual(poller.wait(timeout: .zero), 1)
            let both = [signals.next(), signals.next()]
            expectEqual(Set(both), [SIGUSR1, SIGUSR2])
            #expect(signals.next() == nil)
        }
    }

    @Test func `Only what was asked for is blocked`() async {
        await #expect(processExitsWith: .success) {
            var before = sigset_t()
            var after = sigset_t()
            // What was blocked before stays so.
            _ = try Signals(blocking: [SIGCHLD]).descriptor
            pthread_sigmask(SIG_BLOCK, nil, &before)
            _ = try Signals(blocking: [Signals.hangup]).descriptor
            pthread_sigmask(SIG_BLOCK, nil, &after)
            expectEqual(sigismember(&after, SIGHUP), 1)
            for number in Signals.ending + [SIGUSR1, SIGUSR2, SIGCHLD] {
                expectEqual(sigismember(&after, number), sigismember(&before, number))
            }
        }
    }

    @Test func `A thread that is started with all blocked gets none`() async {
        await #expect(processExitsWith: .success) {
            var before = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &before)
            let blocked = Lock(0)
            let thread = try Signals.blockingAll {
                try WorkerThread(name: "blocked") {
                    var mask = sigset_t()
                    pthread_sigmask(SIG_BLOCK, nil, &mask)
                    let count = (Signals.ending + [SIGHUP]).count { sigismember(&mask, $0) == 1 }
                    blocked.withLock { $0 = count }
                }
            }
            thread.join()
            expectEqual(blocked.withLock { $0 }, 3)
            var after = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &after)
            for number in Signals.ending + [SIGHUP] {
                expectEqual(sigismember(&after, number), sigismember(&before, number))
            }
        }
    }

    /// What a terminal and a supervisor send (systemd.kill(5)).
    @Test func `A program is ended by Ctrl-C and by a supervisor`() {
        expectEqual(Set(Signals.ending), [SIGINT, SIGTERM])
        expectEqual(Signals.interrupt, SIGINT)
    }

    #if FAULT_INJECTION
        @Test func `A descriptor that is refused is an error`() async {
            await #expect(processExitsWith: .success) {
                FaultInjection.arm(.signalfd, number: EMFILE)
                #expect(throws: SystemError(call: "signalfd", number: EMFILE)) {
                    _ = try Signals(blocking: [SIGUSR1]).descriptor
                }
            }
        }
    #endif
}
