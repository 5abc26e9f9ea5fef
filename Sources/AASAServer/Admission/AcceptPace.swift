package import Reactor

/// How many connections a turn takes out of a listener's queue, and whether they may have stood in
/// it for long. A value.
package struct AcceptPace: Sendable {
    /// When the queue was last seen empty: nobody accepted since has waited longer than since then.
    package var emptyAt: MonotonicInstant
    private var batch = 1
    /// The number of the last turn that found it ready.
    private var readyTurn: UInt64 = 0

    package init(now: MonotonicInstant) { emptyAt = now }

    /// The queue holds somebody now: how many are taken out. One suffices while it is short
    /// (a second accept would only find it empty); while it stays ready from turn to turn, the
    /// number doubles.
    package mutating func take(turn: UInt64, atMost maximum: Int) -> Int {
        batch = turn == readyTurn + 1 ? min(batch * 2, maximum) : 1
        readyTurn = turn
        return batch
    }

    /// Whether who is accepted now may have waited longer than is tolerated without asking TCP.
    package func mayHaveWaited(longerThan tolerated: Duration, now: MonotonicInstant) -> Bool {
        now - emptyAt > tolerated
    }
}

/// Who gives way when a connection needs a slot and there is none, in this order: whoever is missed
/// least.
package enum GivesWay: CaseIterable, Sendable {
    /// Silent for a second without a whole ClientHello.
    case silentHello
    /// Waits behind others of an address that leaves its handshakes unanswered.
    case distrusted
    /// Idle after an answer that has arrived.
    case idleAfterAnswer
    /// Does not read its large answer.
    case stalledReader
    /// A handshake whose peer has our flight and is silent.
    case silentHandshake
    /// Has sent no request, or takes nothing of its answer, for a second.
    case holdsPlace
    /// Idle but for a large answer that the kernel holds whole, and goes on to deliver: the one
    /// that was begun first, long enough ago that a reader who does not read would be known.
    case answerTravels
    /// Silent without a whole ClientHello for a round trip.
    case leastRecent
}
