import TestSupport
import Testing

@testable import AASAServer

/// The arithmetic of the figures, from what was measured (overload.md): a figure that is changed
/// has to fit the others.
@Suite struct AdmissionLimitsTests {
    private let limits = AdmissionLimits()
    /// Begun by one core with ECDSA: a handshake takes a quarter of a millisecond.
    private let handshakeTime: Duration = .microseconds(250)

    @Test func `A queue that was filled is empty before its clients are old`() throws {
        let seconds = try #require(limits.backlogSeconds)
        let emptied: Duration = .seconds(seconds / limits.acceptsPerHandshake)
        #expect(emptied <= limits.overloadAge)
        // It is emptied at all while it goes on being filled at the rate of the handshakes.
        #expect(limits.acceptsPerHandshake > 1)
        #expect(limits.acceptsPerHandshake * 0.07 < 0.2, "what is only accepted costs 7 %")
        // The bound belongs to the highest rate, and is that of a new listener.
        expectEqual(Double(limits.backlogMaximum), seconds * 8192)
        expectEqual(limits.backlogMaximum, Int(ServerLimits.standard.backlog))
    }

    @Test func `The shortest queue holds more than the server takes in a few turns`() {
        #expect(limits.backlogMinimum >= 4 * limits.startsPerTurn)
        #expect(limits.backlogMinimum >= ServerLimits.standard.acceptsPerTurn)
        #expect(limits.backlogMinimum < limits.backlogMaximum)
    }

    @Test func `A batch of handshakes leaves the loop its turn`() {
        let batch = handshakeTime * limits.startsPerTurn
        #expect(batch * 2 < limits.turnTimeMaximum, "else the batch would be halved at once")
        // A crowd that has gone is looked through as fast as a batch is begun.
        #expect(.microseconds(2) * limits.looksPerTurn < batch)
        #expect(limits.looksPerTurn > limits.startsPerTurn)
    }

    @Test func `A second of unanswered ClientHellos fits, at the full rate`() {
        // What only begins a handshake is begun faster than whole handshakes are (COSTS.md).
        let begun: Duration = .microseconds(203)
        let full = limits.silenceTolerated / begun
        #expect(Double(limits.handshakesMaximum) >= full)
        #expect(limits.handshakesMaximum * limits.handshakeBytes <= 225_000_000)
        // Who has not received our flight is excused: two seconds behind a full link.
        #expect(limits.handshakesMaximum >= 2 * 2500)
        #expect(limits.workingMinimum < limits.handshakesMaximum)
        #expect(limits.workingMinimum > limits.startsPerTurn)
        #expect(limits.silenceTolerated < ServerLimits.standard.handshakeTime)
    }

    @Test func `Impatience is learned from clients that waited, and never serves nobody`() {
        // Learned patience below the margin would leave no time in which a client is served.
        #expect(limits.ageCapMinimum > .zero)
        #expect(limits.patienceSampleMinimum >= limits.ageCapMinimum)
        #expect(limits.patienceMargin >= limits.patienceSampleMinimum)
        #expect(limits.patienceSamplesMinimum <= limits.patienceSamplesKept)
        #expect(limits.patienceMemory > limits.patienceMargin)
        // Who has waited for less cannot have left for impatience: it is not looked at again.
        #expect(limits.inspectionAge < limits.patienceSampleMinimum)
        #expect(limits.queueAgeTolerated <= limits.inspectionAge)
        #expect(limits.overloadAge > limits.inspectionAge)
    }
}
