package import Logging
package import OpenSSL
package import Reactor

/// The server's interface for the service.
package struct RenewalHost: Sendable {
    /// The certificates that the site needs now, and those managed by others: folder → the reason
    /// for leaving it alone.
    package var site: @Sendable () -> (wanted: [WantedCertificate], covered: [String: String])
    /// Replaces the challenges to answer.
    package var answer: @Sendable ([ChallengeAnswer]) throws -> Void
    /// Called after a certificate was written: load it.
    package var installed: @Sendable () -> Void
    /// Called whenever the state of the renewals has changed.
    package var publish: @Sendable (RenewalStatus) -> Void
    /// Validations of challenges that are unknown here.
    package var questions: PendingValidations

    package init(
        site: @escaping @Sendable () -> (wanted: [WantedCertificate], covered: [String: String]),
        answer: @escaping @Sendable ([ChallengeAnswer]) throws -> Void,
        installed: @escaping @Sendable () -> Void,
        publish: @escaping @Sendable (RenewalStatus) -> Void, questions: PendingValidations
    ) {
        self.site = site
        self.answer = answer
        self.installed = installed
        self.publish = publish
        self.questions = questions
    }
}

/// Renews certificates on its own thread, beside the control thread: it asks the engine for an
/// action, performs it and reports the result. After a kill at any point it resumes.
package final class RenewalService: Sendable {
    private let change: Wakeup
    private let question: Wakeup
    private let thread: StoppableThreads

    package init() throws(SystemError) {
        thread = try StoppableThreads()
        change = try Wakeup()
        question = try Wakeup()
    }

    /// Call after a reload of the site: the needed certificates may have changed.
    package func siteChanged() { change.signal() }

    /// - Parameters:
    ///   - authorityFile: additional roots besides the system's, for a private authority.
    ///   - agent: `User-Agent`.
    package func start(
        settings: RenewalSettings, store: any CertificateStore, host: RenewalHost,
        authorityFile: String?, agent: String, log: Logger
    ) throws(SystemError) {
        try thread.start(name: "aasa-acme") {
            host.questions.attend { self.question.signal() }
            defer { host.questions.leave() }
            do {
                var loop = try RenewalLoop(
                    settings: settings, store: store, host: host, authorityFile: authorityFile,
                    agent: agent, log: log, stop: self.thread.wakeup, change: self.change,
                    question: self.question)
                loop.run(isStopped: { self.thread.isStopping })
            } catch {
                log.error("certificates are not renewed: \(error)")
            }
        }
    }

    /// Ends the thread: a request under way is aborted, and the stored state allows to resume it.
    package func end() { thread.stop() }
}
