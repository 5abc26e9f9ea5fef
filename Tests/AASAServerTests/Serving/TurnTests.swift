import Reactor
import Testing

@testable import AASAServer

@Suite struct TurnTests {
    /// Requests may have waited if more was ready than a turn takes, or behind a long turn.
    @Test func aTurnIsLateBehindAFullOrALongOne() {
        let at = { MonotonicInstant(nanoseconds: $0) }
        let turn = Turn(now: at(0))
        turn.began(now: at(1), isFull: false)
        #expect(!turn.isLate && turn.number == 1 && turn.now == at(1))
        turn.ended(now: at(2), wasLong: true)
        #expect(turn.now == at(2))
        turn.began(now: at(3), isFull: false)
        #expect(turn.isLate)
        turn.ended(now: at(4), wasLong: false)
        turn.began(now: at(5), isFull: true)
        #expect(turn.isLate && turn.number == 3)
    }
}
