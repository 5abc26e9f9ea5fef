package import Reactor

/// How this process ends after it was told to, as the control thread sees it.
///
/// ```
///         SIGTERM, nobody else listens         time is up, or nobody comes any more
/// serving ───────────────────────────► leaving ────────────────────────────────────► draining
///    │ SIGTERM, systemd or a successor listens; SIGINT                                  ▲
///    └──────────────────────────────────────────────────────────────────────────────────┘
/// ```
///
/// While leaving, everything continues as before, but `/readyz` answers 503. Load balancers need
/// some probes to notice, and until then they send clients here, which would be refused otherwise
/// (HAProxy's `grace`, and the pause for which Kubernetes' `preStop` is used). While draining
/// nothing is accepted, and open connections are served to their end. A second signal ends the
/// process at once.
package struct TerminationStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// Continue to accept until then at the latest, and report that no more should be sent.
        case leave(until: MonotonicInstant)
        /// Accept no more; open connections get so much time.
        case drain(within: Duration)
    }

    /// The time for open connections when the drain time has passed while leaving: a handshake
    /// takes 10 s at most, a request 5 s.
    package static let finishTime: Duration = .seconds(15)
    /// No connection is open, and none came for so long: every usual balancer has noticed (three
    /// probes of 10 s are Kubernetes' default; HAProxy takes 6 s, Amazon's 30 s).
    package static let quietTime: Duration = .seconds(30)

    private enum Phase: Equatable {
        case serving
        case leaving(until: MonotonicInstant)
        case draining
    }

    private let drainTime: Duration
    private let isHeldElsewhere: Bool
    private var phase = Phase.serving
    private var quietSince: MonotonicInstant?
    private var accepted: UInt64?

    /// - Parameters:
    ///   - drainTime: `--drain`.
    ///   - isHeldElsewhere: systemd holds the listening sockets: new clients wait in their queue
    ///     for the next process.
    package init(drainTime: Duration, isHeldElsewhere: Bool) {
        self.drainTime = drainTime
        self.isHeldElsewhere = isHeldElsewhere
    }

    package var isEnding: Bool { phase != .serving }

    /// The latest time to call ``turn(now:accepted:open:)`` again.
    package func deadline(now: MonotonicInstant) -> MonotonicInstant {
        guard case .leaving(let until) = phase else { return .distantFuture }
        return min(until, now + .seconds(1))
    }

    /// A signal to end.
    ///
    /// - Parameter isInterrupt: SIGINT: a person at a terminal ends the server, and no balancer is
    ///   in front.
    package mutating func told(isInterrupt: Bool, now: MonotonicInstant) -> Action {
        guard phase == .serving else {
            phase = .draining
            return .drain(within: .zero)
        }
        if isInterrupt || isHeldElsewhere || drainTime <= .zero {
            phase = .draining
            return .drain(within: drainTime)
        }
        phase = .leaving(until: now + drainTime)
        return .leave(until: now + drainTime)
    }

    /// A successor serves with the same sockets.
    package mutating func replaced() -> Action {
        phase = .draining
        return .drain(within: drainTime)
    }

    /// Called at every turn of the control loop.
    ///
    /// - Parameters:
    ///   - accepted: connections so far.
    ///   - open: connections now.
    package mutating func turn(now: MonotonicInstant, accepted: UInt64, open: Int) -> Action {
        guard case .leaving(let until) = phase else { return .none }
        if open > 0 || accepted != self.accepted || quietSince == nil { quietSince = now }
        self.accepted = accepted
        let quiet = quietSince.map { now - $0 } ?? .zero
        guard now >= until || quiet >= Self.quietTime else { return .none }
        phase = .draining
        return .drain(within: min(drainTime, Self.finishTime))
    }
}
