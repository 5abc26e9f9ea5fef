/// The figures of ``AdmissionController``, with their reasons (overload.md sections 3 and 6).
package struct AdmissionLimits: Sendable, Equatable {
    /// The kernel's queue holds so many seconds of handshakes. At twice the handshake rate it is
    /// emptied in half the time, so no client is old already when we accept it. With a fixed 4,096
    /// and 100 handshakes/s (RSA-4096 on a slow machine) emptying took 20 s, and at ten times the
    /// load every accepted client had given up. `nil`: the queue keeps the listener's bound.
    package var backlogSeconds: Double? = 2

    /// The queue is never shorter than this: with 16, clients stay unanswered although the server
    /// is idle (overload.md section 4); with 128 all are answered.
    package var backlogMinimum = 128

    /// The queue is never longer than this: 2 s of 8,192 handshakes/s.
    package var backlogMaximum = 16_384

    /// Handshakes started per turn: 16 x 0.25 ms = 4 ms, so a client whose Finished arrives waits
    /// at most that.
    package var startsPerTurn = 16

    /// The batch is halved, down to 1, when a turn takes longer than this (another tenant on the
    /// machine, RSA keys).
    package var turnTimeMaximum: Duration = .milliseconds(20)

    /// The bound on handshakes that were begun, or whose peer sent something, within
    /// `silenceTolerated`: mu x 1 s by Little's law for a round trip of up to 1 s, but never lower
    /// than this. It keeps a burst of ClientHellos from delaying handshakes whose peers answer; it
    /// never leaves the processor idle.
    package var workingMinimum = 256

    /// A peer that is silent for longer waits for the network, or is silent on purpose: 1 s is a
    /// round trip over a bad radio link, or a first retransmission (RFC 6298).
    package var silenceTolerated: Duration = .seconds(1)

    /// What a handshake under way holds: its SSL object and its flight (measured: 4,096 unanswered
    /// ClientHellos cost 184 MB). Behind it 15 KB are left.
    package var handshakeBytes = 45_000

    /// Handshakes under way, per worker. Above it, the one whose peer has been silent for longest
    /// gives way, but none before `silenceTolerated`. A core begins at most 5,000 handshakes a
    /// second (203 µs each, COSTS.md), so 5,000 are one second of ClientHellos without an answer,
    /// at the full rate: 5,000 x 45 KB = 225 MB. With less memory than that, silent handshakes give
    /// way earlier (`ServerLimits.memoryShareHard`). Up to this number, a peer that has not yet
    /// received our flight is not called silent: 2 s of 2,500 handshakes/s behind a full link.
    package var handshakesMaximum = 5000

    /// Candidates looked at in one turn, one or two system calls of 1 µs each: at most 1 ms for a
    /// crowd that has left or sent no whole ClientHello.
    package var looksPerTurn = 512

    /// New connections are accepted at twice the handshake rate. Each costs 4 % of a whole service
    /// even if it is never served (overload.md, section 3): at ten times the load, accepting all of
    /// them would use 40 % of the processor.
    package var acceptsPerHandshake = 2.0

    /// The burst of the accept budget: 0.2 s of the accept rate.
    package var acceptBurstSeconds = 0.2

    /// A client's handshake does not start within this time before the client is expected to leave:
    /// the one or two round trips of the handshake would end after the client has gone.
    package var patienceMargin: Duration = .seconds(2)

    /// The age cap is never below this, however impatient the clients look: clients that leave
    /// early on purpose cannot push all others out.
    package var ageCapMinimum: Duration = .seconds(1)

    /// A client that leaves earlier than this says nothing about patience: aborts, probes, races of
    /// Happy Eyeballs (RFC 8305).
    package var patienceSampleMinimum: Duration = .seconds(1)

    /// Once no client has waited for this long, learned patience is forgotten: the next surge may
    /// be of other clients. With a cap of 8 s learned from the last surge, clients that would wait
    /// for 60 s are not served (83 % answered instead of 98 % at twice the load). Learning again
    /// costs nothing: until the first client leaves, oldest first is right.
    package var patienceMemory: Duration = .seconds(10)

    /// Patience is learned and used only while at least this share of the handshakes is completed:
    /// in a surge of phones nine of ten are, in a flood of ClientHellos that fail or stay
    /// unanswered hardly any. An attacker who wants to be believed has to complete as many
    /// handshakes as fail, and each costs as much as an honest client's.
    package var completedShareMinimum = 0.5

    /// The share is an exponential mean of about the last so many handshakes: a tenth of a second
    /// at 2,500 a second.
    package var completedShareOf = 256.0

    /// Patience is known after this many samples.
    package var patienceSamplesMinimum = 20

    /// Patience is learned from the last so many samples.
    package var patienceSamplesKept = 100

    /// A connection accepted from a queue that was seen empty within this time cannot have waited
    /// for longer, so TCP is not asked for its age.
    package var queueAgeTolerated: Duration = .milliseconds(500)

    /// The socket of a client that has waited for longer than this is inspected once more before
    /// its handshake starts.
    package var inspectionAge: Duration = .milliseconds(500)

    /// While the oldest client has been waiting for longer than this, idle connections are kept for
    /// `ServerLimits.idleTimeUnderPressure` only.
    package var overloadAge: Duration = .seconds(1)

    package init() {}
}
