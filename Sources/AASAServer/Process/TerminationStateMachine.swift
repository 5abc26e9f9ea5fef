package import Reactor

/// How this process ends, as the control thread sees it.
///
/// ```
///         SIGTERM with --drain             the time is up, or a second signal
/// serving ────────────────────► leaving ──────────────────────────────────► draining
///    │ SIGTERM, SIGINT                                                         ▲
///    ├─────────────────────────────────────────────────────────────────────────┤
///    │ a successor serves              SIGINT                                  │
///    └────────────────────► replaced ──────────────────────────────────────────┘
/// ```
///
/// While leaving, everything continues as before, but `/readyz` answers 503, so that load balancers
/// stop sending clients here (HAProxy's `grace`, and what Kubernetes' `preStop` is used for). While
/// draining or replaced, nothing is accepted, and open connections are served to their end.
package struct TerminationStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// Continue to accept until then, and report that no more should be sent.
        case leave(until: MonotonicInstant)
        /// Accept no more; open connections get so much time.
        case drain(within: Duration)
    }

    /// The time for open connections after a signal: a handshake takes 10 s at most, and Docker
    /// kills after so long.
    package static let finishTime: Duration = .seconds(10)
    /// The time for open connections after an upgrade: no service manager waits, so a slow
    /// phone can finish its handshake (10 s), its request (5 s) and its answer.
    package static let replacedTime: Duration = .seconds(60)

    private enum Phase: Equatable {
        case serving
        case leaving(until: MonotonicInstant)
        case draining
        case replaced
    }

    private let drainTime: Duration
    private var phase = Phase.serving

    /// - Parameter drainTime: `--drain`.
    package init(drainTime: Duration) { self.drainTime = drainTime }

    /// The longest time from a signal to the end of the process.
    package var timeMaximum: Duration { Self.timeMaximum(drainTime: drainTime) }

    package static func timeMaximum(drainTime: Duration) -> Duration {
        drainTime + finishTime + ShutdownDeadline.patience
    }

    package var isEnding: Bool { phase != .serving }

    /// The time to call ``turn(now:)`` at the latest.
    package var deadline: MonotonicInstant {
        if case .leaving(let until) = phase { until } else { .distantFuture }
    }

    /// A signal to end.
    ///
    /// - Parameter isInterrupt: SIGINT: a person at a terminal ends the server, and no balancer is
    ///   in front.
    package mutating func told(isInterrupt: Bool, now: MonotonicInstant) -> Action {
        switch phase {
        case .serving where !isInterrupt && drainTime > .zero:
            phase = .leaving(until: now + drainTime)
            return .leave(until: now + drainTime)
        case .serving:
            phase = .draining
            return .drain(within: Self.finishTime)
        case .replaced where !isInterrupt:
            // systemd sends SIGTERM to all processes of the unit, and again to those that are left
            // when the main process has ended. Neither means that an operator is impatient.
            return .drain(within: Self.finishTime)
        case .leaving, .draining, .replaced:
            phase = .draining
            return .drain(within: .zero)
        }
    }

    /// A successor serves with the same sockets.
    package mutating func replaced() -> Action {
        phase = .replaced
        return .drain(within: Self.replacedTime)
    }

    /// Called at every turn of the control loop.
    package mutating func turn(now: MonotonicInstant) -> Action {
        guard case .leaving(let until) = phase, now >= until else { return .none }
        phase = .draining
        return .drain(within: Self.finishTime)
    }
}
