/// Counts what an HTTP/2 peer sends against ``FloodLimits``. A value without I/O or clock.
///
/// Each method takes one kind of event and returns whether a budget is exceeded. Time is in
/// nanoseconds of any monotonic clock, read once per turn of the event loop.
package struct FloodGuard: Sendable {
    /// A token bucket: it refills with time up to its full size.
    private struct Bucket {
        private var level: Int
        /// Rejected tokens over the life of the connection.
        private var refused = 0
        private let size: Int
        private let perSecond: Int
        private var refilled: UInt64

        init(size: Int, perSecond: Int, now: UInt64) {
            level = size
            self.size = size
            self.perSecond = perSecond
            refilled = now
        }

        /// Takes one token; false if there was none.
        mutating func take(now: UInt64) -> Bool {
            if size == .max { return true }
            if level <= 0 { refill(now: now) }
            level -= 1
            if level < 0 { refused += 1 }
            return level >= 0
        }

        /// Whether the rejected tokens amount to a whole budget.
        var isOverdrawn: Bool { refused > size }

        mutating func earn(_ count: Int) {
            if size != .max { level = min(level + count, size) }
        }

        /// Called only for an empty bucket, so that the common case needs no division.
        private mutating func refill(now: UInt64) {
            guard now > refilled, perSecond > 0 else { return }
            let interval = 1_000_000_000 / UInt64(perSecond)
            let earned = (now - refilled) / interval
            level = Int(min(earned, UInt64(size)))
            refilled += earned * interval
        }
    }

    private let limits: FloodLimits
    private var frames: Bucket
    private var settings: Bucket
    private var pings: Bucket
    private var resets: Bucket
    private var bytesLeft: Int
    private var provokedResets = 0
    private var continuations = 0
    private var headerListBytes = 0
    private var contentBytes = 0
    private var pendingAnswers = 0
    private var answerDeadline: UInt64 = 0

    package init(limits: FloodLimits = FloodLimits(), now: UInt64) {
        self.limits = limits
        frames = Bucket(size: limits.frames, perSecond: limits.framesPerSecond, now: now)
        settings = Bucket(size: limits.settings, perSecond: limits.settingsPerSecond, now: now)
        pings = Bucket(size: limits.pings, perSecond: limits.pingsPerSecond, now: now)
        resets = Bucket(size: limits.resets, perSecond: limits.resetsPerSecond, now: now)
        bytesLeft = limits.bytes
    }

    // MARK: Input

    package mutating func bytesReceived(_ count: Int) -> HTTP2CloseReason? {
        if limits.bytes == .max { return nil }
        bytesLeft -= count
        return bytesLeft < 0 ? .byteBudget : nil
    }

    /// Whether the peer may send more content before its answer, and another window behind it.
    package var mayAwaitContent: Bool { bytesLeft >= limits.bytesLeftForContent }

    /// How long an answer waits for content.
    package var contentNanoseconds: UInt64 { limits.contentNanoseconds }

    /// A budget that a frame has exceeded, and the consequence for the connection.
    package enum Breach: Sendable, Hashable {
        /// An eager peer does this, too: a proxy whose clients leave, a keep-alive each second.
        /// Open requests are answered, new ones refused.
        case windDown(HTTP2CloseReason)
        /// No honest peer does this: nothing more is read.
        case fail(HTTP2CloseReason)
    }

    mutating func frameReceived(_ frame: HTTP2FrameHead, now: UInt64) -> Breach? {
        guard frames.take(now: now) else { return .fail(.frameBudget) }
        switch frame.kind {
        case .settings where !frame.isAcknowledgement:
            return Self.take(from: &settings, .settingsBudget, now: now)
        case .ping where !frame.isAcknowledgement:
            return Self.take(from: &pings, .pingBudget, now: now)
        case .rstStream:
            return Self.take(from: &resets, .resetBudget, now: now)
        case .headers:
            continuations = 0
            return nil
        case .continuation:
            continuations += 1
            return continuations > limits.continuations ? .fail(.continuationBudget) : nil
        case .settings, .ping, .data, .priority, .pushPromise, .goAway, .windowUpdate, nil:
            return nil
        }
    }

    private static func take(
        from bucket: inout Bucket, _ reason: HTTP2CloseReason, now: UInt64
    ) -> Breach? {
        if bucket.take(now: now) { return nil }
        return bucket.isOverdrawn ? .fail(reason) : .windDown(reason)
    }

    /// A field block is about to be decoded.
    package mutating func fieldBlockBegan() {
        headerListBytes = 0
    }

    /// A field was decoded.
    ///
    /// - Parameter size: name, value and 32 (RFC 9113 §6.5.2).
    /// - Returns: whether the field is within the advertised list size, or the reason to close.
    package mutating func fieldReceived(size: Int) -> FieldVerdict {
        headerListBytes += size
        if headerListBytes > limits.headerListBytesMaximum { return .close(.headerListBudget) }
        return headerListBytes <= limits.headerListBytes ? .read : .skip
    }

    package enum FieldVerdict: Sendable, Hashable {
        case read
        case skip
        case close(HTTP2CloseReason)
    }

    /// The peer caused a stream error, which is answered with RST_STREAM.
    package mutating func resetProvoked() -> HTTP2CloseReason? {
        provokedResets += 1
        return provokedResets > limits.provokedResets ? .provokedResetBudget : nil
    }

    // MARK: Answers

    package mutating func answerBegan(now: UInt64) {
        if pendingAnswers == 0 { answerDeadline = now &+ limits.stallNanoseconds }
        pendingAnswers += 1
    }

    /// A part of an answer was sent.
    package mutating func contentSent(_ count: Int, now: UInt64) {
        contentBytes += count
        let updates = contentBytes / limits.bytesPerWindowUpdate
        contentBytes -= updates * limits.bytesPerWindowUpdate
        frames.earn(2 * updates)
        let earned = UInt64(count) * (1_000_000_000 / UInt64(limits.minimumBytesPerSecond))
        answerDeadline = min(now &+ limits.stallNanoseconds, answerDeadline &+ earned)
    }

    /// An answer ended.
    ///
    /// - Parameter whole: whether it was sent completely; a stream that was reset earns nothing.
    package mutating func answerEnded(whole: Bool, now: UInt64) {
        pendingAnswers -= 1
        guard whole else { return }
        frames.earn(limits.framesPerAnswer)
        resets.earn(limits.resetsPerAnswer)
        if limits.bytes != .max {
            bytesLeft = min(bytesLeft + limits.bytesPerAnswer, limits.bytes)
        }
        answerDeadline = now &+ limits.stallNanoseconds
    }

    /// The process was kept from running for so long: answers under way get that time again.
    package mutating func serverWasLate(by nanoseconds: UInt64) {
        answerDeadline = answerDeadline &+ nanoseconds
    }

    /// When the connection counts as stalled; nil while no answer is under way.
    package var deadline: UInt64? { pendingAnswers > 0 ? answerDeadline : nil }
}
