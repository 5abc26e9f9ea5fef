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
    private enum Input: Equatable {
        /// The socket may hold bytes: events are edge-triggered, nobody tells again.
        case unread
        case drained
        /// End of stream or close_notify was read: nothing more is.
        case ended
    }

    private enum Output: Equatable {
        case open
        /// The kernel did not take everything: nothing is read until it has.
        case blocked
    }

    private enum Ending: Equatable {
        case none
        /// As soon as what is being written is encrypted.
        case behindAnswer(CloseReason)
        /// close_notify or an alert is written: nothing may follow it.
        case notified(CloseReason)
    }

    let times: ConnectionTimes
    package private(set) var phase: Phase = .silent
    private var input = Input.unread
    private var output = Output.open
    private var ending = Ending.none
    /// What was read is not used up: requests behind the answer under way, or ciphertext.
    private var holdsInput = false
    /// The kernel has told that the peer closed its direction, or more.
    private var peerHasClosed = false
    /// It may have stood in the kernel's queue for long.
    private var cameLate = false
    /// Stands in the loop's list of those to go on with.
    package private(set) var isQueued = false
    /// Ask ``deadlinePassed(now:)`` then.
    package private(set) var deadline: MonotonicInstant
    private let acceptedAt: Int64
    private(set) var answerSince: Int64 = 0
    private var answerBytes: Int64 = 0
    package private(set) var requestCount = 0
    private var isDraining = false
    /// It lingers for an answer that the link still has to bring.
    private var answerTravels = false

    package init(times: ConnectionTimes, now: MonotonicInstant) {
        self.times = times
        acceptedAt = now.nanoseconds
        deadline = now.advanced(byNanoseconds: times.firstByte)
    }

    /// It was accepted out of a queue that may have dropped its first bytes: they come later.
    package mutating func cameOutOfFullQueue() {
        guard phase == .silent else { return }
        cameLate = true
        deadline = MonotonicInstant(nanoseconds: acceptedAt + times.firstByteAfterQueue)
    }

    // MARK: The socket

    /// The kernel has told of the socket.
    package mutating func socketReady(
        readable: Bool, ended: Bool, broken: Bool
    ) -> ReadyAction {
        if ended { peerHasClosed = true }
        if readable, input == .drained { input = .unread }
        // Both directions are gone: what is unsent will never be read.
        if broken, output == .blocked { return .close(networkFailure()) }
        return next()
    }

    /// Its place in the loop's list has come.
    package mutating func turnCame() -> ReadyAction {
        guard isQueued else { return .ignore }
        isQueued = false
        return next()
    }

    /// It has to be gone on with in the next turn.
    package mutating func queue() -> QueueAction {
        if isQueued { return .alreadyQueued }
        isQueued = true
        return .append
    }

    private func next() -> ReadyAction {
        switch phase {
        case .silent:
            if peerHasClosed { return cameLate ? .leftUnseen : .close(networkFailure()) }
            return cameLate ? .helloArrivedSomeTimeAgo : .helloArrived
        case .inHello: return peerHasClosed ? .close(networkFailure()) : .readHello
        case .waiting: return peerHasClosed ? .leftWhileWaiting : .ignore
        case .handshaking, .idle, .inHead, .answering:
            return output == .blocked ? .sendUnsent : .transfer
        case .lingering: return .discard
        case .closed: return .ignore
        }
    }

    /// Whether the socket may be read. Not while output waits: who does not read is not read. Not
    /// while input is held: who sends more than is answered waits in its own socket.
    package var mayReceive: Bool { input == .unread && output == .open && !holdsInput }

    /// What was read was worked on, as far as that goes now.
    ///
    /// - Parameter holdsInput: some of it is not used up, as an answer is under way before it.
    package mutating func worked(holdsInput: Bool) -> WorkAction {
        self.holdsInput = holdsInput
        if isEnding || input != .unread || output == .blocked { return .rest }
        return holdsInput || isQueued ? .goOnNextTurn : .receive
    }

    /// Bytes were read.
    /// - Parameter filled: they filled the buffer, so that there may be more. A short read has
    ///   emptied the kernel's buffer; an end that was told beside it is still to be read.
    package mutating func received(filled: Bool) {
        if input == .unread, !filled, !peerHasClosed { input = .drained }
    }

    /// The socket holds nothing.
    package mutating func receivedNothing() { if input == .unread { input = .drained } }

    /// End of stream, or close_notify.
    package mutating func receivedEnd() { input = .ended }

    package var inputHasEnded: Bool { input == .ended }

    /// The kernel did not take everything.
    package mutating func outputBlocked() { output = .blocked }

    /// It has taken everything that waited.
    package mutating func outputDrained() -> OutputAction {
        output = .open
        if case .notified(let reason) = ending { return .endOutput(reason) }
        return .goOn
    }

    package var isBlocked: Bool { output == .blocked }

    // MARK: The end

    /// Why it ends behind what is being written, once that is decided.
    package var endsBehindAnswer: CloseReason? {
        if case .behindAnswer(let reason) = ending { return reason }
        return nil
    }

    /// The connection ends now.
    package mutating func notify(_ reason: CloseReason) -> NotifyAction {
        if case .notified = ending { return .alreadyNotified }
        ending = .notified(reason)
        return .notify
    }

    /// close_notify is in the kernel.
    ///
    /// - Parameters:
    ///   - isQuiet: nothing was read that no request was made of.
    ///   - answerIsUnderWay: the link still has to bring bytes of a large answer: the peer gets an
    ///     answer's time then, and the connection stays in sight, else a full link would never be
    ///     noticed.
    package mutating func outputEnded(
        _ reason: CloseReason, now: MonotonicInstant, isQuiet: Bool, answerIsUnderWay: Bool
    ) -> EndAction {
        // Who asked for the close and has sent nothing else needs no lingering.
        let isDone = reason == .answered && isQuiet && input == .drained
        if !answerIsUnderWay, input == .ended || isDone { return .close(reason) }
        lingerBegan(now: now, reason: reason, answerIsUnderWay: answerIsUnderWay)
        return .linger
    }

    /// The answer that it lingered for has arrived: from now on only for the peer's close, if that
    /// is still to come.
    package mutating func lingeringAnswerArrived(now: MonotonicInstant) {
        guard case .lingering(let reason) = phase else { return }
        lingerBegan(now: now, reason: reason)
        if input == .ended { deadline = now }
    }

    // MARK: Before the first request

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
        if ending == .none {
            if isDraining {
                ending = .behindAnswer(.draining)
            } else if let closing {
                ending = .behindAnswer(closing)
            } else if requestCount >= times.requestsMaximum {
                ending = .behindAnswer(.requestLimit)
            } else if now.nanoseconds - acceptedAt >= times.life {
                ending = .behindAnswer(.lifetime)
            }
        }
        return endsBehindAnswer
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
        if isSlow(after: now.nanoseconds - answerSince) { return .close(.slowReader) }
        answerSince = now.nanoseconds
        answerBytes = 0
        deadline = now.advanced(byNanoseconds: times.answerGrace)
        return .wait
    }

    /// The kernel took less of the answers under way than the slowest reader takes.
    func isSlow(after elapsed: Int64) -> Bool {
        answerBytes < times.answerBytesPerSecond * (elapsed / 1_000_000) / 1000
    }

    /// The kernel took bytes of an answer.
    package mutating func answerProgressed(bytes: Int) { answerBytes += Int64(bytes) }

    /// Nothing is left to answer, and everything is in the kernel.
    package mutating func answersCompleted(
        now: MonotonicInstant, underPressure: Bool
    ) -> AnswerAction {
        guard phase == .answering else { return .keepAlive }
        if let reason = endsBehindAnswer { return .shutDown(reason) }
        if input == .ended { return .shutDown(.peerClosed) }
        phase = .idle
        let idle = underPressure ? times.idleUnderPressure : times.idle
        deadline = now.advanced(byNanoseconds: isDraining ? min(times.drainIdle, idle) : idle)
        return .keepAlive
    }

    /// The peer's end of stream, or its close_notify.
    package mutating func inputDidEnd() -> EndOfInputAction {
        input = .ended
        switch phase {
        case .silent, .waiting: return .close(.leftWhileWaiting)
        case .inHello, .handshaking: return .close(.handshakeAbandoned)
        case .idle: return .close(.peerClosed)
        case .inHead: return .close(.truncatedRequest)
        case .answering: return .finishAnswer
        case .lingering(let reason): return answerTravels ? .finishAnswer : .close(reason)
        case .closed(let reason): return .close(reason)
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
        answerTravels = answerIsUnderWay
        deadline = now.advanced(
            byNanoseconds: answerIsUnderWay ? times.answer : times.linger)
    }

    @discardableResult
    package mutating func closed(_ reason: CloseReason) -> CloseAction {
        if case .closed = phase { return .ignore }
        phase = .closed(reason)
        deadline = .distantFuture
        return .release
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
            if isDraining { return endOrClose(.draining) }
            return endOrClose(requestCount == 0 ? .headTimeout : .idleTimeout)
        case .inHead: return endOrClose(.headTimeout)
        case .answering: return answerDeadlinePassed(now: now)
        case .lingering(let reason): return .close(reason)
        case .closed: return .wait
        }
    }

    /// A close_notify that could not leave until now never will.
    private func endOrClose(_ reason: CloseReason) -> DeadlineAction {
        if case .notified = ending { return .close(reason) }
        return .shutDown(reason)
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
