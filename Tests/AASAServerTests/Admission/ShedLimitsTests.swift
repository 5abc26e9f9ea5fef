import TestSupport
import Testing

@testable import AASAServer

/// The arithmetic of the figures (overload.md sections 3 and 5.1).
@Suite struct ShedLimitsTests {
    private let limits = ShedLimits()
    private let documentBytes = 128 * 1024

    @Test func `A backlog that counts is several documents, and no small answer makes one`() {
        expectEqual(limits.egressBytesMinimum, 8 * documentBytes)
        #expect(limits.largeAnswerBytes < documentBytes)
        // Ten segments of 1,460 bytes leave without an acknowledgement.
        #expect(limits.largeAnswerBytes <= 10 * 1460)
        #expect(limits.largeAnswerBytes > 9 * 1460)
    }

    @Test func `What is accepted before a link is known to be full fits a client's patience`() {
        // The shortest patience that was seen, of which half is for the link.
        #expect(limits.egressTimeMaximum * 2 <= .seconds(10))
        let blind = limits.slowAnswerTime + limits.samplePeriod
        #expect(blind * 10 < .seconds(10), "at ten times the rate of the link")
        #expect(limits.slowAnswerTime > limits.samplePeriod, "else no sample could tell")
        #expect(limits.slowAnswerTime < limits.egressTimeMaximum)
    }

    @Test func `Derived times follow the figures that they come from`() {
        var other = limits
        other.egressTimeMaximum = .seconds(40)
        other.samplePeriod = .milliseconds(30)
        other.stallTolerated = .seconds(3)
        expectEqual(other.slowAnswerTime, .seconds(5))
        expectEqual(other.sampleAgeMaximum, .milliseconds(150))
        expectEqual(other.travelsKnown, .milliseconds(3030))
    }

    @Test func `A measurement is used until some were missed, not for longer than an answer`() {
        #expect(limits.sampleAgeMaximum > limits.samplePeriod * 2)
        #expect(limits.sampleAgeMaximum < limits.egressTimeMaximum)
        #expect(limits.stallTolerated >= limits.samplePeriod * 5)
        #expect(limits.travelsKnown > limits.stallTolerated)
        #expect(limits.travelsKnown < ServerLimits.standard.answerTime)
        // Asking 10,000 sockets takes 3 ms: below 2 % of the processor.
        #expect(.milliseconds(3) * 50 < limits.samplePeriod)
    }

    @Test func `A few readers cannot fill a link for all others`() {
        #expect(limits.votesMinimum >= 8)
        #expect(limits.votesLooked >= 4 * limits.votesMinimum)
        // An answer near by is early on a link that is shared 15 to 1, and counts.
        #expect(limits.earlyFactor > 15)
        #expect(limits.votesMaximum >= 8 * limits.earlyShare)
        #expect(limits.passesByTime * Double(documentBytes) < 1e6)
        let held = limits.stalledReadersMaximum * ServerLimits.standard.sendBufferBytes
        #expect(held <= 200 << 20)
    }

    @Test func `Who says that it is Apple's crawler cannot fill a link or use up the budget`() {
        #expect(limits.crawlerBudgetShare < 0.5)
        #expect(limits.crawlerBudgetShare > 0)
        let bytes = limits.crawlerAnswersPerSecond * Double(documentBytes)
        #expect(bytes < 2e6)
        #expect(limits.crawlerAnswersPerSecond >= 1, "10,000 hosts are asked some times a day")
        #expect(limits.answersPerSecond == nil, "no budget, unless an operator says one")
        #expect(limits.requestAgeMaximum < limits.egressTimeMaximum)
    }
}
