package import Reactor

/// A large answer that has not arrived whole: whether it is the link or its reader that holds it
/// back, and for how long it may take.
///
/// A value; what the socket says goes in at each sample.
package struct LargeAnswer: Sendable {
    /// What a look at its socket came to.
    package enum Look: Equatable, Sendable {
        case arrived(after: Duration)
        /// It has taken longer than an answer may.
        case late
        /// The link carries it, as far as can be seen.
        case travels
        /// The reader's window holds it back: it says nothing about the link.
        case heldBack
        /// The same, and so for a while: the reader does not read.
        case stalled
    }

    /// For how long an answer may stand still.
    package struct Stillness: Equatable, Sendable {
        /// All answers take turns on a full link: so long may its turn take. Behind a proxy a full
        /// link shows as closed windows.
        package var ofTheLink: Duration
        /// Behind this time its reader does not read.
        package var ofReaders: Duration
    }

    package let since: MonotonicInstant
    package let bytes: Int
    /// What was left of it, and when that last became less; `nil` before the first look.
    private var left: Int?
    private var progressedAt: MonotonicInstant
    /// What was left of it when its reader's window was first found closed.
    private var leftAtClosed: Int?
    /// And the window has opened again since.
    private var hasReopened = false
    private var isStalled = false

    /// - Parameter earlier: the answer under way on the same connection, if any.
    package init(bytes: Int, behind earlier: LargeAnswer?, now: MonotonicInstant) {
        since = now
        self.bytes = bytes + (earlier?.bytes ?? 0)
        progressedAt = now
    }

    /// Looks at it.
    ///
    /// A window that was found closed and has never opened again is its reader's: a full link, even
    /// behind a proxy, goes on carrying what it has begun. Only who was seen to go on, by more than
    /// the bytes that TCP squeezes into a window that is almost closed, is given a turn's time.
    ///
    /// - Parameters:
    ///   - queued: sent and not acknowledged.
    ///   - own: not yet handed to the kernel.
    ///   - awaitsWindow: HTTP/2 holds back what the peer's window has no room for: that is neither
    ///     queued nor own, and the session judges for how long.
    ///   - stillness: for how long an answer may stand still on the link as it is.
    ///   - isWindowClosed: whether the reader's window is closed and nothing is in flight. Asked
    ///     at the first look and where nothing has moved, as it is a system call.
    package mutating func look(
        queued: Int, own: Int, awaitsWindow: Bool, now: MonotonicInstant,
        answerTime: Duration, stillness: Stillness, isWindowClosed: () -> Bool
    ) -> Look {
        let rest = queued + own
        if rest == 0 { return awaitsWindow ? .heldBack : .arrived(after: now - since) }
        if now - since >= answerTime { return .late }
        let before = left
        left = min(before ?? rest, rest)
        if let before, rest < before {
            progressedAt = now
            isStalled = false
            guard let leftAtClosed else { return .travels }
            if leftAtClosed - rest >= Self.reopenedBytes { hasReopened = true }
            if hasReopened { return .travels }
        }
        if isStalled { return .stalled }
        guard isWindowClosed() else { return .travels }
        leftAtClosed = leftAtClosed ?? rest
        let still = now - progressedAt
        if hasReopened, still < stillness.ofTheLink { return .travels }
        isStalled = still >= stillness.ofReaders
        return isStalled ? .stalled : .heldBack
    }

    /// Whether it has arrived on a connection that ends with so many bytes left.
    ///
    /// Behind it goes what ends the connection (GOAWAY, close_notify), and a client that has its
    /// document does not wait for that: it resets the connection. Taken for answers that never
    /// arrived, most that had come at once were not counted, and the few that were slow outvoted
    /// them: beside HTTP/2 clients that read none of eight documents, one in forty got 503.
    package static func hasArrived(left: Int) -> Bool { left <= endBytes }

    /// A GOAWAY and a close_notify are below 100 bytes: a segment is far from a large answer.
    private static let endBytes = 1460

    /// Three segments: a turn's share of the link.
    private static let reopenedBytes = 3 * 1460

    /// Whether its reader takes less than the slowest one may, as far as is known: it has been seen
    /// to hold the answer back, and not only the link.
    package func isReadTooSlowly(
        now: MonotonicInstant, grace: Duration, bytesPerSecond: Int
    ) -> Bool {
        let age = now - since
        guard leftAtClosed != nil, let left, age >= grace else { return false }
        return Double(bytes - left) < Double(bytesPerSecond) * age.inSeconds
    }
}

extension EgressSample {
    /// Adds an answer that a look has found under way.
    package mutating func add(
        _ answer: LargeAnswer, _ look: LargeAnswer.Look, queued: Int, own: Int,
        now: MonotonicInstant, slowAfter: Duration, slowUntil: Duration
    ) {
        let age = now - answer.since
        let isSlow = age > slowAfter && age <= slowUntil
        switch look {
        case .arrived, .late: break
        case .heldBack, .stalled:
            stalledKernelBytes += queued
            if isSlow { stalledAnswers += 1 }
        case .travels:
            kernelBytes += queued
            ownBytes += own
            wholeBytes += answer.bytes
            answers += 1
            if isSlow { slowAnswers += 1 }
        }
    }
}
