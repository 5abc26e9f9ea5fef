// Covers: ShedLimits.swift
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What is taken for a full link, and what is not.
@Suite struct LinkLoadTests {
    /// So many documents are asked for at once, on a link of 1 MB/s.
    private func loaded(documents: Int, seconds: Double = 1) -> ModelLink {
        var link = ModelLink(bytesPerSecond: 1_000_000)
        for _ in 0..<documents { link.ask() }
        link.run(seconds)
        return link
    }

    @Test func aFullLinkSheds() {
        // 30 documents need 3.4 s, 60 need 6.9 s.
        let some = loaded(documents: 30)
        expectEqual(some.isFull(), false)
        var many = loaded(documents: 60)
        expectEqual(many.isFull(), true)
        // Half of each is sent, and a new one nevertheless needs as long as all of them did.
        many.run(2.5)
        expectEqual(many.isFull(), true)
        // Once the backlog is gone, so is the shedding.
        many.run(10)
        expectEqual(many.underWay, 0)
        many.ask()
        expectEqual(many.isFull(), false)
    }

    /// A burst fills the link before the next sample shows it.
    @Test func whatBeganSinceTheLastSampleCounts() {
        var link = loaded(documents: 30)
        for _ in 0..<30 { link.ask() }
        #expect(link.isFull() && link.unavailable > 0)
    }

    @Test func calmShedsNothing() {
        var link = ModelLink(bytesPerSecond: 1_000_000)
        link.run(20) { $0.ask(each: 5) }
        expectEqual(link.unavailable, 0)
    }

    /// Nobody has begun an answer for longer than an answer may take, because all are refused, and
    /// none of those under way has arrived: the link is as full as before. Once this was forgotten,
    /// and in the 0.8 s until it was known again 450 answers were begun on a link that carries 39
    /// per second: 671 of 2,519 clients left without an answer
    /// (Tests/Simulation/Fixtures/answers-in-few-slots.txt).
    @Test func aFullLinkIsNotForgottenWhileNobodyIsLetIn() {
        var link = loaded(documents: 150)
        link.run(13) { $0.ask(each: 100) }
        // One each second, and four at once.
        #expect(link.asked - link.unavailable - 150 <= 18)
    }

    /// Slots ran out, and connections gave way whose answers the kernel still delivers. The link is
    /// as full as before, and free when all have arrived. When they were forgotten, 1,087 of 2,514
    /// clients left without an answer (Tests/Simulation/Fixtures/answers-in-few-slots.txt).
    @Test func answersOutOfSightFillTheLink() {
        var link = loaded(documents: 100)
        link.loseSight { $0 > 3 }
        link.run(3) { $0.ask(each: 100) }
        expectEqual(link.isFull(), true)
        #expect(link.asked - link.unavailable - 100 <= 8)
        link.run(15) { $0.ask(each: 1) }
        expectEqual(link.isFull(), false)
    }

    /// Nothing tells what became of them.
    @Test func answersOutOfSightAloneAreForgotten() {
        var link = loaded(documents: 100)
        link.loseSight { _ in true }
        link.run(15)
        link.ask()
        link.run(0.4)
        #expect(link.underWay == 0 && !link.isFull())
    }

    /// 30 documents need 3.4 s.
    @Test func whileDrainingADocumentThatWouldBeCutIsNotBegun() {
        let link = loaded(documents: 30)
        let now = link.now
        var controller = link.controller
        controller.drain(until: now + .seconds(4))
        #expect(controller.judge(now: now, userAgent: nil, bytes: 110_000) == nil)
        controller.drain(until: now + .seconds(3))
        expectEqual(controller.judge(now: now, userAgent: nil, bytes: 110_000), .shedDraining)
        let crawler = Array("AASA-Bot/1.0.0".utf8).withUnsafeBytes {
            controller.judge(now: now, userAgent: $0, bytes: 110_000)
        }
        #expect(crawler == nil)
        let idle = loaded(documents: 7, seconds: 0.1)
        expectEqual(idle.isFull(), false)
    }

    /// The process did not run for a while, the link did: the last sample says nothing.
    @Test func anOldSampleShedsNothing() {
        var many = loaded(documents: 60)
        expectEqual(many.isFull(), true)
        many.pause(1.3)
        expectEqual(many.isFull(), false)
    }

    /// Over a pause the link runs out of bytes: what it took in that time is no measure of it. Else
    /// a pause would pass for a slow link, and devices would be told to come back.
    @Test func aPauseIsNoMeasureOfTheLink() {
        var link = loaded(documents: 30)
        link.pause(8)
        link.run(2) { $0.ask(each: 8) }
        expectEqual(link.unavailable, 0)
    }

    /// Clients who give up must not count as ones whose answer left fast.
    @Test func whoIsGoneSaysNothing() {
        var link = ModelLink(bytesPerSecond: 1_000_000)
        link.run(3) {
            $0.ask(each: 60)
            $0.leave { $0 % 3 == 0 }
        }
        expectEqual(link.isFull(), true)
    }

    /// 100 clients per second, each behind a radio link of 30 KB/s: what they take together grows
    /// for four seconds, and the server's own link carries all of it.
    @Test func slowClientsThatBeginTogetherShedNobody() {
        var link = ModelLink(bytesPerSecond: 125_000_000)
        link.run(12) { $0.ask(each: 100, .slowly(30_000, closes: false)) }
        expectEqual(link.unavailable, 0)
    }

    /// Slow readers gather; those who ask now get their answers fast, and that is what counts.
    @Test func gatheredSlowReadersShedNobody() {
        var link = ModelLink(bytesPerSecond: 125_000_000)
        link.run(20) {
            $0.ask(each: 10, .slowly(1000, closes: false))
            $0.ask(each: 40)
        }
        expectEqual(link.unavailable, 0)
    }

    /// Clients that ask and never read: nothing of theirs is the link's backlog, at any rate of
    /// them, though nothing but theirs is slow.
    @Test(arguments: [45.0, 200, 1000])
    func readersThatDoNotReadShedNobody(perSecond: Double) {
        var link = ModelLink(bytesPerSecond: 125_000_000)
        link.run(8) {
            $0.ask(each: perSecond, .never)
            $0.ask(each: 10)
        }
        expectEqual(link.unavailable, 0)
    }

    /// Behind a proxy every answer begins with a closed window. On a full link those wait for it as
    /// well; on a free one they say nothing.
    @Test func whatIsUndecidedWaitsForAFullLink() {
        var link = loaded(documents: 30, seconds: 0.8)
        expectEqual(link.isFull(), false)
        link.run(0.3) { $0.ask(each: 100, .never) }
        expectEqual(link.isFull(), true)
        link.run(1.3)
        expectEqual(link.isFull(), false)
    }

    /// Readers that take a kilobyte now and then, 200 per second: they move at every look, and
    /// their sum is all that is known of the link. Ten others per second have theirs at once, where
    /// an equal share would take minutes: each of those shows that it is not the link.
    @Test(arguments: [10.0, 0]) func readersThatTakeLittleShedNobody(others: Double) {
        var link = ModelLink(bytesPerSecond: 125_000_000)
        link.run(20) {
            $0.ask(each: 200, .slowly(1000, closes: true))
            $0.ask(each: others)
        }
        // Alone they are what a full link looks like behind a proxy.
        expectEqual((link.unavailable > 0), (others == 0), "\(link.unavailable)")
    }

    /// Readers of 8.5 KB/s, four of them per second, and one client in two seconds beside them:
    /// those few show again and again that the link is free.
    @Test func fewClientsShowThatALinkIsFree() {
        var link = ModelLink(bytesPerSecond: 125_000_000)
        var refused = 0
        link.run(60) {
            $0.ask(each: 3.7, .slowly(8500, closes: true))
            let before = $0.unavailable
            $0.ask(each: 0.5)
            refused += $0.unavailable - before
        }
        #expect(refused <= 3, "of 30")
    }

    /// 10 connections of eight documents each are under way, at 1 MB/s. TCP shares the link between
    /// connections: a new one has its document when each of those has had as much, in 1.1 s, and
    /// not when all 80 are sent, in 8.8 s. Who asks on a connection that has eight before it waits
    /// for those.
    @Test func whoAsksForMuchOnOneConnectionHasTheShareOfOne() {
        var link = ModelLink(bytesPerSecond: 1_000_000)
        for _ in 0..<10 { link.ask(documents: 8) }
        link.run(2)
        expectEqual(link.isFull(), false)
        expectEqual(link.isFull(bytes: 9 * ModelLink.documentBytes), true)
    }
}
