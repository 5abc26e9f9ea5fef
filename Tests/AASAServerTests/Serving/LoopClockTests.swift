import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoopClockTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func clock() -> LoopClock { LoopClock(capacity: 4, now: at(0)) }

    @Test func nobodyIsJudgedByATimeBeforeAllWasRead() {
        var clock = clock()
        // The wait for a deadline at 5 s ends without an event: bytes may have come just then.
        clock.waitBegan(now: at(1), timeout: .seconds(4))
        _ = clock.waitEnded(now: at(5), eventCount: 0, openConnections: 9)
        expectEqual(clock.judged, at(0))
        // The next look finds nothing: now the deadline has passed.
        clock.waitBegan(now: at(5), timeout: .zero)
        _ = clock.waitEnded(now: at(5.001), eventCount: 0, openConnections: 9)
        expectEqual(clock.judged, at(5))
    }

    /// SIGSTOP for 30 s: epoll_wait is interrupted and knows of no event.
    @Test func aPausePassesNobodysDeadline() {
        var clock = clock()
        clock.waitBegan(now: at(1), timeout: .seconds(4))
        let first = clock.waitEnded(now: at(31), eventCount: 0, openConnections: 9)
        expectEqual(first.pause, .seconds(26))
        expectEqual(clock.judged, at(0))
        clock.turnEnded(busyNanoseconds: 1000)
        // What lies in the sockets comes with the next one, and is handled before anybody is late.
        clock.waitBegan(now: at(31), timeout: .zero)
        let second = clock.waitEnded(now: at(31), eventCount: 3, openConnections: 9)
        #expect(second.pause == nil)
        expectEqual(clock.judged, at(31))
    }

    @Test func aPauseInsideATurnCountsAsWell() {
        var clock = clock()
        clock.turnEnded(busyNanoseconds: 2_000_000_000)
        clock.waitBegan(now: at(2), timeout: .zero)
        expectEqual(
            clock.waitEnded(now: at(2), eventCount: 0, openConnections: 1).pause, .seconds(2))
        clock.turnEnded(busyNanoseconds: 100_000_000)
        clock.waitBegan(now: at(3), timeout: .zero)
        #expect(clock.waitEnded(now: at(3), eventCount: 0, openConnections: 1).pause == nil)
    }

    /// More is ready than one wait gives: whoever has not been reported yet is not judged, and
    /// nobody can hold judgement up for ever.
    @Test func fullWaitsJudgeOnceEverybodyHasHadATurn() {
        var clock = clock()
        for number in 1...2 {
            clock.waitBegan(now: at(Double(number)), timeout: .zero)
            _ = clock.waitEnded(now: at(Double(number)), eventCount: 4, openConnections: 6)
            expectEqual(clock.judged, at(0))
        }
        clock.waitBegan(now: at(3), timeout: .zero)
        _ = clock.waitEnded(now: at(3), eventCount: 4, openConnections: 6)
        expectEqual(clock.judged, at(1))
    }
}
