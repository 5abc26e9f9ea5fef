// Covers: ShedCause.swift
import Reactor
import Testing

@testable import AASAServer

@Suite struct ShedControllerTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func judge(
        _ controller: inout ShedController, _ seconds: Double, _ agent: String = "swcd",
        bytes: Int = 131_072
    ) -> ShedCause? {
        Array(agent.utf8).withUnsafeBytes {
            controller.judge(now: at(seconds), userAgent: $0, bytes: bytes)
        }
    }

    private func sample(
        _ kernel: Int, whole: Int = 0, slow: Int = 0, stalled: Int = 0, stalledAnswers: Int = 0
    ) -> EgressSample {
        var sample = EgressSample()
        sample.kernelBytes = kernel
        sample.wholeBytes = whole
        // One document each.
        sample.answers = (max(kernel, whole) + 120_000 - 1) / 120_000
        sample.slowAnswers = slow
        sample.stalledKernelBytes = stalled
        sample.stalledAnswers = stalledAnswers
        return sample
    }

    /// A link of 1 MB/s with so many documents of 128 KB under way, each taking `latency` to
    /// arrive.
    private func loaded(documents: Int, latency: Duration) -> ShedController {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        let backlog = documents * 131_072
        for sample in 1...20 {
            controller.began(bytes: 0)
            controller.sent(200_000)
            controller.completed(bytes: 131_072, after: latency)
            controller.sampled(self.sample(backlog), now: at(Double(sample) * 0.2))
        }
        return controller
    }

    /// The handshake is paid for: an answer of 120 KB costs seven times a 503.
    @Test func aRequestThatWaitedOnAPooledConnectionIsShedByItsAge() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        func judge(_ waited: Duration?, _ agent: String = "front/1.0") -> ShedCause? {
            Array(agent.utf8).withUnsafeBytes {
                controller.judge(now: at(1), userAgent: $0, bytes: 131_072, waited: waited)
            }
        }
        #expect(judge(nil) == nil)
        #expect(judge(.milliseconds(1000)) == nil)
        #expect(judge(.milliseconds(1001)) == .age)
        #expect(judge(.seconds(30), "AASA-Bot/1.0.0") == nil)
    }

    /// Anybody can say that he is the crawler: exempt is a bounded number per second.
    @Test func whoSaysThatHeIsTheCrawlerIsBelievedSoOften() {
        var aged = ShedController(limits: ShedLimits(), now: at(0))
        var short = ShedController(limits: ShedLimits(), now: at(0))
        short.isMemoryShort = true
        var full = loaded(documents: 60, latency: .seconds(7))
        func exempt(_ controller: inout ShedController, waited: Duration? = nil) -> Int {
            (0..<1000).count { step in
                if step % 20 == 0, step > 0 {
                    // The link is looked at as before.
                    controller.sent(200_000)
                    controller.sampled(
                        self.sample(60 * 131_072), now: at(4 + Double(step) / 100))
                }
                return Array("aasa-bot".utf8).withUnsafeBytes {
                    controller.judge(
                        now: at(4 + Double(step) / 100), userAgent: $0, bytes: 131_072,
                        waited: waited)
                } == nil
            }
        }
        // 10 at once and 10 per second for 10 s.
        for count in [exempt(&aged, waited: .seconds(30)), exempt(&short), exempt(&full)] {
            #expect((100...110).contains(count), "\(count)")
        }
    }

    @Test func theBudgetHoldsForEverybodyTogether() {
        var limits = ShedLimits()
        limits.answersPerSecond = 50
        var controller = ShedController(limits: limits, now: at(0))
        var (crawler, others) = (0, 0)
        for step in 1...10_000 {
            let time = Double(step) / 100
            if judge(&controller, time, "AASA-Bot/1.0.0") == nil { crawler += 1 }
            if judge(&controller, time) == nil { others += 1 }
        }
        #expect(crawler + others <= 50 * 100 + 50 + 10, "\(crawler) \(others)")
        #expect(crawler + others >= 50 * 100)
        // The crawler has its share ahead of others, and what is left is for whoever comes.
        #expect(crawler >= 10 * 100)
        // Without a crawler the others have all of it.
        var alone = ShedController(limits: limits, now: at(0))
        let count = (1...10_000).count { judge(&alone, Double($0) / 100) == nil }
        #expect((5000...5050).contains(count))
    }

    @Test func aBudgetBelowOnePerSecondStillAnswers() {
        var limits = ShedLimits()
        limits.answersPerSecond = 0.5
        var controller = ShedController(limits: limits, now: at(0))
        let count = (1...100).count { judge(&controller, Double($0)) == nil }
        #expect((49...51).contains(count))
    }

    @Test func calmShedsNothing() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for second in 0..<100 { #expect(judge(&controller, Double(second)) == nil) }
        var light = loaded(documents: 7, latency: .seconds(9))
        #expect(judge(&light, 4) == nil)
    }

    @Test func aFullLinkSheds() {
        // 30 documents are 3.9 MB: 3.9 s at 1 MB/s. 60 are 7.9 s.
        var some = loaded(documents: 30, latency: .seconds(4))
        #expect(judge(&some, 4) == nil)
        var many = loaded(documents: 60, latency: .seconds(7))
        #expect(judge(&many, 4) == .egress)
        // The crawler fills the CDN for millions: last to be shed.
        #expect(judge(&many, 4, "AASA-Bot/1.0.0") == nil)
        // Once the backlog is gone, so is the shedding.
        many.sampled(sample(0), now: at(5))
        #expect(judge(&many, 5) == nil)
    }

    /// 30 documents need 3.9 s to leave.
    @Test func whileDrainingADocumentThatWouldBeCutIsNotBegun() {
        var controller = loaded(documents: 30, latency: .seconds(4))
        controller.drain(until: at(8.5))
        #expect(judge(&controller, 4) == nil)
        #expect(judge(&controller, 4.5) == nil)
        #expect(judge(&controller, 5) == .draining)
        #expect(judge(&controller, 5, "AASA-Bot/1.0.0") == nil)
        var idle = loaded(documents: 7, latency: .seconds(4))
        idle.drain(until: at(4.6))
        #expect(judge(&idle, 4.5) == nil)
    }

    /// The process did not run for a while, the link did: the last sample says nothing.
    @Test func anOldSampleShedsNothing() {
        var many = loaded(documents: 60, latency: .seconds(7))
        #expect(judge(&many, 5) == .egress)
        #expect(judge(&many, 5.1) == nil)
        #expect(judge(&many, 20) == nil)
    }

    /// Over a pause the link runs out of bytes: what it took in that time is no measure of it. The
    /// simulator found 503s behind a pause, on a link that was believed to be a thirtieth of it.
    @Test func aPauseIsNoMeasureOfTheLink() throws {
        var controller = loaded(documents: 60, latency: .seconds(7))
        let known = try #require(controller.drainBytesPerSecond)
        controller.sampled(sample(60 * 131_072), now: at(20))
        #expect(controller.drainBytesPerSecond == known)
        controller.sampled(sample(60 * 131_072), now: at(20.2))
        #expect(try #require(controller.drainBytesPerSecond) < known)
    }

    /// Connections that give way while the kernel still delivers their answers: the link carries
    /// those as well, for about as long as a full link may need.
    @Test func whatIsLeftToTheKernelIsStillOnTheLink() {
        var controller = loaded(documents: 1, latency: .seconds(7))
        for _ in 0..<59 { controller.leftToKernel(bytes: 131_072, of: 131_072) }
        func backlog(_ seconds: Double) -> Int {
            controller.sampled(sample(131_072), now: at(seconds))
            return controller.backlogBytes / 131_072
        }
        #expect((55...60).contains(backlog(4.2)))
        for step in 22...45 { _ = backlog(Double(step) / 5) }
        #expect((15...35).contains(backlog(9.2)))
        for step in 47...200 { _ = backlog(Double(step) / 5) }
        #expect(backlog(40.2) == 1)
    }

    /// Answers whose clients have gone must not count as ones that left fast: of 60 begun a third
    /// is forgotten, and all others are slow.
    @Test(arguments: [true, false]) func whoIsGoneSaysNothing(isTold: Bool) {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for sample in 1...15 {
            let time = Double(sample) * 0.2
            for _ in 0..<12 { controller.began(bytes: 124_000) }
            if isTold { for _ in 0..<4 { controller.abandoned(begunAt: at(time)) } }
            let old = max(0, Int(((time - 0.625) / 0.2).rounded(.down))) * 8
            controller.sent(8 * 124_000)
            controller.sampled(
                self.sample(sample * 8 * 124_000 - sample * 300_000, slow: old), now: at(time))
        }
        #expect(judge(&controller, 3) == (isTold ? .egress : nil))
    }

    /// Clients that give up after five seconds and more were counted long ago: to take them from
    /// those begun since would leave nobody to ask.
    @Test func whoGaveUpLongAgoIsNotCountedTwice() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for sample in 1...50 {
            let time = Double(sample) * 0.2
            for _ in 0..<12 { controller.began(bytes: 124_000) }
            if time > 6 {
                for _ in 0..<12 { controller.abandoned(begunAt: at(time - 6.1)) }
            }
            let slow = max(0, min(25, sample) - 3) * 12
            controller.sent(300_000)
            controller.sampled(self.sample(80 * 124_000, slow: slow), now: at(time))
        }
        #expect(judge(&controller, 10) == .egress)
    }

    /// 60 answers of 128 KB, each half sent: 3.9 s are left of them, but a new one needs 7.8 s on a
    /// link that all share.
    @Test func whatANewAnswerNeedsIsTheWholeOfTheOthers() {
        var controller = loaded(documents: 30, latency: .seconds(4))
        #expect(judge(&controller, 4) == nil)
        controller.sent(200_000)
        controller.sampled(sample(30 * 131_072, whole: 60 * 131_072), now: at(4.2))
        #expect(judge(&controller, 4.2) == .egress)
    }

    /// 100 clients per second, each behind a radio link of 30 KB/s: what they take together grows
    /// for four seconds, and the server's own link carries all of it.
    @Test func slowClientsThatBeginTogetherShedNobody() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for sample in 1...60 {
            let time = Double(sample) * 0.2
            for _ in 0..<20 { controller.began(bytes: 120_000) }
            let done = max(0, time - 4) * 100
            let underWay = time * 100 - done
            for _ in 0..<(time > 4 ? 20 : 0) {
                controller.completed(bytes: 120_000, after: .seconds(4))
            }
            // Those under way have had a rising part of theirs, half of it in the mean.
            let left = underWay * 120_000 * (1 - min(time, 4) / 8)
            controller.sent(20 * 120_000)
            var seen = self.sample(
                Int(left), whole: Int(underWay) * 120_000,
                slow: Int(min(underWay, 340) - min(underWay, 63)))
            seen.answers = Int(underWay)
            controller.sampled(seen, now: at(time))
            #expect(judge(&controller, time) == nil, "\(time)")
        }
    }

    @Test func slowReadersOnAFreeLinkShedNobody() {
        var controller = loaded(documents: 60, latency: .milliseconds(200))
        #expect(judge(&controller, 4) == nil)
    }

    /// A link of 1.5 MB/s that all connections share in equal parts, 60 documents of 124 KB asked
    /// for per second: for many seconds hardly any answer is complete, so nothing can be learned
    /// from those.
    @Test func anEquallySharedLinkShedsBeforeAnswersArrive() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        var shedAfter: Double?
        for sample in 1...40 {
            let time = Double(sample) * 0.2
            for _ in 0..<12 { controller.began(bytes: 124_000) }
            let asked = 12 * sample
            let old = min(asked, max(0, Int((time - 0.625) * 60)))
            let ended = max(0, Int((time - 5) * 60))
            controller.sent(12 * 124_000)
            controller.sampled(
                self.sample(
                    asked * 124_000 - sample * 300_000, slow: max(0, old - ended)),
                now: at(time))
            if judge(&controller, time) == .egress {
                shedAfter = time
                break
            }
        }
        #expect((shedAfter ?? 99) < 2)
    }

    /// Slow readers gather; those who ask now get their answers fast, and that is what counts.
    @Test func gatheredSlowReadersShedNobody() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for sample in 1...100 {
            for _ in 0..<10 { controller.began(bytes: 124_000) }
            controller.sent(8 * 124_000)
            for _ in 0..<8 { controller.completed(bytes: 124_000, after: .milliseconds(50)) }
            // Two of ten read slowly; after twenty seconds 200 of them hang on.
            controller.sampled(
                self.sample(sample * 2 * 100_000, slow: 37), now: at(Double(sample) * 0.2))
            #expect(judge(&controller, Double(sample) * 0.2) == nil)
        }
    }

    /// The hole of 45 clients per second that ask for 120 KB and never read: nothing of theirs is
    /// the link's backlog, at any rate of them, though nothing but theirs is slow.
    @Test(arguments: [45, 200, 1000])
    func readersThatDoNotReadShedNobody(_ perSecond: Int) {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for sample in 1...150 {
            let time = Double(sample) * 0.2
            for _ in 0..<perSecond / 5 { controller.began(bytes: 124_000) }
            // Beside them ten honest ones per second, answered at once.
            for _ in 0..<2 {
                controller.began(bytes: 124_000)
                controller.completed(bytes: 124_000, after: .milliseconds(20))
            }
            controller.sent((perSecond / 5 + 2) * 124_000)
            // Each is seen through after a second, and ended after twenty.
            let fresh = min(sample, 5) * perSecond / 5
            let stalled = min(max(0, sample - 5), 95) * perSecond / 5
            controller.sampled(
                self.sample(
                    fresh * 60_000, stalled: stalled * 60_000,
                    stalledAnswers: min(max(0, sample - 6), 19) * perSecond / 5),
                now: at(time))
            #expect(judge(&controller, time) == nil, "\(time)")
        }
    }

    /// Readers that take a kilobyte now and then, 200 per second: they move at every look, and
    /// their sum is all that is known of the link. Ten others per second have theirs within 0.1 s,
    /// where an equal share would take minutes: it is not the link.
    @Test(arguments: [1, 0]) func readersThatTakeLittleShedNobody(others: Int) {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        var shed = false
        for sample in 1...100 {
            for _ in 0..<40 { controller.began(bytes: 124_000) }
            for _ in 0..<2 * others {
                controller.began(bytes: 124_000)
                controller.completed(bytes: 124_000, after: .milliseconds(100))
            }
            let answers = sample * 40
            let left = answers * 124_000 - 20 * sample * sample * 200
            controller.sent((40 + 2 * others) * 124_000)
            var seen = self.sample(
                left, whole: answers * 124_000, slow: min(760, max(0, sample - 6) * 40))
            seen.answers = answers
            controller.sampled(seen, now: at(Double(sample) * 0.2))
            shed = shed || judge(&controller, Double(sample) * 0.2) == .egress
        }
        // Alone they are what a full link looks like behind a proxy.
        #expect(shed == (others == 0))
    }

    /// 10 connections of eight documents each are under way, at 1 MB/s. TCP shares the link between
    /// connections: a new one has its document when each of those has had as much, in 1.4 s, and
    /// not when all 80 are sent, in 10 s. Who asks on a connection that has eight before it waits
    /// for those.
    @Test func whoAsksForMuchOnOneConnectionHasTheShareOfOne() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for step in 1...20 {
            for index in 0..<8 { controller.began(bytes: 131_072, isBehind: index > 0) }
            controller.sent(200_000)
            controller.completed(bytes: 131_072, after: .seconds(7))
            var seen = self.sample(80 * 131_072)
            seen.answers = 10
            controller.sampled(seen, now: at(Double(step) * 0.2))
        }
        #expect(judge(&controller, 4) == nil)
        #expect(judge(&controller, 4, bytes: 9 * 131_072) == .egress)
        // Between two samples as well.
        for index in 0..<80 { controller.began(bytes: 131_072, isBehind: index % 8 > 0) }
        #expect(judge(&controller, 4.1) == nil)
        for _ in 0..<20 { controller.began(bytes: 131_072) }
        #expect(judge(&controller, 4.1) == .egress)
    }

    @Test func memorySheds() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        controller.isMemoryShort = true
        #expect(judge(&controller, 0) == .memory)
        #expect(judge(&controller, 0, bytes: 14 * 1024) == nil)
        #expect(judge(&controller, 0, "aasa-bot") == nil)
        controller.isMemoryShort = false
        #expect(judge(&controller, 0) == nil)
    }

    @Test func theBudgetHolds() {
        var limits = ShedLimits()
        limits.answersPerSecond = 10
        var controller = ShedController(limits: limits, now: at(0))
        var answered = 0
        for millisecond in 0..<10_000
        where judge(&controller, Double(millisecond) / 1000) == nil { answered += 1 }
        #expect((100...111).contains(answered))
        #expect(judge(&controller, 10, "AASA-Bot/1.0") == nil)
    }

    @Test func theCrawlerIsKnownByItsName() {
        func matches(_ agent: String) -> Bool {
            Array(agent.utf8).withUnsafeBytes { Crawler.matches($0) }
        }
        #expect(matches("AASA-Bot/1.0.0") && matches("aasa-bot"))
        #expect(!matches("swcd (unknown version) CFNetwork") && !matches("AASA-Bo") && !matches(""))
        #expect(!Crawler.matches(nil))
    }
}
