package import Reactor

/// How many connections a turn accepts from a listener's queue, and whether they may have waited in
/// the queue for long. A value.
package struct AcceptLimiter: Sendable {
    /// When the queue was last seen empty. No connection accepted since then has waited for longer.
    package var emptyAt: MonotonicInstant
    private var batch = 1
    /// The number of the last turn that found the queue ready.
    private var readyTurn: UInt64 = 0

    package init(now: MonotonicInstant) { emptyAt = now }

    /// How many connections to accept now that the queue is not empty. One is enough while the
    /// queue is short, because a second accept would only find it empty. While the queue stays
    /// ready from turn to turn, the number doubles.
    package mutating func take(turn: UInt64, atMost maximum: Int) -> Int {
        batch = turn == readyTurn + 1 ? min(batch * 2, maximum) : 1
        readyTurn = turn
        return batch
    }

    /// Whether a connection accepted now may have waited for longer than is tolerated without
    /// asking TCP for its age.
    package func mayHaveWaited(longerThan tolerated: Duration, now: MonotonicInstant) -> Bool {
        now - emptyAt > tolerated
    }
}

/// Which connection gives way when a new one needs a slot and none is free, in this order: the
/// connection whose loss harms least comes first.
package enum EvictionClass: CaseIterable, Sendable {
    /// Silent for a second without a whole ClientHello.
    case silentHello
    /// Ended, and its peer has everything: it is kept only until the peer closes as well.
    case lingering
    /// Idle after an answer that has arrived.
    case idleAfterAnswer
    /// Does not read its large answer.
    case stalledReader
    /// Its handshake is under way: the peer has our flight and is silent.
    case silentHandshake
    /// Has sent no request, or has read nothing of its answer, for a second.
    case holdsPlace
    /// Idle except for a large answer that the kernel holds whole and goes on to deliver. The
    /// answer that was begun first gives way first, and only after enough time to tell whether its
    /// reader reads.
    case answerTravels
    /// Silent for a round trip without a whole ClientHello.
    case leastRecent
}
