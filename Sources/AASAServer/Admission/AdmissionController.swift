package import Reactor

/// Decides which handshake starts next, and how fast new connections are accepted.
///
/// Nearly all of the cost is the handshake (a 503 needs the same one as a 200), so under overload
/// the order decides: *oldest first among those younger than the learned patience minus 2 s, newest
/// first among the rest*; handshakes under way before new ones; accept rate capped at twice the
/// handshake rate. Plain FIFO collapses, since it always serves the client that is about to give
/// up. Plain LIFO never serves early clients that would still wait.
///
/// **It is work-conserving**: a handshake that waits for its peer needs no processor, and the bound
/// on handshakes under way holds only while there is other work to do. While a client waits whose
/// ClientHello has arrived, the loop does not sleep (``mustNotSleep``), and a turn that finds
/// nothing else to do starts the next batch whatever the bound says. The number of handshakes that
/// wait for silent peers is bounded only because of their memory: ``handshakeToEvict`` names the
/// one that gives way.
///
/// **A ClientHello whose handshake the client never answers costs the client nothing**, but costs
/// us most of a handshake. So clients of addresses that leave most of their handshakes unanswered
/// are served last: the newest first, with the processor time that the others leave. Unanswered
/// handshakes are remembered for a while (``SilentAddressHistory``), because a crowd of many
/// addresses holds few handshakes at each. No client is refused for this reason, and while nobody
/// else waits no client is delayed.
///
/// A value: tokens and times go in, decisions come out. Only the socket knows whether a client is
/// still there and whether its ClientHello is whole. So ``next(now:)`` names a candidate, the
/// caller looks at the socket, and calls ``started(_:network:now:)`` only if there is a handshake
/// to start.
package struct AdmissionController: Sendable {
    /// A client whose ClientHello is there.
    package struct Candidate: Sendable, Equatable {
        package let token: SlotToken
        /// When its ClientHello arrived, in the kernel's queue if it was there first.
        package let helloAt: MonotonicInstant
    }

    private let limits: AdmissionLimits
    private var waiting = WaitingClients()
    /// Handshakes begun and not ended, ordered by when the peer last sent something.
    private var handshakes: SilentPeers
    private var silences: SilentAddressHistory
    private var patience: PatienceEstimate
    private var rate: HandshakeRate
    private var acceptTokens = 0.0
    private var refilledAt: MonotonicInstant
    private var startsLeft: Int
    private var looksLeft: Int
    private var batch: Int
    /// The turn began with nothing else to do.
    private var isIdle = false
    private var overloadedSince: MonotonicInstant?
    private var backlog: Int
    /// Since when no client waits.
    private var emptySince: MonotonicInstant?
    /// Clients that wait.
    package var waitingCount: Int { waiting.count }
    /// Waiting clients whose address leaves its handshakes unanswered.
    var distrustedCount: Int { waiting.distrustedCount }
    /// Handshakes that began, or whose peer sent something, within the last second.
    package var workingCount: Int { handshakes.recentCount }
    /// Handshakes whose peer has been silent for longer.
    package var silentCount: Int { handshakes.silentCount }
    /// For a second, the oldest client has been waiting for more than a second. Keep-alive is
    /// shorter then.
    package private(set) var isOverloaded = false

    package init(limits: AdmissionLimits, now: MonotonicInstant) {
        self.limits = limits
        handshakes = SilentPeers(grace: limits.silenceTolerated)
        silences = SilentAddressHistory(
            generation: limits.silenceMemory, addressesMaximum: limits.silentAddressesMaximum,
            now: now)
        patience = PatienceEstimate(limits: limits)
        rate = HandshakeRate()
        refilledAt = now
        batch = limits.startsPerTurn
        startsLeft = batch
        looksLeft = limits.looksPerTurn
        backlog = limits.backlogMaximum
    }

    /// Handshakes per second that this worker can complete, as measured; `nil` before the first
    /// sample.
    package var handshakesPerSecond: Double? { rate.perSecond }

    /// Clients older than this are served newest first. `nil`: patience is not known, all are
    /// served oldest first.
    package var ageCap: Duration? {
        patience.estimate.map { max(limits.ageCapMinimum, $0 - limits.patienceMargin) }
    }

    private var workingMaximum: Int {
        max(limits.workingMinimum, Int(rate.perSecond ?? 0))
    }

    // MARK: Intake

    /// Whether one more connection may be accepted from the kernel's queue now. Always, while no
    /// client waits that would be served before it.
    package mutating func mayAccept(now: MonotonicInstant) -> Bool {
        guard waiting.trustedCount > 0, let mu = rate.perSecond else { return true }
        let perSecond = mu * limits.acceptsPerHandshake
        let elapsed = (now - refilledAt).inSeconds
        refilledAt = now
        acceptTokens = min(
            max(1, perSecond * limits.acceptBurstSeconds), acceptTokens + perSecond * elapsed)
        return acceptTokens >= 1
    }

    /// One connection was accepted.
    package mutating func accepted() { acceptTokens = max(0, acceptTokens - 1) }

    /// Whether a new client's handshake may start without waiting: no client waits that goes first,
    /// and the turn's batch is not used up.
    package var startsAtOnce: Bool { waiting.trustedCount == 0 && mayStart }

    private var mayStart: Bool {
        startsLeft > 0 && (isIdle || workingCount < workingMaximum)
    }

    /// The new bound of the kernel's queue; `nil`: no change. Asked once per turn.
    package mutating func backlogChange() -> Int? {
        guard let seconds = limits.backlogSeconds, let mu = rate.perSecond else { return nil }
        let wanted = min(limits.backlogMaximum, max(limits.backlogMinimum, Int(mu * seconds)))
        // The rate is noisy, and each change is a system call.
        if abs(wanted - backlog) * 4 <= backlog { return nil }
        backlog = wanted
        return wanted
    }

    /// A client's ClientHello is there; it waits for its turn.
    ///
    /// - Parameter network: ``SocketAddress/network`` of the peer.
    package mutating func arrived(
        _ token: SlotToken, network: UInt64, helloAt: MonotonicInstant
    ) {
        waiting.append(
            token, network: network, helloAt: helloAt,
            to: isDistrusted(network) ? .distrusted : .young)
    }

    /// A client left so long after its ClientHello. Patience is learned from these times.
    package mutating func left(waited: Duration) { patience.add(waited) }

    /// A connection is closed: if it waited, it waits no more.
    package mutating func forget(_ token: SlotToken) { waiting.remove(token) }

    private func isDistrusted(_ network: UInt64) -> Bool {
        handshakes.isMostlySilent(
            network: network, oneOf: limits.answersPerSilentPeer,
            earlier: silences.record(of: network))
    }

    /// The client that gives way because more clients of distrusted addresses wait than memory
    /// allows. Ask again after ``forget(_:)``.
    package var waitingToEvict: SlotToken? {
        guard waiting.distrustedCount > limits.distrustedMaximum else { return nil }
        return waiting.first(.distrusted)?.token
    }

    /// The waiting client that gives way when a slot is needed: a client of a distrusted address
    /// that has waited for a while.
    package func waitingToMissLeast(now: MonotonicInstant) -> SlotToken? {
        guard let client = waiting.first(.distrusted),
            now - client.helloAt >= limits.silenceTolerated
        else { return nil }
        return client.token
    }

    // MARK: Starting

    /// A turn of the loop begins: a new batch of starts.
    ///
    /// - Parameters:
    ///   - isIdle: the turn found no event and no unfinished work.
    ///   - isReached: whether the peer of a handshake has received our flight, and we have read all
    ///     that the peer sent. Otherwise the peer cannot be called silent: on a full link flights
    ///     take seconds.
    package mutating func turnBegan(
        now: MonotonicInstant, isIdle: Bool, isReached: (SlotToken) -> Bool = { _ in true }
    ) {
        startsLeft = batch
        looksLeft = limits.looksPerTurn
        self.isIdle = isIdle
        // Above this bound memory matters more, and nobody is excused.
        let mayExcuse = handshakes.count <= limits.handshakesExcusedMaximum
        handshakes.turnBegan(now: now) { mayExcuse && !isReached($0) }
        silences.turnBegan(now: now)
    }

    /// The client whose handshake should start next; `nil` when none may start now. The client is
    /// taken off the queue.
    package mutating func next(now: MonotonicInstant) -> Candidate? {
        let cap = ageCap
        while mayStart, looksLeft > 0 {
            looksLeft -= 1
            if let cap {
                while let oldest = waiting.first(.young), now - oldest.helloAt > cap {
                    waiting.move(oldest.token, to: .old)
                }
            }
            let trusted = waiting.first(.young) ?? waiting.last(.old)
            if let trusted, isDistrusted(trusted.network) {
                waiting.move(trusted.token, to: .distrusted)
                continue
            }
            guard let client = trusted ?? waiting.last(.distrusted) else { return nil }
            waiting.remove(client.token)
            return Candidate(token: client.token, helloAt: client.helloAt)
        }
        return nil
    }

    /// A handshake has begun: the candidate's, or one of ``startsAtOnce``.
    ///
    /// - Parameter network: ``SocketAddress/network`` of the peer.
    package mutating func started(_ token: SlotToken, network: UInt64, now: MonotonicInstant) {
        startsLeft -= 1
        handshakes.add(token, network: network, now: now)
    }

    /// Bytes arrived from a peer whose handshake is under way.
    package mutating func peerSpoke(_ token: SlotToken, now: MonotonicInstant) {
        handshakes.peerSpoke(token, now: now)
    }

    /// A handshake that had begun is over.
    ///
    /// - Parameter network: the peer's network, if the peer answered; else `nil`.
    package mutating func ended(_ token: SlotToken, completedBy network: UInt64? = nil) {
        if let network {
            handshakes.remove(token)
            handshakes.answered(network: network)
            silences.answered(network: network)
        } else {
            if let silent = handshakes.silentNetwork(of: token) {
                silences.endedUnanswered(network: silent)
            }
            handshakes.remove(token)
        }
    }

    /// The measured cost of starting a handshake: reading the ClientHello, the signature, the
    /// flight.
    package mutating func startTook(nanoseconds: Int64) { rate.started(nanoseconds: nanoseconds) }

    /// The measured cost of completing a handshake: the client's Finished, and the answer that
    /// mostly follows at once.
    package mutating func completionTook(nanoseconds: Int64) {
        rate.completed(nanoseconds: nanoseconds)
    }

    /// The handshake that gives way because more handshakes wait for silent peers than memory
    /// allows. Ask again after ``ended(_:)``.
    package var handshakeToEvict: SlotToken? {
        silentCount > limits.silentHandshakesMaximum ? handshakes.firstToEvict : nil
    }

    /// The handshake that gives way when a slot is needed; `nil` if no peer is silent.
    package var silentHandshake: SlotToken? { handshakes.firstToEvict }

    /// Whether the next turn has to begin without waiting for events, because a client waits.
    package var mustNotSleep: Bool { waitingCount > 0 }

    // MARK: The loop

    /// A turn took so long: adjusts the batch, and detects overload.
    package mutating func turnEnded(busyNanoseconds: Int64, now: MonotonicInstant) {
        if busyNanoseconds > limits.turnTimeMaximum.inNanoseconds {
            batch = max(1, batch / 2)
        } else if batch < limits.startsPerTurn,
            busyNanoseconds * 2 < limits.turnTimeMaximum.inNanoseconds
        {
            batch = min(limits.startsPerTurn, batch + 1)
        }
        forgetPatience(now: now)
        guard let oldest = waiting.first(.young) ?? waiting.first(.old),
            now - oldest.helloAt > limits.overloadAge
        else {
            overloadedSince = nil
            isOverloaded = false
            return
        }
        let since = overloadedSince ?? now
        overloadedSince = since
        isOverloaded = now - since >= .seconds(1)
    }

    private mutating func forgetPatience(now: MonotonicInstant) {
        // The loop sleeps while nothing happens, so the turn after the calm measures its length.
        if let since = emptySince, now - since > limits.patienceMemory {
            patience = PatienceEstimate(limits: limits)
        }
        emptySince = waiting.trustedCount > 0 ? nil : emptySince ?? now
    }
}

/// How long clients wait before they give up: the 10th percentile of the last hundred clients that
/// were seen leaving.
///
/// The 10th percentile and not the mean: a client served just before the first tenth gives up is
/// served in time for nearly all patiences.
struct PatienceEstimate: Sendable {
    private let limits: AdmissionLimits
    private var samples: [Duration] = []
    private var at = 0
    private var known: Duration?

    init(limits: AdmissionLimits) { self.limits = limits }

    mutating func add(_ waited: Duration) {
        if waited < limits.patienceSampleMinimum { return }
        if samples.count < limits.patienceSamplesKept {
            samples.append(waited)
        } else {
            samples[at] = waited
        }
        at = (at + 1) % limits.patienceSamplesKept
        // Sorting 100 values costs 2 µs; done for each tenth sample only.
        if samples.count >= limits.patienceSamplesMinimum && (known == nil || at % 10 == 0) {
            known = samples.sorted()[samples.count / 10]
        }
    }

    /// `nil` until enough clients have been seen leaving.
    var estimate: Duration? { known }
}

/// Handshakes per second of work, from the measured cost of their two halves. Measured and not
/// configured, so that it follows the certificate, the machine and its neighbours.
///
/// Each half is measured separately: peers that never answer cause starts without completions, and
/// must not make the server look slow.
struct HandshakeRate: Sendable {
    private struct Half {
        var count = 0
        var nanoseconds: Int64 = 0
        var mean: Double? { count == 0 ? nil : Double(nanoseconds) / Double(count) }
    }

    /// Accepting and closing cost 7 % of the whole (overload.md section 3).
    private static let restOfService = 1 / 0.93
    /// A sample needs 0.1 s of work, and at least ten handshakes: with RSA-4096 on a small share of
    /// a core ten handshakes take longer than 0.1 s.
    private static let sampleNanoseconds: Int64 = 100_000_000
    private static let sampleCount = 10

    private var starts = Half()
    private var completions = Half()
    /// The last measured mean. Before the first, a third of a start is assumed (a start is 75 % of
    /// the work, its completion 18 %).
    private var completionMean: Double?
    private(set) var perSecond: Double?

    mutating func started(nanoseconds: Int64) {
        starts.count += 1
        starts.nanoseconds += nanoseconds
        sample()
    }

    mutating func completed(nanoseconds: Int64) {
        completions.count += 1
        completions.nanoseconds += nanoseconds
        sample()
    }

    private mutating func sample() {
        guard starts.count >= Self.sampleCount,
            starts.nanoseconds + completions.nanoseconds >= Self.sampleNanoseconds,
            let start = starts.mean
        else { return }
        completionMean = completions.mean ?? completionMean
        let whole = (start + (completionMean ?? start / 3)) * Self.restOfService
        let sample = 1e9 / max(1, whole)
        perSecond = perSecond.map { $0 * 0.8 + sample * 0.2 } ?? sample
        starts = Half()
        completions = Half()
    }
}
