/// The state of one device for one app and one domain. A value: no I/O, no clock; randomness is a
/// parameter.
///
/// ```
///            install, update                    answer: decided
///  absent ───────────────────► asking(path) ───────────────────► settled
///                               ▲   │  │ no, another path            │  timer, update
///                    timer, API │   │  └──────► asking(next) ◄───────┘
///                               │   ▼ answer: temporary
///                              waiting ────────── tries used up ──► settled
/// ```
package struct AssociationStateMachine: Sendable, Hashable {
    /// What to do next.
    package enum Action: Sendable, Hashable {
        case ask(AssociationPath)
        /// Ask again after this many seconds, unless something else happens first; nil: only at
        /// the next update.
        case rest(Verdict, next: Int?)
    }

    /// The meaning of a response for the device (see `AnswerEvaluator`).
    package enum Answer: Sendable, Hashable {
        case associated
        /// For this path; another one may still have the document.
        case denied(Verdict.Reason)
        /// Ask again later.
        case temporary(Verdict.Reason)
        /// No usable response.
        case failed(Verdict.Reason)
    }

    package let era: Era
    /// The position of the path that is asked for.
    private var path = 0
    /// Whether the last try failed: a call of the API makes another one.
    private var hasFailed = false
    private var schedule: RetrySchedule

    package init(era: Era) {
        self.era = era
        schedule = RetrySchedule(era.rules.retries)
    }

    // MARK: - Inputs

    /// The app was installed or updated: both ask again, whatever the state.
    package mutating func installed() -> Action {
        schedule.reset()
        return ask(0)
    }

    /// The time of the last `.rest` has passed.
    package mutating func timerFired() -> Action { ask(0) }

    /// The app called the shared credentials API (*Shared Web Credentials*: this retries an
    /// association that failed temporarily); nil if the device does not ask because of that.
    package mutating func apiCalled() -> Action? { hasFailed ? ask(0) : nil }

    /// The response to the last `.ask`.
    package mutating func answered(_ answer: Answer, chance: Double) -> Action {
        switch answer {
        case .associated:
            schedule.reset()
            return settle(.associated, chance)
        case .denied(let reason):
            if path + 1 < era.rules.paths.count { return ask(path + 1) }
            // A response that was read and denies is final.
            if case .refused = reason, era.rules.retriesRefusals { return retry(reason, chance) }
            return settle(.denied(reason), chance)
        case .temporary(let reason):
            return retry(reason, chance)
        case .failed(let reason):
            // The old rule retries only after 5xx; a lost response ends the association.
            return schedule.rule == .everyThreeHours
                ? settle(.failed(reason), chance) : retry(reason, chance)
        }
    }

    // MARK: - Transitions

    private mutating func ask(_ path: Int) -> Action {
        self.path = path
        hasFailed = false
        return .ask(era.rules.paths[path])
    }

    private mutating func retry(_ reason: Verdict.Reason, _ chance: Double) -> Action {
        guard let seconds = schedule.nextTry(chance: chance) else {
            return settle(.failed(.triesUsedUp(last: reason.description)), chance)
        }
        hasFailed = true
        return .rest(.willRetry(reason, seconds: seconds), next: seconds)
    }

    private mutating func settle(_ verdict: Verdict, _ chance: Double) -> Action {
        if case .failed = verdict { hasFailed = true }
        return .rest(verdict, next: schedule.recheck(chance: chance))
    }
}
