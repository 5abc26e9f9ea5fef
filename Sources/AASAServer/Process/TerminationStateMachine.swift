package import Reactor

/// How this process ends, as the control thread sees it.
///
/// ```
///         SIGTERM with --drain             the time is up
/// serving ────────────────────► leaving ───────────────────┐
///    │ SIGTERM                                             ▼          the time is up
///    ├────────────────────────────────────────────────► closing ─────────────────► draining
///    │ SIGINT, or SIGTERM where the sockets stay open                                 ▲
///    ├────────────────────────────────────────────────────────────────────────────────┤
///    │ a successor serves              SIGINT                                         │
///    └────────────────────► replaced ─────────────────────────────────────────────────┘
/// ```
///
/// A second signal ends the process from each state. While leaving, everything continues as before,
/// but `/readyz` answers 503, so that load balancers stop sending clients here (HAProxy's `grace`,
/// and what Kubernetes' `preStop` is used for). While closing, no new connection begins, and those
/// that the kernel still holds for us (`TCP_DEFER_ACCEPT`: their ClientHello is on its way) are
/// accepted. While draining or replaced, nothing is accepted, and open connections are served to
/// their end.
package struct TerminationStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Continue to accept until then, and report that no more should be sent.
        case leave(until: MonotonicInstant)
        /// Let no new connection begin, and accept those that have.
        case refuseNewClients
        /// Accept no more; open connections get so much time.
        case drain(within: Duration)
    }

    /// The time for open connections after a signal, that for closing included: a handshake takes
    /// 10 s at most, and Docker kills after so long.
    package static let finishTime: Duration = .seconds(10)
    /// The time in which the ClientHellos of clients that have connected can arrive. It ends before
    /// a client whose SYN was dropped sends it again (1 s, RFC 6298 section 2.1), and finds the
    /// next server.
    package static let closingTime: Duration = .milliseconds(900)
    /// The time for open connections after an upgrade: no service manager waits, so a slow
    /// phone can finish its handshake (10 s), its request (5 s) and its answer.
    package static let replacedTime: Duration = .seconds(60)

    private enum Phase: Equatable {
        case serving
        case leaving(until: MonotonicInstant)
        case closing(until: MonotonicInstant)
        case draining
        case replaced
    }

    private let drainTime: Duration
    private let ownsSockets: Bool
    private var phase = Phase.serving

    /// - Parameters:
    ///   - drainTime: `--drain`.
    ///   - ownsSockets: whether the listening sockets close with this process. Those of a socket
    ///     unit do not: the next process serves the clients that wait at them.
    package init(drainTime: Duration, ownsSockets: Bool) {
        self.drainTime = drainTime
        self.ownsSockets = ownsSockets
    }

    /// The longest time from a signal to the end of the process.
    package var timeMaximum: Duration { Self.timeMaximum(drainTime: drainTime) }

    package static func timeMaximum(drainTime: Duration) -> Duration {
        drainTime + finishTime + ShutdownDeadline.patience
    }

    package var isEnding: Bool { phase != .serving }

    /// Whether new clients are refused, and those that have connected may still speak.
    package var isClosing: Bool { if case .closing = phase { true } else { false } }

    /// The time to call ``turn(now:)`` at the latest.
    package var deadline: MonotonicInstant {
        switch phase {
        case .leaving(let until), .closing(let until): until
        case .serving, .draining, .replaced: .distantFuture
        }
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
        case .serving: return isInterrupt ? drain() : close(now)
        case .replaced where !isInterrupt:
            // systemd sends SIGTERM to all processes of the unit, and again to those that are left
            // when the main process has ended. Neither means that an operator is impatient.
            return .drain(within: Self.finishTime)
        case .leaving, .closing, .draining, .replaced:
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
    package mutating func turn(now: MonotonicInstant) -> Action? {
        switch phase {
        case .leaving(let until) where now >= until: return close(now)
        case .closing(let until) where now >= until:
            phase = .draining
            return .drain(within: Self.finishTime - Self.closingTime)
        case .serving, .leaving, .closing, .draining, .replaced: return nil
        }
    }

    private mutating func close(_ now: MonotonicInstant) -> Action {
        if !ownsSockets { return drain() }
        phase = .closing(until: now + Self.closingTime)
        return .refuseNewClients
    }

    private mutating func drain() -> Action {
        phase = .draining
        return .drain(within: Self.finishTime)
    }
}
