import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AcceptLimiterTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    @Test func itDoublesWhileTheQueueStaysReady() {
        var pace = AcceptLimiter(now: at(0))
        var taken: [Int] = []
        for turn in UInt64(5)..<10 { taken.append(pace.take(turn: turn, atMost: 6)) }
        expectEqual(taken, [1, 2, 4, 6, 6])
        let afterRest = pace.take(turn: 12, atMost: 6)
        expectEqual(afterRest, 1)
    }

    @Test func whoComesOutOfAnEmptyQueueHasNotWaited() {
        var pace = AcceptLimiter(now: at(0))
        #expect(pace.mayHaveWaited(longerThan: .milliseconds(500), now: at(0.6)))
        pace.emptyAt = at(0.5)
        #expect(!pace.mayHaveWaited(longerThan: .milliseconds(500), now: at(0.6)))
    }

    /// Who is hurt least goes first: nobody whose bytes we wait for goes before those who hold a
    /// place for nothing.
    @Test func whoIsMissedLeastGivesWayFirst() {
        expectEqual(
            EvictionClass.allCases,
            [
                .silentHello, .lingering, .idleAfterAnswer, .stalledReader, .silentHandshake,
                .holdsPlace, .answerTravels, .leastRecent,
            ])
    }
}
