package import Reactor

/// The decisions of a ``ConnectionStateMachine`` that are more than a reason to close.
extension ConnectionStateMachine {
    /// What to do when a deadline has passed.
    package enum DeadlineAction: Equatable, Sendable {
        /// Nothing; the deadline may have moved.
        case wait
        /// Close at once.
        case close(CloseReason)
        /// Close gracefully: GOAWAY, close_notify, shut down our direction, linger.
        case shutDown(CloseReason)
    }

    /// What to do with a connection whose socket is ready, or whose turn in the queue has come.
    package enum ReadyAction: Equatable, Sendable {
        case ignore
        /// First bytes: the ClientHello, or a part of it, is in the kernel.
        case helloArrived
        /// More of a ClientHello that arrived in parts.
        case readHello
        /// The client left before we read anything from it: TCP knows how long it stayed.
        case leftUnseen
        /// The client left while it waited for its turn.
        case leftWhileWaiting
        /// First send the output that the kernel did not take.
        case sendUnsent
        /// Read, work, write.
        case transfer
        /// Throw input away.
        case discard
        case close(CloseReason)
    }

    /// What to do after the input that was read is processed.
    package enum WorkAction: Equatable, Sendable {
        /// The socket may hold more.
        case receive
        /// The socket may hold more, but other connections come first.
        case goOnNextTurn
        /// Wait for an event.
        case rest
    }

    /// Whether it has lived for as long as one may.
    package func isOld(now: MonotonicInstant) -> Bool {
        now.nanoseconds - acceptedAt >= shared.life
    }
}
