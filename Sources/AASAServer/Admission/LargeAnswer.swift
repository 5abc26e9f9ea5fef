package import Reactor

/// A large answer that has not arrived as a whole: whether the link or the reader delays it, and
/// how long it may take. Many unacknowledged small answers are one large answer.
///
/// A value: each sample passes in what the socket reports.
package struct LargeAnswer: Sendable {
    /// The result of checking the socket of an answer.
    package enum Look: Equatable, Sendable {
        case arrived
        /// The answer has taken longer than an answer may.
        case late
        /// The link carries the answer, as far as can be seen.
        case travels
        /// The reader's window delays the answer: this says nothing about the link.
        case heldBack
        /// The window has been closed for a while: the reader does not read.
        case stalled
    }

    package let since: MonotonicInstant
    package let bytes: Int
    /// It has been counted as a fast or a slow one (``LinkLoad``).
    var hasVoted = false
    /// How many bytes of the connection the peer has acknowledged once the answer has arrived.
    let end: Int
    /// The bytes left at the begin, with those of answers before it.
    private let whole: Int
    /// The bytes left, and when they last became fewer.
    private(set) var left: Int
    private var wasSeen = false
    private var progressedAt: MonotonicInstant
    /// The bytes left when the reader's window was first found closed.
    private var leftAtClosed: Int?
    /// Whether the window has opened again since then.
    private var hasReopened = false
    private var isStalled = false
    /// For how long the process was kept from running meanwhile: no reader is charged for that.
    /// ``since`` stays, as the period in which the answer began is found by it.
    private var excused: Duration = .zero

    /// - Parameters:
    ///   - earlier: the answer under way on the same connection, if any.
    ///   - acknowledged: bytes of the connection that the peer has acknowledged, or fewer.
    ///   - end: the same number when the answer has arrived.
    package init(
        bytes: Int, behind earlier: LargeAnswer?, acknowledged: Int, end: Int,
        now: MonotonicInstant
    ) {
        since = now
        self.bytes = bytes + (earlier?.bytes ?? 0)
        self.end = end
        whole = max(self.bytes, end - acknowledged)
        left = earlier.map { $0.left + bytes } ?? whole
        progressedAt = now
    }

    /// The process was kept from running for so long: the answer gets that time again.
    package mutating func serverWasLate(by pause: Duration) {
        excused += pause
        progressedAt = progressedAt + pause
    }

    /// Whether the process was kept from running meanwhile: then it is unknown how long it took.
    package var wasPaused: Bool { excused > .zero }

    /// For how long it has been under way while the process ran.
    package func age(at now: MonotonicInstant) -> Duration { now - since - excused }

    /// Judges the answer from what its socket reports.
    ///
    /// A window that was found closed and has never opened again is closed by its reader: a full
    /// link, even behind a proxy, continues to carry what it has begun. An answer may stand still
    /// only if it was seen to progress after its window was closed, by more than the bytes that TCP
    /// squeezes into an almost closed window.
    /// - Parameters:
    ///   - queued: sent and not acknowledged.
    ///   - own: not yet handed to the kernel.
    ///   - acknowledged: bytes of the connection that the peer has acknowledged. On a connection
    ///     that is never without an answer under way, they alone tell when this one has arrived.
    ///   - awaitsWindow: HTTP/2 holds back what the peer's window has no room for. Those bytes are
    ///     neither queued nor own, and the session judges for how long they may wait.
    ///   - stallTolerated: for how long an answer may stand still: answers take turns on a full
    ///     link, and behind a proxy a full link shows as closed windows.
    ///   - isWindowClosed: whether the reader's window is closed and nothing is in flight. Asked
    ///     only at the first look and when nothing has moved, because it is a system call.
    package mutating func look(
        queued: Int, own: Int, acknowledged: Int, awaitsWindow: Bool, now: MonotonicInstant,
        answerTime: Duration, stallTolerated: Duration, isWindowClosed: () -> Bool
    ) -> Look {
        let rest = queued + own == 0 ? 0 : max(0, end - acknowledged)
        let before = left
        left = min(before, rest)
        if rest == 0 { return queued + own == 0 && awaitsWindow ? .heldBack : .arrived }
        if age(at: now) >= answerTime { return .late }
        defer { wasSeen = true }
        if wasSeen, rest < before {
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
        if hasReopened, still < stallTolerated { return .travels }
        isStalled = still >= stallTolerated
        return isStalled ? .stalled : .heldBack
    }

    /// Whether the answer counts as arrived when its connection ends with so many bytes left.
    ///
    /// After the answer, GOAWAY and close_notify are sent. A client that has its document does not
    /// wait for them and resets the connection. When such answers counted as not arrived, most of
    /// the fast answers were not counted, and the few slow ones decided: beside HTTP/2 clients that
    /// read none of eight documents, one client in forty got 503.
    package static func hasArrived(left: Int) -> Bool { left <= endBytes }

    /// A GOAWAY and a close_notify are below 100 bytes; one segment is still far below a large
    /// answer.
    private static let endBytes = 1460

    /// Three segments: a turn's share of the link.
    private static let reopenedBytes = 3 * 1460

    /// Whether the reader takes less than the slowest reader may. Only known once the reader, and
    /// not the link, was seen to delay the answer.
    package func isReadTooSlowly(
        now: MonotonicInstant, grace: Duration, bytesPerSecond: Int
    ) -> Bool {
        let age = age(at: now)
        guard leftAtClosed != nil, age >= grace else { return false }
        return Double(whole - left) < Double(bytesPerSecond) * age.inSeconds
    }
}
