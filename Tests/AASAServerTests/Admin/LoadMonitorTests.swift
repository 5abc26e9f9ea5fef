import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadMonitorTests {
    @Test func calmIsNoOverload() {
        var life = Life()
        life.calm(120)
        #expect(life.watch.overload == nil)
        expectEqual(life.watch.lately.share, 1)
        expectEqual(life.watch.lately.decided, 200)
    }

    /// Within five seconds, and with the cause and the figures.
    @Test func aStormOfTheProcessorIsSaidInTime() throws {
        var life = Life()
        life.calm(30)
        life.storm(5)
        let overload = try #require(life.watch.overload)
        expectEqual(overload.cause, .processor)
        #expect(overload.text.contains("left before an answer"))
        #expect(overload.text.contains("cores"))
        life.storm(20)
        #expect(life.watch.lately.share < 0.3)
        expectEqual(life.watch.overload?.since, overload.since)
    }

    @Test func itIsOverWithinAMinuteAndNotBetweenTwoWaves() {
        var life = Life()
        life.calm(10)
        life.storm(30)
        life.calm(10)
        #expect(life.watch.overload != nil)
        life.storm(5)
        life.calm(50)
        #expect(life.watch.overload == nil)
    }

    @Test func othersOnTheMachineAreToldFromOurselves() {
        var life = Life()
        life.calm(30)
        for _ in 0..<10 {
            life.storm(1, processors: 0.6)
            life.sample.machine.stalledSeconds += 0.9
        }
        expectEqual(life.watch.overload?.cause, .starved)
        expectEqual(life.watch.overload?.text.contains("stalled"), true)
        var stolen = Life()
        stolen.calm(30)
        for _ in 0..<10 {
            stolen.sample.machine.allTicks += 200
            stolen.sample.machine.stolenTicks += 80
            stolen.storm(1, processors: 0.6)
        }
        expectEqual(stolen.watch.overload?.cause, .starved)
        expectEqual(stolen.watch.overload?.text.contains("stolen"), true)
    }

    @Test(arguments: [
        ("link", LoadMonitor.Cause.link), ("memory", .memory), ("budget", .budget),
        ("descriptors", .descriptors), ("memory pauses", .memory),
    ])
    func whatRunsOutIsNamed(what: String, cause: LoadMonitor.Cause) {
        var life = Life()
        life.calm(30)
        life.pass(3) {
            $0.traffic.served += 100
            $0.traffic.processorSeconds += 0.1
            if what == "descriptors" || what == "memory pauses" {
                $0.acceptPauses += 1
                if what == "memory pauses" { $0.memoryPauses += 1 }
            } else {
                $0.traffic.shedByCause[what, default: 0] += 40
            }
        }
        expectEqual(life.watch.overload?.cause, cause)
        if ["link", "memory", "budget"].contains(what) { #expect(life.watch.lately.share < 1) }
    }

    /// Scanners that come and go are no overload, and phones in a tunnel neither.
    @Test func peersThatLeaveAreNoOverload() {
        var life = Life()
        life.calm(30)
        life.pass(30) {
            $0.traffic.served += 20
            $0.traffic.gaveUp += 10
            $0.traffic.processorSeconds += 0.1
        }
        #expect(life.watch.overload == nil)
        expectEqual(life.watch.peerProblem?.contains("peer"), true)
        life.calm(30)
        #expect(life.watch.peerProblem == nil)
    }

    @Test func oneBadSecondIsAnAccident() {
        var life = Life()
        life.calm(30)
        life.pass(1) {
            $0.connections.waiting = 50
            $0.traffic.handshakes += 1
            $0.traffic.processorSeconds += 2
        }
        life.calm(5)
        #expect(life.watch.overload == nil)
    }

    @Test func everyReasonHasAMeaning() {
        expectEqual(CloseReason.allCases.filter { $0.meaning == .left }.count, 3)
        expectEqual(CloseReason.answered.meaning, .served)
        expectEqual(CloseReason.handshakeTimeout.meaning, .cut)
        expectEqual(CloseReason.notTLS.meaning, .fault)
    }

    /// As behind a move to another machine.
    @Test func timeThatWasGivenBackWasNotStolen() {
        var life = Life()
        life.sample.machine.allTicks = 1000
        life.sample.machine.stolenTicks = 50
        life.calm(1)
        life.sample.machine.allTicks += 100
        life.sample.machine.stolenTicks -= 1
        life.calm(1)
        expectEqual(life.watch.lately.stolen, 0)
        var report = SampleReports.serving()
        report.load = life.watch
        #expect(!StatusJSON.render(report, Health(report)).isEmpty)
    }
}
