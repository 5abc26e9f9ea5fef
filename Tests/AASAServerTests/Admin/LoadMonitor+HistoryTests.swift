import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadMonitorHistoryTests {
    @Test func turnsSumsIntoRates() {
        var life = Life()
        life.pass(1) { $0.traffic.accepted = 10 }
        #expect(life.watch.points.isEmpty, "one sample has no rate")
        life.sample.time += 1
        life.pass(1) {
            $0.traffic.accepted = 30
            $0.traffic.answered = 8
            $0.traffic.processorSeconds = 1
        }
        expectEqual(life.watch.points.map { $0.rate(\.traffic.accepted) }, [10])
        expectEqual(life.watch.points.map { $0.rate(\.traffic.answered) }, [4])
        expectEqual(life.watch.points.map(\.processors), [0.5])
    }

    @Test func survivesCountersThatGoBack() {
        var life = Life()
        life.pass(1) { $0.traffic.accepted = 20 }
        life.pass(1) { $0.traffic.accepted = 5 }
        expectEqual(life.watch.points.map { $0.rate(\.traffic.accepted) }, [0])
    }

    @Test func keepsAQuarterOfAnHour() {
        var life = Life()
        life.pass(1001) { _ in }
        expectEqual(life.watch.points.count, LoadMonitor.pointsMaximum)
        expectEqual(life.watch.points.last?.last.second, 1001)
    }

    @Test func countsWhoWasTurnedAwayInTheLastMinute() {
        var life = Life()
        life.calm(50)
        life.pass(10) { $0.traffic.shedByCause["age", default: 0] += 3 }
        life.calm(40)
        expectEqual(life.watch.minute.shed, 30)
        life.calm(13)
        expectEqual(life.watch.minute.shed, 21)
        life.calm(60)
        expectEqual(life.watch.minute.shed, 0)
    }

    /// Seconds with so many new connections, and clients that are turned away.
    private func pass(
        _ life: inout Life, _ seconds: Int, accepted: UInt64, shed: UInt64 = 0
    ) {
        life.pass(seconds) {
            $0.traffic.accepted += accepted
            $0.traffic.answered += accepted
            $0.traffic.served += accepted
            $0.traffic.shedByCause["age", default: 0] += shed
        }
    }

    @Test func seesNoStormInOrdinaryTraffic() {
        var life = Life()
        pass(&life, 600, accepted: 40)
        pass(&life, 100, accepted: 120)
        #expect(life.watch.storm == nil)
    }

    @Test func takesABusyStartForUsual() {
        var life = Life()
        pass(&life, 60, accepted: 500)
        #expect(life.watch.storm == nil)
        pass(&life, 1, accepted: 500, shed: 1)
        #expect(life.watch.storm != nil, "who is turned away is turned away")
    }

    @Test func recordsAStormFromItsBeginToItsEnd() throws {
        var life = Life()
        pass(&life, 300, accepted: 5)
        pass(&life, 20, accepted: 900, shed: 10)
        let during = try #require(life.watch.storm)
        #expect(!during.isOver)
        expectEqual(during.began, 301)
        expectEqual(during.whole.shed, 200)
        expectEqual(during.whole.sum(\.traffic.answered), 18_000)
        expectEqual(during.mostAccepted, 900)

        pass(&life, 300, accepted: 5)
        let after = try #require(life.watch.storm)
        #expect(after.isOver)
        expectEqual(after.lastSeen, 320)
        #expect(life.watch.overload == nil)
    }

    /// A rise that is too slow for the rate is seen by what it exhausts.
    @Test func anOverloadIsAStorm() throws {
        var life = Life()
        life.calm(30)
        life.pass(10) {
            $0.traffic.accepted += 25
            $0.acceptPauses += 1
        }
        expectEqual(life.watch.overload?.cause, .descriptors)
        let storm = try #require(life.watch.storm)
        #expect(!storm.isOver)
        life.calm(60)
        #expect(life.watch.overload == nil)
        expectEqual(life.watch.storm?.isOver, true)
    }
}
