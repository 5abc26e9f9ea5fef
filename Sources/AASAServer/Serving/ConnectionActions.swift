/// What a ``ConnectionStateMachine`` decides: one type for each kind of input, so that no answer
/// can be taken for that of another question.
extension ConnectionStateMachine {
    /// What to do when a deadline has passed.
    package enum DeadlineAction: Equatable, Sendable {
        /// Nothing; the deadline may have moved.
        case wait
        /// Close at once.
        case close(CloseReason)
        /// Say goodbye (GOAWAY, close_notify), shut our direction, linger.
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

    /// What to do with a connection whose socket has something to say, or whose turn has come.
    package enum ReadyAction: Equatable, Sendable {
        case ignore
        /// First bytes: the ClientHello, or a part of it, lies in the kernel.
        case helloArrived
        /// The same, out of a full queue: TCP knows since when they lie there.
        case helloArrivedSomeTimeAgo
        /// More of a ClientHello that came in part.
        case readHello
        /// The client left before anybody looked at it: TCP knows how long it stayed.
        case leftUnseen
        /// The client left while it waited for its turn.
        case leftWhileWaiting
        /// Output that the kernel did not take comes first.
        case sendUnsent
        /// Read, work, write.
        case transfer
        /// Throw input away.
        case discard
        case close(CloseReason)
    }

    /// What the loop's list of those to go on with needs.
    package enum QueueAction: Equatable, Sendable {
        case append
        case alreadyQueued
    }

    /// What to do after what was read was worked on.
    package enum WorkAction: Equatable, Sendable {
        /// The socket may hold more.
        case receive
        /// So it may, but others come first.
        case goOnNextTurn
        /// An event will tell.
        case rest
    }

    /// What comes behind the last byte that the kernel had not taken.
    package enum OutputAction: Equatable, Sendable {
        case goOn
        /// close_notify is out: end our direction.
        case endOutput(CloseReason)
    }

    /// How the connection is told that it ends.
    package enum NotifyAction: Equatable, Sendable {
        /// Write close_notify.
        case notify
        case alreadyNotified
    }

    /// What comes behind close_notify.
    package enum EndAction: Equatable, Sendable {
        case close(CloseReason)
        /// Shut our direction and throw input away until the peer closes: closing now could cut the
        /// answer by a reset.
        case linger
    }

    /// What closing has to undo.
    package enum CloseAction: Equatable, Sendable {
        /// It was closed before.
        case ignore
        case release
    }
}
