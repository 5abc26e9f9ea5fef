import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ShedControllerTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func judge(
        _ controller: inout ShedController, _ seconds: Double, _ agent: String = "swcd",
        bytes: Int = 131_072
    ) -> Counter? {
        Array(agent.utf8).withUnsafeBytes {
            controller.judge(now: at(seconds), userAgent: $0, bytes: bytes)
        }
    }

    /// The handshake is paid for: an answer of 120 KB costs seven times a 503.
    @Test func aRequestThatWaitedOnAPooledConnectionIsShedByItsAge() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        func judge(_ waited: Duration?, _ agent: String = "front/1.0") -> Counter? {
            Array(agent.utf8).withUnsafeBytes {
                controller.judge(now: at(1), userAgent: $0, bytes: 131_072, waited: waited)
            }
        }
        #expect(judge(nil) == nil)
        #expect(judge(.milliseconds(1000)) == nil)
        expectEqual(judge(.milliseconds(1001)), .shedAge)
        #expect(judge(.seconds(30), "AASA-Bot/1.0.0") == nil)
    }

    /// Anybody can say that he is the crawler: exempt is a bounded number per second.
    @Test func whoSaysThatHeIsTheCrawlerIsBelievedSoOften() {
        var aged = ShedController(limits: ShedLimits(), now: at(0))
        var short = ShedController(limits: ShedLimits(), now: at(0))
        short.isMemoryShort = true
        // 200 answers of which nothing arrives.
        var full = ModelLink(bytesPerSecond: 100_000)
        for _ in 0..<200 { full.ask() }
        full.run(1)
        var crawlers = 0
        full.run(10) { crawlers += $0.askAsCrawler(times: 2) }
        // 10 at once and 10 per second for 10 s; and one each second whom a full link lets through.
        #expect((100...125).contains(crawlers), "\(crawlers)")
        func exempt(_ controller: inout ShedController, waited: Duration? = nil) -> Int {
            (0..<1000).count { step in
                Array("aasa-bot".utf8).withUnsafeBytes {
                    controller.judge(
                        now: at(4 + Double(step) / 100), userAgent: $0, bytes: 131_072,
                        waited: waited)
                } == nil
            }
        }
        for count in [exempt(&aged, waited: .seconds(30)), exempt(&short)] {
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

    @Test func memorySheds() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        controller.isMemoryShort = true
        expectEqual(judge(&controller, 0), .shedMemory)
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
