/// The figures of ``AdmissionController``, with their reasons (overload.md sections 3 and 6).
package struct AdmissionLimits: Sendable, Equatable {
    /// The kernel's queue holds so many seconds of handshakes. At twice the handshake rate it is
    /// emptied in half the time, so nobody is old already when we see it first: with a fixed 4,096
    /// and 100 handshakes/s (RSA-4096 on a slow machine) that took 20 s, and at ten times the load
    /// everybody taken in had given up. `nil`: as the listener was made.
    package var backlogSeconds: Double? = 2

    /// Never a shorter queue than this: with 16, clients stay unanswered before an idle server
    /// (overload.md section 4), with 128 all are answered.
    package var backlogMinimum = 128

    /// Never a longer one: 2 s of 8,192 handshakes/s.
    package var backlogMaximum = 16_384

    /// Handshakes started per turn: 16 x 0.25 ms = 4 ms, so a client whose Finished arrives waits
    /// at most that.
    package var startsPerTurn = 16

    /// The batch is halved, down to 1, when a turn takes longer than this (another tenant of the
    /// machine, RSA keys).
    package var turnTimeMaximum: Duration = .milliseconds(20)

    /// Handshakes that were begun, or whose peer has spoken, within `silenceTolerated`: mu x 1 s by
    /// Little's law for a round trip of up to 1 s; never fewer than this. It keeps a burst of
    /// ClientHellos from going before those who answer; it never lets the processor rest.
    package var workingMinimum = 256

    /// Who is silent for longer waits for the network or on purpose: 1 s is a round trip over a bad
    /// radio link, or a first retransmission (RFC 6298).
    package var silenceTolerated: Duration = .seconds(1)

    /// Handshakes that wait for silent peers, per worker. Each holds an SSL object of about 45 KB
    /// (measured: 4,096 unanswered ClientHellos cost 184 MB): 1,024 are 46 MB. Of clients that mean
    /// it 1 % are silent for more than a second: that many at 10,000 handshakes/s and 10 s each.
    package var silentHandshakesMaximum = 1024

    /// Handshakes under way up to which a peer that has not our flight is not called silent:
    /// 4,096 are 184 MB, and 2 s of 2,000 handshakes/s behind a full link. Who never acknowledges
    /// anything could hold more of them else.
    package var handshakesExcusedMaximum = 4096

    /// An address is distrusted while it holds three silent handshakes or more, and one for each so
    /// many that were answered: of clients that mean it 1 % are silent, on a bad day of a carrier's
    /// network 10 %.
    package var answersPerSilentPeer = 8

    /// What an address has left unanswered is remembered for so long, up to twice. 1,024 silent
    /// handshakes are two each of 512 addresses, and nobody would be distrusted among more: in half
    /// a minute each of 10,000 addresses that send 1,000 ClientHellos per second has sent three.
    package var silenceMemory: Duration = .seconds(30)

    /// Such addresses, per worker and for each of those times: 16,384 entries of 16 bytes in tables
    /// at most half empty are 1 MB for both.
    package var silentAddressesMaximum = 16_384

    /// Clients of distrusted addresses that wait, per worker: 4.5 KB each are 18 MB. Beyond it the
    /// one that has waited longest gives way, which would be served last.
    package var distrustedMaximum = 4096

    /// Candidates looked at in one turn, one or two system calls of 1 µs each: 1 ms at most for a
    /// crowd that has left or sent no whole ClientHello.
    package var looksPerTurn = 512

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

    /// Once nobody has waited for this long, what was learned is forgotten: the next surge may be
    /// of others, and with a cap of 8 s learned from the last one, clients that wait for 60 s are
    /// stranded (83 % instead of 98 % at twice the load). Learning anew costs nothing: until the
    /// first leave, oldest first is right.
    package var patienceMemory: Duration = .seconds(10)

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
