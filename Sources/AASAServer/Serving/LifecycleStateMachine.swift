package import Reactor

/// The life of the whole server, as a worker sees it.
///
/// ```
///           drain(until:)                 every worker is empty, or the time is up
/// serving ───────────────► draining(until) ─────────────────────────────────────► stopped
/// ```
///
/// While draining nothing is accepted, idle connections are closed gracefully, and all others are
/// served to the end. A second order to drain can shorten the time, but not lengthen it.
package struct LifecycleStateMachine: Sendable {
    package enum Phase: Equatable, Sendable {
        case serving
        case draining(until: MonotonicInstant)
        case stopped
    }

    /// What a worker does because of the phase.
    package enum Action: Equatable, Sendable {
        case serve
        /// Stop accepting, close idle connections, continue the others.
        case beginDrain
        case keepDraining
        /// End: close what is left.
        case stop
    }

    package private(set) var phase: Phase = .serving

    package init() {}

    /// SIGTERM, SIGINT or an upgrade.
    package mutating func drain(until: MonotonicInstant) -> Action {
        switch phase {
        case .serving:
            phase = .draining(until: until)
            return .beginDrain
        case .draining(let earlier):
            phase = .draining(until: min(earlier, until))
            return .keepDraining
        case .stopped:
            return .stop
        }
    }

    /// Asked once per turn.
    package mutating func turn(now: MonotonicInstant, openConnections: Int) -> Action {
        switch phase {
        case .serving: return .serve
        case .draining(let until):
            if openConnections > 0 && now < until { return .keepDraining }
            phase = .stopped
            return .stop
        case .stopped: return .stop
        }
    }
}
