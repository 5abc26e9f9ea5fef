import Reactor
import Testing

@testable import AASAServer

/// A link that carries nothing any more: its rate falls by a third with each sample, for ever.
@Suite struct DeadLinkTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    @Test func itHasALimitForStallsAsWell() {
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        var sample = EgressSample()
        sample.kernelBytes = 60 * 131_072
        sample.answers = 60
        for number in 1...20 {
            controller.began(bytes: 0)
            controller.sent(200_000)
            controller.completed(bytes: 131_072, after: .seconds(1))
            controller.sampled(sample, now: at(Double(number) * 0.2))
        }
        for number in 21...400 { controller.sampled(sample, now: at(Double(number) * 0.2)) }
        #expect(controller.stallLimits(answers: 60).ofTheLink == ShedLimits().egressTimeMaximum)
    }
}
