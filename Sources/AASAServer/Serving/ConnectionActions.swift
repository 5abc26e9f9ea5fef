/// The decisions of a ``ConnectionStateMachine``: one type for each kind of input, so that the
/// compiler prevents mixing them up.
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

    /// What to do after the last byte of an answer is in the kernel.
    package enum AnswerAction: Equatable, Sendable {
        case keepAlive
        case shutDown(CloseReason)
    }

    /// What to do when the peer has ended its sending direction.
    package enum EndOfInputAction: Equatable, Sendable {
        /// An answer is under way: a client may half-close after its request (RFC 9112 section
        /// 9.6).
        case finishAnswer
        case close(CloseReason)
    }

    /// What to do with a connection whose socket is ready, or whose turn in the queue has come.
    package enum ReadyAction: Equatable, Sendable {
        case ignore
        /// First bytes: the ClientHello, or a part of it, is in the kernel.
        case helloArrived
        /// The same, from a full queue: TCP knows when the bytes arrived.
        case helloArrivedSomeTimeAgo
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

    /// How the loop's queue of connections to continue has to change.
    package enum QueueAction: Equatable, Sendable {
        case append
        case alreadyQueued
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

    /// What comes after the last byte that the kernel had not taken.
    package enum OutputAction: Equatable, Sendable {
        case goOn
        /// close_notify is sent: shut down our direction.
        case endOutput(CloseReason)
    }

    /// How the peer learns that the connection closes.
    package enum NotifyAction: Equatable, Sendable {
        /// Write close_notify.
        case notify
        case alreadyNotified
    }

    /// What comes after close_notify.
    package enum EndAction: Equatable, Sendable {
        case close(CloseReason)
        /// Shut down our direction and throw input away until the peer closes: if we closed now, a
        /// reset could cut the answer.
        case linger
    }

    /// What closing has to undo.
    package enum CloseAction: Equatable, Sendable {
        /// It was closed before.
        case ignore
        case release
    }
}
