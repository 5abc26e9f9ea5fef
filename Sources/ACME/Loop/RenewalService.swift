package import Logging
package import OpenSSL
package import Reactor
import Synchronization

/// What the service needs from the server around it.
package struct RenewalHost: Sendable {
    /// The certificates that the site needs now, and those that others look after: folder → why it
    /// is left alone.
    package var site: @Sendable () -> (wanted: [WantedCertificate], covered: [String: String])
    /// Answers these challenges and no others from now on.
    package var answer: @Sendable ([ChallengeAnswer]) throws -> Void
    /// A certificate was written: load it.
    package var installed: @Sendable () -> Void
    /// Of validators for challenges that are not answered here.
    package var questions: ChallengeQuestions

    package init(
        site: @escaping @Sendable () -> (wanted: [WantedCertificate], covered: [String: String]),
        answer: @escaping @Sendable ([ChallengeAnswer]) throws -> Void,
        installed: @escaping @Sendable () -> Void, questions: ChallengeQuestions
    ) {
        self.site = site
        self.answer = answer
        self.installed = installed
        self.questions = questions
    }
}

/// Keeps certificates alive on a thread of its own, beside the control thread: asks the engine,
/// performs, tells it what came of it. Killed at any moment, it goes on where it was.
package final class RenewalService: Sendable {
    private let stop: Wakeup
    private let change: Wakeup
    private let question: Wakeup
    private let stopped = Atomic(false)
    private let thread = Lock<WorkerThread?>(nil)
    private let statusBox = Lock(RenewalStatus())

    package init() throws(SystemError) {
        stop = try Wakeup()
        change = try Wakeup()
        question = try Wakeup()
    }

    package var status: RenewalStatus { statusBox.withLock { $0 } }

    /// The site was read anew: what is needed may have changed.
    package func siteChanged() { change.signal() }

    /// - Parameters:
    ///   - authorityFile: roots beside the machine's, for an authority of one's own.
    ///   - agent: `User-Agent`.
    package func start(
        settings: RenewalSettings, store: any CertificateStore, host: RenewalHost,
        authorityFile: String?, agent: String, log: Logger
    ) throws(SystemError) {
        let started = try WorkerThread(name: "aasa-acme") {
            host.questions.attend { self.question.signal() }
            defer { host.questions.leave() }
            do {
                var loop = try RenewalLoop(
                    settings: settings, store: store, host: host, authorityFile: authorityFile,
                    agent: agent, log: log, stop: self.stop, change: self.change,
                    question: self.question)
                loop.run(
                    isStopped: { self.stopped.load(ordering: .acquiring) },
                    tell: { status in self.statusBox.withLock { $0 = status } })
            } catch {
                log.error("certificates are not looked after: \(error)")
            }
        }
        thread.withLock { $0 = started }
    }

    /// Ends the thread: a request under way is cut off, which the state is made for.
    package func end() {
        stopped.store(true, ordering: .releasing)
        stop.signal()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.join()
    }
}
