package import Reactor

/// How this process ends once it was told to, from the control thread's view.
///
/// ```
///         SIGTERM, nobody else listens         time is up, or nobody comes any more
/// serving ───────────────────────────► leaving ────────────────────────────────────► draining
///    │ SIGTERM, systemd or a successor listens; SIGINT                                  ▲
///    └──────────────────────────────────────────────────────────────────────────────────┘
/// ```
///
/// While leaving, everything goes on as before, but `/readyz` says no: balancers need some probes
/// to notice, and until then they send clients here who would be refused (HAProxy's `grace`, and
/// the pause before the end that Kubernetes' `preStop` is used for). While draining nothing is
/// accepted, and what is open is served to its end. A second signal ends at once.
package struct TerminationStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// Go on accepting until then at the latest, and say that no more should be sent.
        case leave(until: MonotonicInstant)
        /// Accept no more; what is open gets so much time.
        case drain(within: Duration)
    }

    /// For what is open when the drain time has passed in leaving: a handshake takes 10 s at most,
    /// a request 5 s.
    package static let finishTime: Duration = .seconds(15)
    /// Nothing open, and nobody came for so long: every usual balancer has noticed (three probes of
    /// 10 s are Kubernetes' default; HAProxy takes 6 s, Amazon's 30 s).
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
    ///   - isHeldElsewhere: systemd holds the listening sockets: whoever comes waits in their queue
    ///     for the next process.
    package init(drainTime: Duration, isHeldElsewhere: Bool) {
        self.drainTime = drainTime
        self.isHeldElsewhere = isHeldElsewhere
    }

    package var isEnding: Bool { phase != .serving }

    /// When ``turn(now:accepted:open:)`` has to be asked again, at the latest.
    package func deadline(now: MonotonicInstant) -> MonotonicInstant {
        guard case .leaving(let until) = phase else { return .distantFuture }
        return min(until, now + .seconds(1))
    }

    /// A signal to end.
    ///
    /// - Parameter isInterrupt: SIGINT: who sits in front of it stands behind no balancer.
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

    /// Asked now and then.
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
