package import Reactor

/// The life of one connection: which phase it is in, until when it may stay there, and what happens
/// next.
///
/// ```
///  accepted      first bytes       chosen            done
/// ─────────► silent ─────► waiting ─────► handshaking ─────► idle ◄──────────────┐
///                                                             │ byte  │ request  │ answered
///                                                             ▼       ▼          │
///                                                          inHead ─► answering ──┤
///                                                                                │ last answer
///        every phase: deadline, end of input, failure ─► closed(reason)          ▼
///                                                                            lingering ─► closed
/// ```
///
/// A value: no I/O, no clock. Whatever a peer does is an input and leads to an answer or to a
/// ``CloseReason``; a call that does not fit the phase (an event that was overtaken) changes
/// nothing.
package struct ConnectionStateMachine {
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

    private let times: ConnectionTimes
    package private(set) var phase: Phase = .silent
    /// Ask ``deadlinePassed(now:)`` then.
    package private(set) var deadline: MonotonicInstant
    private let acceptedAt: Int64
    private var answerSince: Int64 = 0
    private var answerBytes: Int64 = 0
    package private(set) var requestCount = 0
    private var closesAfterAnswer: CloseReason?
    private var inputEnded = false
    private var isDraining = false

    package init(times: ConnectionTimes, now: MonotonicInstant) {
        self.times = times
        acceptedAt = now.nanoseconds
        deadline = now.advanced(byNanoseconds: times.firstByte)
    }

    /// It was accepted out of a queue that may have dropped its first bytes: they come later.
    package mutating func cameOutOfFullQueue() {
        guard phase == .silent else { return }
        deadline = MonotonicInstant(nanoseconds: acceptedAt + times.firstByteAfterQueue)
    }

    /// A part of the ClientHello was read. The deadline counts from the first of them.
    package mutating func helloBegan(now: MonotonicInstant) {
        guard phase == .silent || phase == .waiting else { return }
        phase = .inHello
        deadline = now.advanced(byNanoseconds: times.handshake)
    }

    /// The client's first bytes are there, or the rest of its ClientHello; its turn has not come.
    package mutating func firstBytesArrived(now: MonotonicInstant) {
        guard phase == .silent || phase == .inHello else { return }
        phase = .waiting
        deadline = now.advanced(byNanoseconds: times.waiting)
    }

    package mutating func handshakeStarted(now: MonotonicInstant) {
        guard phase == .silent || phase == .inHello || phase == .waiting else { return }
        phase = .handshaking
        deadline = now.advanced(byNanoseconds: times.handshake)
    }

    /// The handshake is done: the first request is expected as a head is, not as a keep-alive: the
    /// client has come to ask.
    package mutating func handshakeCompleted(now: MonotonicInstant) {
        guard phase == .handshaking else { return }
        phase = .idle
        deadline = now.advanced(byNanoseconds: times.head)
    }

    /// Bytes of a head that is not complete. The deadline counts from the first of them.
    package mutating func headBegan(now: MonotonicInstant) {
        guard phase == .idle else { return }
        phase = .inHead
        deadline = now.advanced(byNanoseconds: times.head)
    }

    /// A complete request of HTTP/1.1.
    ///
    /// - Parameter closing: why the connection has to end after its answer, if the request says so.
    /// - Returns: the reason if the connection ends after this answer, which then has to say so
    ///   (`Connection: close`).
    package mutating func requestReceived(
        now: MonotonicInstant, closing: CloseReason?
    ) -> CloseReason? {
        answerBegan(now: now)
        if closesAfterAnswer == nil {
            if isDraining {
                closesAfterAnswer = .draining
            } else if let closing {
                closesAfterAnswer = closing
            } else if requestCount >= times.requestsMaximum {
                closesAfterAnswer = .requestLimit
            } else if now.nanoseconds - acceptedAt >= times.life {
                closesAfterAnswer = .lifetime
            }
        }
        return closesAfterAnswer
    }

    /// A complete request; of HTTP/2, where the session decides when the connection ends.
    package mutating func answerBegan(now: MonotonicInstant) {
        requestCount += 1
        guard phase != .answering else { return }
        phase = .answering
        answerSince = now.nanoseconds
        answerBytes = 0
        deadline = now.advanced(byNanoseconds: times.answerGrace)
    }

    /// HTTP/2 knows the windows of its streams and when they stall: its deadline holds while
    /// answers are under way.
    package mutating func answersMayTake(until instant: MonotonicInstant) {
        if phase == .answering { deadline = instant }
    }

    /// HTTP/2 has handed all answers out, and the kernel has not taken them all: the rate since the
    /// last look decides.
    package mutating func outputStalled(now: MonotonicInstant) -> DeadlineAction {
        guard phase == .answering else { return .wait }
        let elapsed = now.nanoseconds - answerSince
        if answerBytes < times.answerBytesPerSecond * (elapsed / 1_000_000) / 1000 {
            return .close(.slowReader)
        }
        answerSince = now.nanoseconds
        answerBytes = 0
        deadline = now.advanced(byNanoseconds: times.answerGrace)
        return .wait
    }

    /// The kernel took bytes of an answer.
    package mutating func answerProgressed(bytes: Int) { answerBytes += Int64(bytes) }

    /// Nothing is left to answer, and everything is in the kernel.
    package mutating func answersCompleted(
        now: MonotonicInstant, underPressure: Bool
    ) -> AnswerAction {
        guard phase == .answering else { return .keepAlive }
        if let reason = closesAfterAnswer { return .shutDown(reason) }
        if inputEnded { return .shutDown(.peerClosed) }
        phase = .idle
        let idle = underPressure ? times.idleUnderPressure : times.idle
        deadline = now.advanced(byNanoseconds: isDraining ? min(times.drainIdle, idle) : idle)
        return .keepAlive
    }

    /// The peer's end of stream, or its close_notify.
    package mutating func inputDidEnd() -> EndOfInputAction {
        inputEnded = true
        switch phase {
        case .silent, .waiting: return .close(.leftWhileWaiting)
        case .inHello, .handshaking: return .close(.handshakeAbandoned)
        case .idle: return .close(.peerClosed)
        case .inHead: return .close(.truncatedRequest)
        case .answering: return .finishAnswer
        case .lingering(let reason), .closed(let reason): return .close(reason)
        }
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

    /// When the answers under way began.
    package var answeringSince: MonotonicInstant { MonotonicInstant(nanoseconds: answerSince) }

    /// Everything is sent and our direction is shut.
    /// - Parameter answerIsUnderWay: the link still has to bring bytes of the answer; the peer gets
    ///   an answer's time then.
    package mutating func lingerBegan(
        now: MonotonicInstant, reason: CloseReason, answerIsUnderWay: Bool = false
    ) {
        if case .closed = phase { return }
        phase = .lingering(reason)
        deadline = now.advanced(
            byNanoseconds: answerIsUnderWay ? times.answer : times.linger)
    }

    package mutating func closed(_ reason: CloseReason) {
        phase = .closed(reason)
        deadline = .distantFuture
    }

    /// The server is stopping: who stays idle goes, who is served or waits is served to the end.
    package mutating func drain(now: MonotonicInstant) {
        isDraining = true
        // A client that has just paid for its handshake has not asked yet: it gets its answer. One
        // that has asked before may be asking again while we say goodbye, and a request that meets
        // a closed connection has failed: whoever stays quiet for a while is not asking.
        if phase == .idle, requestCount > 0 {
            deadline = min(deadline, now.advanced(byNanoseconds: times.drainIdle))
        }
    }

    /// We were kept from running for so long: whatever was under way gets that time again.
    package mutating func serverWasLate(by pause: Duration) {
        if deadline == .distantFuture { return }
        deadline = deadline.advanced(byNanoseconds: pause.inNanoseconds)
        answerSince += pause.inNanoseconds
    }

    package mutating func deadlinePassed(now: MonotonicInstant) -> DeadlineAction {
        if now < deadline { return .wait }
        switch phase {
        case .silent: return .close(.silent)
        case .waiting: return .close(.leftWhileWaiting)
        case .inHello, .handshaking: return .close(.handshakeTimeout)
        case .idle:
            if isDraining { return .shutDown(.draining) }
            return .shutDown(requestCount == 0 ? .headTimeout : .idleTimeout)
        case .inHead: return .shutDown(.headTimeout)
        case .answering: return answerDeadlinePassed(now: now)
        case .lingering(let reason): return .close(reason)
        case .closed: return .wait
        }
    }

    private mutating func answerDeadlinePassed(now: MonotonicInstant) -> DeadlineAction {
        let elapsed = now.nanoseconds - answerSince
        let expected = times.answerBytesPerSecond * (elapsed / 1_000_000) / 1000
        if elapsed >= times.answer || answerBytes < expected { return .close(.slowReader) }
        // Looked at again each second: exact enough for a rate.
        let next = min(answerSince + times.answer, now.nanoseconds + 1_000_000_000)
        deadline = MonotonicInstant(nanoseconds: next)
        return .wait
    }
}
