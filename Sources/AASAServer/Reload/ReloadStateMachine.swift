package import Reactor

/// When the site and the certificates are read again.
///
/// ```
///              change                    quiet, or too long unquiet
///  idle ───────────────────► settling ──────────────────────────────► loading
///   ▲ │                                                                │  ▲
///   │ └── order, revision, poll saw a change, certificates ────────────┼──┘
///   │                                                                  │
///   └──────── finished; or unfinished for the last time ◄──────────────┤
///                                                                      ▼
/// retrying ◄── finished with errors that may be a half-written file
/// ```
///
/// Editors, `rsync`, certbot and Kubernetes write several files one after the other, so a load
/// waits until the changes stop. A file that is broken then may still be half-written by a slow
/// writer, so it is read again, a few times, before it is reported as an error. An order of the
/// operator is performed and answered at once.
///
/// A value: no clock, no files. Time is a parameter.
package struct ReloadStateMachine: Sendable {
    /// Why a load happens; for the log.
    package enum Cause: String, Sendable, Equatable {
        /// SIGHUP or `aasa reload`.
        case order
        /// The kernel reported a change.
        case change
        /// Polling found a change that the kernel did not report.
        case poll
        /// A fleet's agent moved the link to another revision.
        case revision
        /// A certificate was installed, or one or a signature has reached an alarm or its end.
        case certificates
        /// A further load because a file seemed half-written.
        case retry
    }

    package enum Action: Sendable, Equatable {
        /// Nothing until the next input, or until `deadline`.
        case wait
        /// Read everything, build, publish if whole; then call `loadFinished`.
        case load(Cause)
    }

    /// How the findings of a load are logged.
    package enum Verdict: Sendable, Equatable {
        /// At their own level.
        case final
        /// At a low level: some file may be half-written, and will be read again.
        case preliminary
    }

    /// Without a change for so long, the folders count as settled: `rename(2)` follows its
    /// `write(2)` within milliseconds, the steps of certbot within some 100 ms.
    package static let quietTime: Duration = .milliseconds(250)
    /// Folders that never settle are read after this time.
    package static let settleTimeMaximum: Duration = .seconds(5)
    /// Delays of further loads after a failed one. Slow editors over network mounts take a second
    /// or two for a file; the last load is 3.5 s after the first.
    package static let retryDelays: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2),
    ]

    /// Errors are reported after this time even while the folders keep changing.
    package static let unreportedTimeMaximum: Duration = .seconds(30)

    private enum State: Sendable, Equatable {
        case idle
        case settling(quietAt: MonotonicInstant, since: MonotonicInstant)
        /// `again`: something changed during the load.
        case loading(Cause, attempt: Int, again: MonotonicInstant?)
        case retrying(at: MonotonicInstant, attempt: Int)
    }

    private var state: State = .idle
    /// Since when there are errors that were not reported.
    private var unreportedSince: MonotonicInstant?

    /// When to call `deadlinePassed`; nil: there is nothing to wait for.
    package var deadline: MonotonicInstant? {
        switch state {
        case .idle, .loading: nil
        case .settling(let quietAt, let since): min(quietAt, since + Self.settleTimeMaximum)
        case .retrying(let at, _): at
        }
    }

    /// The kernel reported a change in the folders.
    package mutating func changeNoticed(now: MonotonicInstant) -> Action {
        switch state {
        case .idle, .retrying:
            state = .settling(quietAt: now + Self.quietTime, since: now)
        case .settling(_, let since):
            state = .settling(quietAt: now + Self.quietTime, since: since)
        case .loading(let cause, let attempt, _):
            state = .loading(cause, attempt: attempt, again: now)
        }
        return .wait
    }

    /// The operator, a fleet's agent or the renewals ask for a load: one is enough for all.
    ///
    /// Only an operator can confirm a loss, so a command comes before everything else.
    /// A revision is whole when the link leads to it, and read at once as well.
    package mutating func loadAsked(for causes: Set<Cause>, now: MonotonicInstant) -> Action {
        if causes.contains(.order) { return start(.order, now) }
        if causes.contains(.revision) { return start(.revision, now) }
        return causes.contains(.certificates) ? due(.certificates, now: now) : .wait
    }

    /// The comparison by polling found a difference; or a certificate is new, or it or a signature
    /// has reached an alarm or its end. A load that is due anyway sees it as well.
    package mutating func due(_ cause: Cause, now: MonotonicInstant) -> Action {
        switch state {
        case .idle: start(cause, now)
        case .settling, .loading, .retrying: .wait
        }
    }

    /// The time that `deadline` named has come.
    package mutating func deadlinePassed(now: MonotonicInstant) -> Action {
        guard let deadline, now >= deadline else { return .wait }
        switch state {
        case .settling:
            state = .loading(.change, attempt: 0, again: nil)
            return .load(.change)
        case .retrying(_, let attempt):
            state = .loading(.retry, attempt: attempt, again: nil)
            return .load(.retry)
        case .idle, .loading: return .wait
        }
    }

    /// A load is over.
    ///
    /// - Parameters:
    ///   - hasErrors: whether anything on disk could not be used.
    /// - Returns: how to log its findings.
    package mutating func loadFinished(hasErrors: Bool, now: MonotonicInstant) -> Verdict {
        let since = unreportedSince ?? now
        let isPreliminary =
            leaveLoading(hasErrors: hasErrors, now) == .preliminary
            && now - since < Self.unreportedTimeMaximum
        unreportedSince = isPreliminary ? since : nil
        return isPreliminary ? .preliminary : .final
    }

    private mutating func leaveLoading(hasErrors: Bool, _ now: MonotonicInstant) -> Verdict {
        guard case .loading(let cause, let attempt, let again) = state else { return .final }
        if again != nil {
            state = .settling(quietAt: now + Self.quietTime, since: now)
            let isWaitedFor = cause == .order || cause == .revision
            return hasErrors && !isWaitedFor ? .preliminary : .final
        }
        let mayBeHalfWritten = cause == .change || cause == .poll || cause == .retry
        if hasErrors, mayBeHalfWritten, attempt < Self.retryDelays.count {
            state = .retrying(at: now + Self.retryDelays[attempt], attempt: attempt + 1)
            return .preliminary
        }
        state = .idle
        return .final
    }

    private mutating func start(_ cause: Cause, _ now: MonotonicInstant) -> Action {
        if case .loading(let running, let attempt, _) = state {
            state = .loading(running, attempt: attempt, again: now)
            return .wait
        }
        state = .loading(cause, attempt: 0, again: nil)
        return .load(cause)
    }
}
