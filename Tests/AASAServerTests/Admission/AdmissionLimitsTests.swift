import Testing

@testable import AASAServer

/// The arithmetic of the figures, from what was measured (overload.md): a figure that is changed
/// has to fit the others.
@Suite struct AdmissionLimitsTests {
    private let limits = AdmissionLimits()
    /// Begun by one core with ECDSA: a handshake takes a quarter of a millisecond.
    private let handshakeTime: Duration = .microseconds(250)
    /// An SSL object in the middle of its handshake.
    private let handshakeBytes = 45 * 1024

    @Test func `A queue that was filled is empty before its clients are old`() throws {
        let seconds = try #require(limits.backlogSeconds)
        let emptied: Duration = .seconds(seconds / limits.acceptsPerHandshake)
        #expect(emptied <= limits.overloadAge)
        // It is emptied at all while it goes on being filled at the rate of the handshakes.
        #expect(limits.acceptsPerHandshake > 1)
        #expect(limits.acceptsPerHandshake * 0.07 < 0.2, "what is only accepted costs 7 %")
        // The bound belongs to the highest rate, and is that of a new listener.
        #expect(Double(limits.backlogMaximum) == seconds * 8192)
        #expect(limits.backlogMaximum == Int(ServerLimits.standard.backlog))
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

    @Test func `Silent handshakes fit the memory, and honest ones fit them`() {
        #expect(limits.silentHandshakesMaximum * handshakeBytes < 48 << 20)
        // One in a hundred is silent; each for as long as a handshake may take.
        let honest = 10_000 / 100 * ServerLimits.standard.handshakeTime.components.seconds
        #expect(limits.silentHandshakesMaximum >= Int(honest))
        // Who has not received our flight is excused: two seconds behind a full link.
        #expect(limits.handshakesExcusedMaximum >= 2 * 2000)
        #expect(limits.handshakesExcusedMaximum > limits.silentHandshakesMaximum)
        #expect(limits.handshakesExcusedMaximum * handshakeBytes < 200 << 20)
        #expect(limits.workingMinimum < limits.silentHandshakesMaximum)
        #expect(limits.workingMinimum > limits.startsPerTurn)
    }

    @Test func `Silence is shorter than the time for a handshake, and its memory is longer`() {
        let handshake = ServerLimits.standard.handshakeTime
        #expect(limits.silenceTolerated < handshake)
        // A silent handshake is remembered when its time has run out.
        #expect(limits.silenceMemory > handshake)
        // On a bad day one in ten honest clients is silent: it has to be trusted.
        #expect(1.0 / Double(limits.answersPerSilentPeer) > 0.1)
        // Two periods, in tables at most half full, with 16 bytes each.
        #expect(limits.silentAddressesMaximum * 16 * 2 * 2 <= 1 << 20)
        #expect(limits.distrustedMaximum * 4500 < 20 << 20)
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
