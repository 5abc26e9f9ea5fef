package import Reactor

/// Where a connection stands, and what others may ask about it: they never switch on the phase
/// themselves.
extension ConnectionStateMachine {
    package enum Phase: Equatable, Sendable {
        /// Accepted; nothing has come yet.
        case silent
        /// A part of the ClientHello has come: not a handshake yet.
        case inHello
        /// The ClientHello is in the kernel; admission has not chosen it yet.
        case waiting
        case handshaking
        /// Between requests.
        case idle
        /// A request head has begun.
        case inHead
        /// At least one request is not completely answered.
        case answering
        /// Everything is sent and our direction is shut; the peer's input is thrown away until it
        /// closes.
        case lingering(CloseReason)
        case closed(CloseReason)
    }

    package var isOpen: Bool { if case .closed = phase { false } else { true } }
    package var isWaiting: Bool { phase == .waiting }
    package var isHandshaking: Bool { phase == .handshaking }
    package var isAnswering: Bool { phase == .answering }
    /// Nothing is under way, and an answer was given: it may be given up for another client.
    package var isIdleAfterAnswer: Bool { phase == .idle && requestCount > 0 }
    /// Nothing has come of it for so long that others may have its place: no request behind the
    /// handshake, no rest of a head, or of an answer less than the slowest reader takes.
    package func holdsPlace(for minimum: Duration, now: MonotonicInstant) -> Bool {
        let since: Int64
        switch phase {
        case .idle where requestCount == 0, .inHead: since = deadline.nanoseconds - times.head
        case .answering: since = answerSince
        case .silent, .inHello, .waiting, .handshaking, .idle, .lingering, .closed: return false
        }
        let elapsed = now.nanoseconds - since
        if elapsed < minimum.inNanoseconds { return false }
        return phase != .answering || isSlow(after: elapsed)
    }

    /// Its input is thrown away; or it is closed.
    package var isEnding: Bool {
        switch phase {
        case .lingering, .closed: true
        case .silent, .inHello, .waiting, .handshaking, .idle, .inHead, .answering: false
        }
    }
    /// Why it is closed when the server stops.
    package var reasonAtStop: CloseReason {
        if case .lingering(let reason) = phase { return reason }
        return .draining
    }

    /// The network failed, a reset for instance: the reason by phase.
    package func networkFailure() -> CloseReason {
        switch phase {
        case .silent, .waiting: .leftWhileWaiting
        case .inHello, .handshaking: .handshakeAbandoned
        case .idle, .inHead: .networkError
        case .answering: .leftBeforeAnswer
        case .lingering(let reason), .closed(let reason): reason
        }
    }
}
