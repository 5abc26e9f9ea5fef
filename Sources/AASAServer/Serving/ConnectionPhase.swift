package import Reactor

/// The phase of a connection, and questions about it. Other types ask these instead of switching on
/// the phase.
extension ConnectionStateMachine {
    package enum Phase: Equatable, Sendable {
        /// Accepted; no byte has arrived yet.
        case silent
        /// A part of the ClientHello has arrived: not a handshake yet.
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
        /// Everything is sent and our direction is shut down; the peer's input is thrown away until
        /// the peer closes.
        case lingering(CloseReason)
        case closed(CloseReason)
    }

    var limits: ServerLimits { shared.values }

    package var isOpen: Bool { if case .closed = phase { false } else { true } }
    package var isWaiting: Bool { phase == .waiting }
    package var isHandshaking: Bool { phase == .handshaking }
    package var isAnswering: Bool { phase == .answering }
    /// Nothing is under way, and an answer was given: the connection may give way to another
    /// client.
    package var isIdleAfterAnswer: Bool { phase == .idle && requestCount > 0 }
    /// Whether the connection made too little progress for so long that it may give way: no request
    /// after the handshake, no rest of a head, or an answer read more slowly than the slowest
    /// reader may.
    package func holdsPlace(for minimum: Duration, now: MonotonicInstant) -> Bool {
        let since: Int64
        switch phase {
        case .idle where requestCount == 0, .inHead:
            since = deadline.nanoseconds - limits.headTime.inNanoseconds
        case .answering: since = answerSince
        case .silent, .inHello, .waiting, .handshaking, .idle, .lingering, .closed: return false
        }
        let elapsed = now.nanoseconds - since
        if elapsed < minimum.inNanoseconds { return false }
        return phase != .answering || isSlow(after: elapsed)
    }

    /// Everything is sent; only the peer's end is missing.
    package var isLingering: Bool { if case .lingering = phase { true } else { false } }

    /// The reason if the connection is closed because the server stops.
    package var reasonAtStop: CloseReason {
        if case .lingering(let reason) = phase { return reason }
        return .draining
    }

    /// The close reason for a network failure, such as a reset, in the current phase.
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
