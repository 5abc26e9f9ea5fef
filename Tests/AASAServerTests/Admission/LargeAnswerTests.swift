import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LargeAnswerTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func look(
        _ answer: inout LargeAnswer, _ seconds: Double, queued: Int, own: Int = 0,
        awaitsWindow: Bool = false, isClosed: Bool = false, turn: Duration = .zero
    ) -> LargeAnswer.Look {
        answer.look(
            queued: queued, own: own, acknowledged: 120_000 - queued - own,
            awaitsWindow: awaitsWindow, now: at(seconds), answerTime: .seconds(20),
            stallTolerated: max(.seconds(1), turn),
            isWindowClosed: { isClosed })
    }

    private func answer(_ seconds: Double = 0, behind earlier: LargeAnswer? = nil) -> LargeAnswer {
        LargeAnswer(
            bytes: 120_000, behind: earlier, acknowledged: 0, end: 120_000, now: at(seconds))
    }

    /// A client that has its document resets the connection while GOAWAY and close_notify are under
    /// way.
    @Test func whatEndsAConnectionIsNoPartOfTheAnswer() {
        #expect(LargeAnswer.hasArrived(left: 0))
        #expect(LargeAnswer.hasArrived(left: 63))
        #expect(!LargeAnswer.hasArrived(left: 4096))
    }

    @Test func theLinkBringsIt() {
        var answer = answer()
        expectEqual(look(&answer, 0.2, queued: 100_000, own: 20_000), .travels)
        expectEqual(look(&answer, 0.4, queued: 60_000), .travels)
        // Nothing has moved, and its window is open: others have the link.
        expectEqual(look(&answer, 0.6, queued: 60_000), .travels)
        expectEqual(look(&answer, 0.8, queued: 0), .arrived)
    }

    @Test func itMayNotTakeForEver() {
        var answer = answer()
        expectEqual(look(&answer, 20, queued: 1), .late)
    }

    /// From the first look at a closed window on, not only behind a second of it.
    @Test func aWindowJustClosedIsNoBacklog() {
        var answer = answer()
        expectEqual(look(&answer, 0.2, queued: 60_000, isClosed: true), .heldBack)
        expectEqual(look(&answer, 0.4, queued: 60_000, isClosed: true), .heldBack)
        expectEqual(look(&answer, 1.3, queued: 60_000, isClosed: true), .stalled)
        expectEqual(look(&answer, 1.5, queued: 60_000), .stalled)
        expectEqual(look(&answer, 1.7, queued: 30_000), .travels)
    }

    /// Behind a proxy a full link shows as closed windows: each answer moves when its turn comes.
    /// One that has never moved behind its first window waits for its reader, however long a turn
    /// is believed to be: 1,000 such readers per second passed for a full link.
    @Test func aTurnOfTheLinkIsNoStall() {
        let turn = Duration.seconds(2)
        var never = answer()
        expectEqual(look(&never, 0.2, queued: 60_000, isClosed: true, turn: turn), .heldBack)
        expectEqual(look(&never, 1.9, queued: 60_000, isClosed: true, turn: turn), .heldBack)
        expectEqual(look(&never, 2.1, queued: 60_000, isClosed: true, turn: turn), .stalled)
        var answer = answer()
        expectEqual(look(&answer, 0.1, queued: 65_000, isClosed: true, turn: turn), .heldBack)
        expectEqual(look(&answer, 0.2, queued: 60_000, turn: turn), .travels)
        expectEqual(look(&answer, 2.1, queued: 60_000, isClosed: true, turn: turn), .travels)
        expectEqual(look(&answer, 2.3, queued: 60_000, isClosed: true, turn: turn), .stalled)
    }

    /// TCP probes a closed window with what is left of it, some bytes each time: 1,200 clients of
    /// eight documents each over HTTP/2 passed for a full link by that.
    @Test func probesDoNotOpenAWindow() {
        var answer = answer()
        let turn = Duration.seconds(5)
        var left = 60_000
        for step in 1...10 {
            expectEqual(
                look(&answer, Double(step) * 0.2, queued: left, isClosed: true, turn: turn),
                .heldBack, "\(step)")
            left -= 400
        }
        expectEqual(look(&answer, 2.4, queued: 55_000, isClosed: true, turn: turn), .travels)
        expectEqual(look(&answer, 2.6, queued: 55_000, isClosed: true, turn: turn), .travels)
    }

    /// Who takes a little now and then is in sight for when memory runs out.
    @Test func whoTakesLittleReadsTooSlowly() {
        func isSlow(_ answer: LargeAnswer, _ seconds: Double) -> Bool {
            answer.isReadTooSlowly(now: at(seconds), grace: .seconds(5), bytesPerSecond: 4096)
        }
        var sipping = answer()
        #expect(!isSlow(sipping, 6))
        _ = look(&sipping, 1, queued: 119_000, isClosed: true)
        expectEqual(look(&sipping, 4, queued: 110_000), .travels)
        #expect(!isSlow(sipping, 4.9))
        #expect(isSlow(sipping, 5))
        expectEqual(look(&sipping, 6, queued: 90_000), .travels)
        #expect(!isSlow(sipping, 6))
        // The link holds this one back, as its window was never seen closed.
        var slow = answer()
        _ = look(&slow, 1, queued: 119_000)
        #expect(!isSlow(slow, 9))
    }

    /// HTTP/2 holds back what has no room in the peer's window: the kernel has nothing of it, and
    /// yet it has not arrived. It must not count as one that left fast.
    @Test func aClosedWindowOfHTTP2HasNotArrived() {
        var answer = answer()
        expectEqual(look(&answer, 0.2, queued: 0, awaitsWindow: true), .heldBack)
        expectEqual(look(&answer, 25, queued: 0, awaitsWindow: true), .heldBack)
        expectEqual(look(&answer, 26, queued: 0), .arrived)
    }

    @Test func theOneBeforeItCounts() {
        let second = answer(3, behind: answer())
        expectEqual(second.bytes, 240_000)
        expectEqual(second.since, at(3))
    }

    @Test func aPauseOfTheProcessIsNotTheReadersFault() {
        var answer = answer()
        expectEqual(look(&answer, 0.2, queued: 60_000), .travels)
        answer.serverWasLate(by: .seconds(25))
        expectEqual(look(&answer, 25.4, queued: 60_000), .travels)
        expectEqual(look(&answer, 45, queued: 1), .late)
    }

    /// A front that pools its connections always has an answer under way. What it acknowledged says
    /// that the first of them has arrived; else the connection would end after 20 s.
    @Test func aConnectionThatIsNeverWithoutAnAnswerIsNotLate() {
        var answer = answer()
        var looks: [LargeAnswer.Look] = []
        for step in 1...100 where looks.last != .arrived {
            looks.append(
                answer.look(
                    queued: 45_000, own: 0, acknowledged: step * 1500, awaitsWindow: true,
                    now: at(Double(step) / 5), answerTime: .seconds(20),
                    stallTolerated: .seconds(1),
                    isWindowClosed: { true }))
        }
        #expect(looks.count == 80 && looks.last == .arrived, "\(looks)")
        #expect(looks.dropLast().allSatisfy { $0 == .travels || $0 == .heldBack })
    }
}
