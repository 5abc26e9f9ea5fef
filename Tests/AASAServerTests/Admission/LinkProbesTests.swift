import Reactor
import Testing

@testable import AASAServer

@Suite struct LinkProbesTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private let limits = ShedLimits()

    private func probes() -> LinkProbes { LinkProbes(limits: limits, now: at(0)) }

    @Test func fourAtOnceAndOneEachSecond() {
        var probes = probes()
        let count = (0..<1000).count { probes.letThrough(network: 7, now: at(Double($0) / 100)) }
        #expect((13...14).contains(count))
    }

    @Test func threeOfFourThatAreEarlyShowAFreeLinkForAWhile() {
        var probes = probes()
        for wasEarly in [true, false, true] {
            probes.ended(wasEarly: wasEarly, network: 1, now: at(1))
            #expect(!probes.isFree(now: at(1)))
        }
        probes.ended(wasEarly: true, network: 1, now: at(2))
        #expect(probes.isFree(now: at(2)))
        #expect(!probes.isFree(now: at(2) + limits.egressTimeMaximum))
        // Another one is enough to go on; two that are slow end it.
        probes.ended(wasEarly: true, network: 1, now: at(8))
        #expect(probes.isFree(now: at(8)))
        probes.ended(wasEarly: false, network: 1, now: at(14))
        probes.ended(wasEarly: false, network: 1, now: at(14))
        probes.ended(wasEarly: true, network: 1, now: at(14))
        #expect(!probes.isFree(now: at(14)))
    }

    /// Slow readers are refused and ask again, more often than anybody else.
    @Test func aNetworkWithASlowAnswerGetsNoOtherForAWhile() {
        var probes = probes()
        func isLetThrough(_ network: UInt64, _ now: MonotonicInstant) -> Bool {
            probes.letThrough(network: network, now: now)
        }
        #expect(isLetThrough(1, at(0)))
        probes.ended(wasEarly: false, network: 1, now: at(20))
        probes.tookLong(network: 3, now: at(29))
        #expect(!isLetThrough(1, at(30)))
        #expect(!isLetThrough(3, at(30)))
        #expect(isLetThrough(2, at(30)))
        #expect(isLetThrough(1, at(20) + limits.probePause))
    }

    @Test func manySlowNetworksAreForgotten() {
        var probes = probes()
        let most = UInt64(limits.slowNetworksMaximum)
        for network in 0..<most {
            probes.ended(wasEarly: false, network: network, now: at(0))
        }
        let isLetThrough = probes.letThrough(network: 5, now: at(1))
        #expect(!isLetThrough)
        probes.ended(wasEarly: false, network: most, now: at(1))
        let after = [5, most].map { probes.letThrough(network: $0, now: at(1)) }
        #expect(after == [true, false])
    }

    /// Forty who take 8 KB a second each believe a link of 340 KB/s to be full; who is alone with
    /// them has 120 KB at once.
    @Test func whoArrivesSixteenTimesSoonerIsEarly() {
        var controller = ShedController(limits: limits, now: at(0))
        var sample = EgressSample()
        sample.kernelBytes = 4_000_000
        sample.wholeBytes = 4_800_000
        sample.answers = 40
        for step in 1...50 {
            controller.sent(68_000)
            controller.sampled(sample, now: at(Double(step) / 5))
        }
        let answer = LargeAnswer(
            bytes: 120_000, behind: nil, acknowledged: 0, end: 120_000, now: at(10))
        #expect(controller.isEarly(answer, now: at(10.4)))
        #expect(!controller.isEarly(answer, now: at(12)))
    }
}
