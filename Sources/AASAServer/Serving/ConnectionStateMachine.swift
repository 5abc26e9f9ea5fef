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
/// A value: no I/O, no clock. Every action of a peer is an input, which leads to an answer or to a
/// ``CloseReason``. A call that does not fit the phase (a late event) changes nothing.
package struct ConnectionStateMachine {
    private enum Input: Equatable {
        /// The socket may hold bytes. Events are edge-triggered: epoll does not report them again.
        case unread
        case drained
        /// End of stream or close_notify was read: no more input is read.
        case ended
    }

    private enum Ending: Equatable {
        case none
        /// After the answer that is being written is encrypted.
        case behindAnswer(CloseReason)
        /// close_notify or an alert is written: nothing may be written after it.
        case notified(CloseReason)
    }

    let shared: SharedLimits
    package private(set) var phase: Phase = .silent
    private var input = Input.unread
    /// The kernel did not take all output: nothing is read until it has.
    package private(set) var isBlocked = false
    private var ending = Ending.none
    /// Some input is read but not yet used: requests behind the answer under way, or ciphertext.
    private var holdsInput = false
    /// The kernel has reported that the peer closed its direction, or both.
    private var peerHasClosed = false
    /// The connection may have waited in the kernel's queue for long, and nothing was read of it.
    private(set) var cameLate = false
    /// The connection is in the loop's queue for the next turn.
    package private(set) var isQueued = false
    /// When to call ``deadlinePassed(now:)``.
    package private(set) var deadline: MonotonicInstant
    let acceptedAt: Int64
    private(set) var answerSince: Int64 = 0
    private var answerBytes: Int64 = 0
    package private(set) var requestCount = 0
    package private(set) var isDraining = false
    /// The connection lingers for an answer that the link has not delivered yet.
    private var answerTravels = false

    package init(limits: SharedLimits, now: MonotonicInstant) {
        shared = limits
        acceptedAt = now.nanoseconds
        deadline = now + limits.values.firstByteTime
    }

    /// The connection came from a queue that may have dropped its first bytes: they arrive later.
    package mutating func cameOutOfFullQueue() {
        guard phase == .silent else { return }
        cameLate = true
        deadline = MonotonicInstant(nanoseconds: acceptedAt) + limits.firstByteTimeAfterQueue
    }

    // MARK: The socket

    /// epoll has reported an event of the socket.
    package mutating func socketReady(
        readable: Bool, ended: Bool, broken: Bool
    ) -> ReadyAction {
        if ended { peerHasClosed = true }
        if readable, input == .drained { input = .unread }
        // Both directions are closed: unsent output will never be read.
        if broken, isBlocked { return .close(networkFailure()) }
        return next()
    }

    /// The connection's turn in the loop's queue has come.
    package mutating func turnCame() -> ReadyAction {
        guard isQueued else { return .ignore }
        isQueued = false
        return next()
    }

    /// The connection has to continue in the next turn.
    /// - Returns: whether it is new in the loop's queue.
    package mutating func queue() -> Bool {
        defer { isQueued = true }
        return !isQueued
    }

    private func next() -> ReadyAction {
        switch phase {
        case .silent:
            if peerHasClosed { return cameLate ? .leftUnseen : .close(networkFailure()) }
            return .helloArrived
        case .inHello: return peerHasClosed ? .close(networkFailure()) : .readHello
        case .waiting: return peerHasClosed ? .leftWhileWaiting : .ignore
        case .handshaking, .idle, .inHead, .answering:
            return isBlocked ? .sendUnsent : .transfer
        case .lingering: return .discard
        case .closed: return .ignore
        }
    }

    /// Whether the socket may be read. Not while output waits: a peer that does not read is not
    /// read from. Not while input is held: what a peer sends ahead of our answers waits in its own
    /// socket.
    package var mayReceive: Bool { input == .unread && !isBlocked && !holdsInput }

    /// The input that was read is processed, as far as possible now.
    /// - Parameter holdsInput: some input is not used yet, because an answer is under way before
    ///   it.
    package mutating func worked(holdsInput: Bool) -> WorkAction {
        self.holdsInput = holdsInput
        if isLingering || !isOpen || input != .unread || isBlocked { return .rest }
        return holdsInput || isQueued ? .goOnNextTurn : .receive
    }

    /// Bytes were read.
    /// - Parameter filled: the bytes filled the buffer, so there may be more. A short read means
    ///   that the kernel's buffer is empty; but if the end was reported as well, it still has to be
    ///   read.
    package mutating func received(filled: Bool) {
        if input == .unread, !filled, !peerHasClosed { input = .drained }
    }

    /// The socket holds nothing.
    package mutating func receivedNothing() { if input == .unread { input = .drained } }

    /// End of stream, or close_notify.
    package mutating func receivedEnd() { input = .ended }

    package var inputHasEnded: Bool { input == .ended }

    /// The kernel did not take everything.
    package mutating func outputBlocked() { isBlocked = true }

    /// The kernel has taken all output that waited.
    /// - Returns: why our direction is shut down now, as close_notify is sent; nil: go on.
    package mutating func outputDrained() -> CloseReason? {
        isBlocked = false
        if case .notified(let reason) = ending { return reason }
        return nil
    }

    // MARK: The end

    /// Why the connection ends after the answer that is being written, once this is decided.
    package var endsBehindAnswer: CloseReason? {
        if case .behindAnswer(let reason) = ending { return reason }
        return nil
    }

    /// The connection ends now.
    /// - Returns: whether close_notify has to be written; false: it was.
    package mutating func notify(_ reason: CloseReason) -> Bool {
        if case .notified = ending { return false }
        ending = .notified(reason)
        return true
    }

    /// close_notify is in the kernel.
    /// - Parameters:
    ///   - isQuiet: all input that was read became requests.
    ///   - answerIsUnderWay: the link has not delivered a large answer yet. Then the peer gets the
    ///     time of an answer, and the connection is kept and observed; otherwise a full link would
    ///     never be noticed.
    /// - Returns: why to close now; nil: linger, because a reset could cut the answer.
    package mutating func outputEnded(
        _ reason: CloseReason, now: MonotonicInstant, isQuiet: Bool, answerIsUnderWay: Bool
    ) -> CloseReason? {
        // A client that asked for the close and has sent nothing else needs no lingering.
        let isDone = reason == .answered && isQuiet && input == .drained
        if !answerIsUnderWay, input == .ended || isDone { return reason }
        lingerBegan(now: now, reason: reason, answerIsUnderWay: answerIsUnderWay)
        return nil
    }

    /// The answer for which the connection lingered has arrived. From now on it lingers only for
    /// the peer's close, unless the peer has closed already.
    package mutating func lingeringAnswerArrived(now: MonotonicInstant) {
        guard case .lingering(let reason) = phase else { return }
        lingerBegan(now: now, reason: reason)
        if input == .ended { deadline = now }
    }

    // MARK: Before the first request

    /// A part of the ClientHello was read. The deadline counts from the first part.
    package mutating func helloBegan(now: MonotonicInstant) {
        guard phase == .silent || phase == .waiting else { return }
        phase = .inHello
        cameLate = false
        deadline = now + limits.handshakeTime
    }

    /// The client's first bytes have arrived, or the rest of its ClientHello; its handshake has to
    /// wait.
    package mutating func firstBytesArrived(now: MonotonicInstant) {
        guard phase == .silent || phase == .inHello else { return }
        phase = .waiting
        deadline = now + limits.waitingTime
    }

    package mutating func handshakeStarted(now: MonotonicInstant) {
        guard phase == .silent || phase == .inHello || phase == .waiting else { return }
        phase = .handshaking
        deadline = now + limits.handshakeTime
    }

    /// The handshake is done. The first request has the time limit of a head, not that of
    /// keep-alive, because a client connects in order to ask.
    package mutating func handshakeCompleted(now: MonotonicInstant) {
        guard phase == .handshaking else { return }
        phase = .idle
        deadline = now + limits.headTime
    }

    /// Bytes of an incomplete head. The deadline counts from the first of them.
    package mutating func headBegan(now: MonotonicInstant) {
        guard phase == .idle else { return }
        phase = .inHead
        deadline = now + limits.headTime
    }

    /// A complete request of HTTP/1.1: those before it are answered, and its own time begins.
    /// - Parameter closing: why the connection has to end after the answer, if the request asks for
    ///   it.
    /// - Returns: the reason if the connection ends after this answer. The answer then has to
    ///   announce it (`Connection: close`).
    package mutating func requestReceived(
        now: MonotonicInstant, closing: CloseReason?
    ) -> CloseReason? {
        phase = .idle
        answerBegan(now: now)
        if ending == .none {
            if isDraining {
                ending = .behindAnswer(.draining)
            } else if let closing {
                ending = .behindAnswer(closing)
            } else if requestCount >= limits.requestsPerConnection {
                ending = .behindAnswer(.requestLimit)
            } else if isOld(now: now) {
                ending = .behindAnswer(.lifetime)
            }
        }
        return endsBehindAnswer
    }

    /// A complete request of HTTP/2, whose session decides when the connection ends.
    package mutating func answerBegan(now: MonotonicInstant) {
        requestCount += 1
        guard phase != .answering else { return }
        phase = .answering
        answerSince = now.nanoseconds
        answerBytes = 0
        deadline = now.advanced(byNanoseconds: shared.answerGrace)
    }

    /// Sets the deadline while answers are under way: HTTP/2 knows the windows of its streams and
    /// when they stall.
    package mutating func answersMayTake(until instant: MonotonicInstant) {
        if phase == .answering { deadline = instant }
    }

    /// HTTP/2 has written all answers, and the kernel has not taken them all: the rate since the
    /// last check decides.
    package mutating func outputStalled(now: MonotonicInstant) -> DeadlineAction {
        guard phase == .answering else { return .wait }
        if isSlow(after: now.nanoseconds - answerSince) { return .close(.slowReader) }
        answerSince = now.nanoseconds
        answerBytes = 0
        deadline = now.advanced(byNanoseconds: shared.answerGrace)
        return .wait
    }

    /// Whether the kernel took less of the answers under way than the slowest allowed reader takes.
    func isSlow(after elapsed: Int64) -> Bool {
        answerBytes < Int64(limits.answerBytesPerSecondMinimum) * (elapsed / 1_000_000) / 1000
    }

    /// The kernel took bytes of an answer.
    package mutating func answerProgressed(bytes: Int) { answerBytes += Int64(bytes) }

    /// Nothing is left to answer, and everything is in the kernel.
    /// - Returns: why the connection is shut down now; nil: it is kept alive.
    package mutating func answersCompleted(
        now: MonotonicInstant, underPressure: Bool
    ) -> CloseReason? {
        guard phase == .answering else { return nil }
        if let reason = endsBehindAnswer { return reason }
        if input == .ended { return .peerClosed }
        phase = .idle
        let idle = underPressure ? shared.idleUnderPressure : shared.idle
        deadline = now.advanced(
            byNanoseconds: isDraining ? min(limits.drainIdleTime.inNanoseconds, idle) : idle)
        return nil
    }

    /// The peer's end of stream, or its close_notify.
    /// - Returns: why to close; nil: an answer is still to be finished (RFC 9112 section 9.6).
    package mutating func inputDidEnd() -> CloseReason? {
        input = .ended
        switch phase {
        case .silent, .waiting: return .leftWhileWaiting
        case .inHello, .handshaking: return .handshakeAbandoned
        case .idle: return .peerClosed
        case .inHead: return .truncatedRequest
        case .answering: return nil
        case .lingering(let reason): return answerTravels ? nil : reason
        case .closed(let reason): return reason
        }
    }

    /// When the answers under way began.
    package var answeringSince: MonotonicInstant { MonotonicInstant(nanoseconds: answerSince) }

    /// Everything is sent and our direction is shut.
    /// - Parameter answerIsUnderWay: the peer gets the time of an answer.
    package mutating func lingerBegan(
        now: MonotonicInstant, reason: CloseReason, answerIsUnderWay: Bool = false
    ) {
        if case .closed = phase { return }
        phase = .lingering(reason)
        answerTravels = answerIsUnderWay
        deadline = now + (answerIsUnderWay ? limits.answerTime : limits.lingerTime)
    }

    /// - Returns: whether to release what the connection holds; false: it was closed before.
    @discardableResult
    package mutating func closed(_ reason: CloseReason) -> Bool {
        if case .closed = phase { return false }
        phase = .closed(reason)
        deadline = .distantFuture
        return true
    }

    /// The server is stopping: idle connections end, all other clients are served to the end.
    package mutating func drain(now: MonotonicInstant) {
        isDraining = true
        // A client that has just completed its handshake has not asked yet: it gets its answer. A
        // client that has asked before may be sending another request while we close, and such a
        // request would fail. So we wait for a while: a client that stays quiet is not asking.
        if phase == .idle, requestCount > 0 {
            deadline = min(deadline, now + limits.drainIdleTime)
        }
    }

    /// The process was kept from running for so long: everything under way gets that time again.
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

    /// If close_notify is written already but could not be sent until now, it never will be.
    private func endOrClose(_ reason: CloseReason) -> DeadlineAction {
        if case .notified = ending { return .close(reason) }
        return .shutDown(reason)
    }

    private mutating func answerDeadlinePassed(now: MonotonicInstant) -> DeadlineAction {
        let end = answeringSince + limits.answerTime
        if now >= end || isSlow(after: now.nanoseconds - answerSince) { return .close(.slowReader) }
        // Checked again each second: exact enough for a rate.
        deadline = min(end, now + .seconds(1))
        return .wait
    }
}
