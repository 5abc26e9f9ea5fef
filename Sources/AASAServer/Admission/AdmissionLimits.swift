/// The figures of ``AdmissionController``, with their reasons (overload.md sections 3 and 6).
package struct AdmissionLimits: Sendable, Equatable {
    /// Handshakes started per turn: 16 x 0.25 ms = 4 ms, so a client whose Finished arrives waits
    /// at most that.
    package var startsPerTurn = 16

    /// The batch is halved, down to 4, when a turn takes longer than this (another tenant of the
    /// machine, RSA keys).
    package var turnTimeMaximum: Duration = .milliseconds(20)

    /// Half-done handshakes: mu x 1 s by Little's law for a round trip of up to 1 s; never fewer
    /// than this.
    package var inFlightMinimum = 256

    /// New connections are taken in at twice the handshake rate: each costs 7 % of a service even
    /// if it is never served, so that at ten times the load accepting everybody would burn 70 % of
    /// the processor.
    package var acceptsPerHandshake = 2.0

    /// The accept budget's burst: 0.2 s of it.
    package var acceptBurstSeconds = 0.2

    /// A client is not started within this time of the moment it is expected to leave: one or two
    /// round trips of the handshake would end after it has gone.
    package var patienceMargin: Duration = .seconds(2)

    /// The cap is never below this, however impatient the clients look: who leaves early on purpose
    /// cannot push everybody out.
    package var ageCapMinimum: Duration = .seconds(1)

    /// Leaving earlier than this says nothing about patience: aborts, probes, races of Happy
    /// Eyeballs (RFC 8305).
    package var patienceSampleMinimum: Duration = .seconds(1)

    /// Patience is known from this many samples on.
    package var patienceSamplesMinimum = 20

    /// It is learned from the last so many.
    package var patienceSamplesKept = 100

    /// Connections accepted from a queue that was empty within this time cannot have waited longer:
    /// TCP is not asked.
    package var queueAgeTolerated: Duration = .milliseconds(500)

    /// A client that has waited longer than this is looked at once more before its handshake
    /// starts.
    package var inspectionAge: Duration = .milliseconds(500)

    /// The oldest waiting longer than this for a second: overload.
    package var overloadAge: Duration = .seconds(1)

    package init() {}
}
