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
    /// Failed tries since the last install, update or success.
    private var failures = 0
    /// Which rule applies.
    private var isRandomised: Bool { era.rules.randomisesRetries }

    package init(era: Era) { self.era = era }

    // MARK: - Inputs

    /// The app was installed or updated: both ask again, whatever the state.
    package mutating func installed() -> Action {
        failures = 0
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
            failures = 0
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
            return isRandomised ? retry(reason, chance) : settle(.failed(reason), chance)
        }
    }

    // MARK: - Transitions

    private mutating func ask(_ path: Int) -> Action {
        self.path = path
        hasFailed = false
        return .ask(era.rules.paths[path])
    }

    private mutating func settle(_ verdict: Verdict, _ chance: Double) -> Action {
        if case .failed = verdict { hasFailed = true }
        let recheck = isRandomised ? Self.recheckSeconds + Self.spread(chance) : nil
        return .rest(verdict, next: recheck)
    }

    // MARK: - The time of the next try

    /// The old rule is Apple's own (*Shared Web Credentials*): every three hours, up to eight
    /// tries. The later one is not documented; third parties read it from the system, and it
    /// agrees with two dumps from the field: three to four hours at random, and after eight tries
    /// twice as long each time.
    private mutating func retry(_ reason: Verdict.Reason, _ chance: Double) -> Action {
        failures += 1
        var seconds = Self.retrySeconds
        if isRandomised {
            let doublings = min(max(0, failures - Self.tries), 16)
            seconds = min((seconds + Self.spread(chance)) << doublings, Self.longestSeconds)
        } else if failures >= Self.tries {
            return settle(.failed(.triesUsedUp(last: reason.description)), chance)
        }
        hasFailed = true
        return .rest(.willRetry(reason, seconds: seconds), next: seconds)
    }

    /// Three hours.
    private static let retrySeconds = 10_800
    private static let tries = 8
    /// About five days until a final association is checked again, less up to an hour.
    private static let recheckSeconds = 428_400
    /// Doubling stops at a month: otherwise the interval would exceed any device's life after a
    /// year of failures.
    private static let longestSeconds = 30 * 86_400

    /// Up to an hour more in the later rule.
    private static func spread(_ chance: Double) -> Int { Int(3600 * min(max(chance, 0), 1)) }
}
