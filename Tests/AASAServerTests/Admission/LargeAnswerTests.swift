import Reactor
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
            stallLimits: .init(ofTheLink: turn, ofReaders: max(.seconds(1), turn)),
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
        #expect(look(&answer, 0.2, queued: 100_000, own: 20_000) == .travels)
        #expect(look(&answer, 0.4, queued: 60_000) == .travels)
        // Nothing has moved, and its window is open: others have the link.
        #expect(look(&answer, 0.6, queued: 60_000) == .travels)
        #expect(look(&answer, 0.8, queued: 0) == .arrived)
    }

    @Test func itMayNotTakeForEver() {
        var answer = answer()
        #expect(look(&answer, 20, queued: 1) == .late)
    }

    /// From the first look at a closed window on, not only behind a second of it.
    @Test func aWindowJustClosedIsNoBacklog() {
        var answer = answer()
        #expect(look(&answer, 0.2, queued: 60_000, isClosed: true) == .heldBack)
        #expect(look(&answer, 0.4, queued: 60_000, isClosed: true) == .heldBack)
        #expect(look(&answer, 1.3, queued: 60_000, isClosed: true) == .stalled)
        #expect(look(&answer, 1.5, queued: 60_000) == .stalled)
        #expect(look(&answer, 1.7, queued: 30_000) == .travels)
    }

    /// Behind a proxy a full link shows as closed windows: each answer moves when its turn comes.
    /// One that has never moved behind its first window waits for its reader, however long a turn
    /// is believed to be: 1,000 such readers per second passed for a full link.
    @Test func aTurnOfTheLinkIsNoStall() {
        let turn = Duration.seconds(2)
        var never = answer()
        #expect(look(&never, 0.2, queued: 60_000, isClosed: true, turn: turn) == .heldBack)
        #expect(look(&never, 1.9, queued: 60_000, isClosed: true, turn: turn) == .heldBack)
        #expect(look(&never, 2.1, queued: 60_000, isClosed: true, turn: turn) == .stalled)
        var answer = answer()
        #expect(look(&answer, 0.1, queued: 65_000, isClosed: true, turn: turn) == .heldBack)
        #expect(look(&answer, 0.2, queued: 60_000, turn: turn) == .travels)
        #expect(look(&answer, 2.1, queued: 60_000, isClosed: true, turn: turn) == .travels)
        #expect(look(&answer, 2.3, queued: 60_000, isClosed: true, turn: turn) == .stalled)
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        #expect(
            controller.stallLimits(answers: 1000)
                == .init(ofTheLink: .seconds(1), ofReaders: .seconds(1)))
        var sample = EgressSample()
        sample.kernelBytes = 2_000_000
        for step in 1...20 {
            controller.sent(200_000)
            controller.sampled(sample, now: at(Double(step) / 5))
        }
        // 1 MB/s: 1,000 answers have had three segments each after 4.4 s.
        let known = controller.stallLimits(answers: 1000)
        #expect((4.3...4.5).contains(known.ofTheLink.inSeconds))
        #expect(known.ofReaders == known.ofTheLink)
    }

    /// TCP probes a closed window with what is left of it, some bytes each time: 1,200 clients of
    /// eight documents each over HTTP/2 passed for a full link by that.
    @Test func probesDoNotOpenAWindow() {
        var answer = answer()
        let turn = Duration.seconds(5)
        var left = 60_000
        for step in 1...10 {
            #expect(
                look(&answer, Double(step) * 0.2, queued: left, isClosed: true, turn: turn)
                    == .heldBack, "\(step)")
            left -= 400
        }
        #expect(look(&answer, 2.4, queued: 55_000, isClosed: true, turn: turn) == .travels)
        #expect(look(&answer, 2.6, queued: 55_000, isClosed: true, turn: turn) == .travels)
    }

    /// Who takes a little now and then is in sight for when memory runs out.
    @Test func whoTakesLittleReadsTooSlowly() {
        func isSlow(_ answer: LargeAnswer, _ seconds: Double) -> Bool {
            answer.isReadTooSlowly(now: at(seconds), grace: .seconds(5), bytesPerSecond: 4096)
        }
        var sipping = answer()
        #expect(!isSlow(sipping, 6))
        _ = look(&sipping, 1, queued: 119_000, isClosed: true)
        #expect(look(&sipping, 4, queued: 110_000) == .travels)
        #expect(!isSlow(sipping, 4.9))
        #expect(isSlow(sipping, 5))
        #expect(look(&sipping, 6, queued: 90_000) == .travels)
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
        #expect(look(&answer, 0.2, queued: 0, awaitsWindow: true) == .heldBack)
        #expect(look(&answer, 25, queued: 0, awaitsWindow: true) == .heldBack)
        #expect(look(&answer, 26, queued: 0) == .arrived)
    }

    @Test func theOneBeforeItCounts() {
        let second = answer(3, behind: answer())
        #expect(second.bytes == 240_000)
        #expect(second.since == at(3))
    }

    @Test func onlyWhatTravelsIsTheLinks() {
        var sample = EgressSample()
        let answer = answer()
        for look in [LargeAnswer.Look.travels, .heldBack, .stalled, .late] {
            sample.add(
                answer, look, queued: 100, own: 10, now: at(2), slowAfter: .seconds(1),
                slowUntil: .seconds(5), travelsKnown: .milliseconds(1999))
        }
        var expected = EgressSample()
        expected.kernelBytes = 100
        expected.ownBytes = 10
        expected.wholeBytes = 120_000
        expected.answers = 1
        expected.slowAnswers = 1
        expected.stalledKernelBytes = 200
        expected.stalledAnswers = 2
        #expect(sample == expected)
    }

    /// Held back, and not for long enough to be called stalled: it may be the link's.
    @Test(arguments: [
        (LargeAnswer.Look.heldBack, 1.2, 1), (.heldBack, 1.3, 0), (.stalled, 1.2, 0),
        (.travels, 0.2, 0), (.late, 0.2, 0),
    ])
    func whatIsYoungIsUndecided(look: LargeAnswer.Look, age: Double, count: Int) {
        var sample = EgressSample()
        sample.add(
            answer(), look, queued: 100, own: 10, now: at(age), slowAfter: .seconds(1),
            slowUntil: .seconds(5), travelsKnown: .milliseconds(1200))
        #expect(sample.undecidedAnswers == count)
        #expect(sample.undecidedWholeBytes == count * 120_000)
    }

    @Test func aPauseOfTheProcessIsNotTheReadersFault() {
        var answer = answer()
        #expect(look(&answer, 0.2, queued: 60_000) == .travels)
        answer.serverWasLate(by: .seconds(25))
        #expect(look(&answer, 25.4, queued: 60_000) == .travels)
        #expect(look(&answer, 45, queued: 1) == .late)
    }

    /// Else a pause would pass for a slow link, and devices would be told to come back.
    @Test(arguments: [(Duration.zero, true), (.seconds(8), false)])
    func whatAPauseHeldUpSaysNothingAboutTheLink(pause: Duration, isShed: Bool) {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        var sample = EgressSample()
        sample.kernelBytes = 12_000_000
        sample.ownBytes = 12_000_000
        sample.wholeBytes = 24_000_000
        sample.answers = 200
        for step in 1...50 {
            controller.sent(200_000)
            controller.sampled(sample, now: at(Double(step) / 5))
        }
        for number in 0..<16 {
            var answer = answer(1 + Double(number) / 5)
            answer.serverWasLate(by: pause)
            controller.completed(answer, now: at(10))
        }
        let cause = controller.judge(
            now: at(10), userAgent: nil, bytes: 120_000, waited: nil)
        #expect((cause == .egress) == isShed, "\(String(describing: cause))")
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
                    stallLimits: .init(ofTheLink: .zero, ofReaders: .seconds(1)),
                    isWindowClosed: { true }))
        }
        #expect(looks.count == 80 && looks.last == .arrived, "\(looks)")
        #expect(looks.dropLast().allSatisfy { $0 == .travels || $0 == .heldBack })
    }

    /// Those begun at the same time are not counted any more.
    @Test func aPauseMakesNoOldAnswerASlowOneOfTheLastSeconds() {
        var answer = answer()
        answer.serverWasLate(by: .seconds(25))
        var sample = EgressSample()
        sample.add(
            answer, .travels, queued: 100, own: 10, now: at(27), slowAfter: .seconds(1),
            slowUntil: .seconds(5), travelsKnown: .milliseconds(1200))
        #expect(sample.answers == 1 && sample.slowAnswers == 0)
    }
}
