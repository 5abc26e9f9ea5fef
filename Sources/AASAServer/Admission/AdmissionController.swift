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
/// nothing else to do starts the next batch whatever the bound says, as long as there is memory
/// (``memoryAllows``). The number of handshakes under
/// way is bounded only because of their memory: ``handshakeToEvict`` names the one that gives way.
///
/// **No client waits longer because of its address.** A ClientHello whose handshake the client
/// never answers costs the client nothing, but costs us most of a handshake. Serving such addresses
/// last let one phone silence all others behind its carrier's address.
///
/// A value: tokens and times go in, decisions come out. It cannot be copied: each turn of the loop
/// asks it several times, and a call would copy it whole. Only the socket knows whether a client is
/// still there and whether its ClientHello is whole. So ``next(now:)`` names a candidate, the
/// caller checks the socket, and calls ``started(_:now:)`` only if there is a handshake to start.
package struct AdmissionController: ~Copyable, Sendable {
    private let limits: AdmissionLimits
    /// Clients whose ClientHello has arrived and whose handshake has not begun; old ones are older
    /// than the age cap.
    private var waiting = AgedSlots()
    /// Handshakes begun and not ended; the peers of old ones are silent.
    private var handshakes = AgedSlots()
    private var patience: PatienceEstimate
    /// Share of the handshakes that were completed, of the last hundreds that ended.
    private var completedShare = 1.0
    private var rate: HandshakeRate
    private var acceptTokens = 0.0
    private var refilledAt: MonotonicInstant
    private var startsLeft: Int
    private var looksLeft: Int
    private var batch: Int
    /// Handshakes for which there is memory. Set at every memory check.
    package var memoryAllows = Int.max
    /// The turn began with nothing else to do.
    private var isIdle = false
    private var backlog: Int
    /// Since when no client waits.
    private var emptySince: MonotonicInstant?
    /// Clients that wait.
    package var waitingCount: Int { waiting.count }
    /// Handshakes that began, or whose peer sent something, within the last second.
    package var workingCount: Int { handshakes.count(.young) }
    /// Handshakes whose peer has been silent for longer.
    package var silentCount: Int { handshakes.count(.old) }
    /// The oldest client has been waiting for longer than this.
    package func hasWaiter(longerThan age: Duration, now: MonotonicInstant) -> Bool {
        waitingCount > 0
            && (waiting.first(.young) ?? waiting.first(.old)).map { now - $0.since > age } ?? false
    }

    package init(limits: AdmissionLimits, now: MonotonicInstant) {
        self.limits = limits
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
        guard teachesPatience else { return nil }
        return patience.estimate.map { max(limits.ageCapMinimum, $0 - limits.patienceMargin) }
    }

    /// Whether those who leave are like those who are answered. In a flood of ClientHellos whose
    /// handshakes fail they are the attacker's: learned from them, a patience of 2 s made honest
    /// clients wait behind everybody who came later.
    private var teachesPatience: Bool { completedShare >= limits.completedShareMinimum }

    private var workingMaximum: Int {
        max(limits.workingMinimum, Int(rate.perSecond ?? 0))
    }

    // MARK: Intake

    /// Whether one more connection may be accepted from the kernel's queue now. Always, while no
    /// client waits.
    package mutating func mayAccept(now: MonotonicInstant) -> Bool {
        guard waitingCount > 0, let mu = rate.perSecond else { return true }
        let perSecond = mu * limits.acceptsPerHandshake
        let elapsed = (now - refilledAt).inSeconds
        refilledAt = now
        acceptTokens = min(
            max(1, perSecond * limits.acceptBurstSeconds), acceptTokens + perSecond * elapsed)
        return acceptTokens >= 1
    }

    /// One connection was accepted.
    package mutating func accepted() { acceptTokens = max(0, acceptTokens - 1) }

    /// Whether a new client's handshake may start without waiting: no client waits, and the turn's
    /// batch is not used up.
    package var startsAtOnce: Bool { waitingCount == 0 && mayStart }

    private var mayStart: Bool {
        startsLeft > 0 && memoryAllows > 0 && (isIdle || workingCount < workingMaximum)
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

    /// A client's ClientHello is there; it waits for its turn. Behind the others, also where its
    /// turn had come with only a part of it: in front of them, a flood of ClientHellos in two parts
    /// would hold back everybody else.
    package mutating func arrived(_ token: SlotToken, helloAt: MonotonicInstant) {
        waiting.add(token, since: helloAt)
    }

    /// A client left so long after its ClientHello. Patience is learned from these times.
    package mutating func left(waited: Duration) {
        if teachesPatience { patience.add(waited) }
    }

    /// A connection is closed: if it waited, it waits no more.
    package mutating func forget(_ token: SlotToken) { waiting.remove(token) }

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
        self.isIdle = isIdle && !FaultInjection.isBack(.silentPeersHoldPlaces)
        // Above this bound memory matters more, and no peer is excused.
        let mayExcuse = handshakes.count <= limits.handshakesMaximum
        handshakes.age(beyond: limits.silenceTolerated, now: now) { mayExcuse && !isReached($0) }
    }

    /// The client whose handshake should start next; `nil` when none may start now. The client is
    /// taken off the queue.
    package mutating func next(now: MonotonicInstant) -> AgedSlots.Member? {
        guard mayStart, looksLeft > 0 else { return nil }
        looksLeft -= 1
        if let cap = ageCap { waiting.age(beyond: cap, now: now) }
        guard let client = waiting.first(.young) ?? waiting.last(.old) else { return nil }
        waiting.remove(client.token)
        return client
    }

    /// A handshake has begun: the candidate's, or one of ``startsAtOnce``.
    package mutating func started(_ token: SlotToken, now: MonotonicInstant) {
        startsLeft -= 1
        memoryAllows -= 1
        handshakes.add(token, since: now)
    }

    /// Bytes arrived from a peer whose handshake is under way.
    package mutating func peerSpoke(_ token: SlotToken, now: MonotonicInstant) {
        handshakes.renew(token, since: now)
    }

    /// A handshake that had begun is over.
    package mutating func ended(_ token: SlotToken, isCompleted: Bool) {
        handshakes.remove(token)
        completedShare += ((isCompleted ? 1 : 0) - completedShare) / limits.completedShareOf
    }

    /// The measured cost of starting a handshake: reading the ClientHello, the signature, the
    /// flight.
    package mutating func startTook(nanoseconds: Int64) { rate.started(nanoseconds: nanoseconds) }

    /// The measured cost of completing a handshake: the client's Finished, and the answer that
    /// mostly follows at once.
    package mutating func completionTook(nanoseconds: Int64) {
        rate.completed(nanoseconds: nanoseconds)
    }

    /// The handshake that gives way because more handshakes are under way than memory allows: the
    /// one whose peer has been silent for longest; `nil` also while no peer is silent. Ask again
    /// after ``ended(_:isCompleted:)``.
    package var handshakeToEvict: SlotToken? {
        handshakes.count > limits.handshakesMaximum ? silentHandshake : nil
    }

    /// The handshake that gives way when a slot is needed; `nil` if no peer is silent.
    package var silentHandshake: SlotToken? { handshakes.first(.old)?.token }

    /// Whether the next turn has to begin without waiting for events, because a client waits.
    package var mustNotSleep: Bool {
        if FaultInjection.isBack(.silentPeersHoldPlaces), workingCount >= workingMaximum {
            return false
        }
        return waitingCount > 0 && memoryAllows > 0
    }

    /// Whether a client waits only because there is no memory for its handshake.
    package var waitsForMemory: Bool { waitingCount > 0 && memoryAllows <= 0 }

    // MARK: The loop

    /// A turn took so long: adjusts the batch.
    ///
    /// - Returns: whether that was too long.
    @discardableResult
    package mutating func turnEnded(busyNanoseconds: Int64, now: MonotonicInstant) -> Bool {
        let maximum = limits.turnTimeMaximum.inNanoseconds
        if busyNanoseconds > maximum {
            batch = max(1, batch / 2)
        } else if batch < limits.startsPerTurn,
            busyNanoseconds * 2 < maximum
        {
            batch = min(limits.startsPerTurn, batch + 1)
        }
        // The loop sleeps while nothing happens, so the turn after the calm measures its length.
        if let since = emptySince, now - since > limits.patienceMemory {
            patience = PatienceEstimate(limits: limits)
        }
        emptySince = waitingCount > 0 ? nil : emptySince ?? now
        return busyNanoseconds > maximum
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
    private var added = 0
    /// `nil` until enough clients have been seen leaving.
    private(set) var estimate: Duration?

    init(limits: AdmissionLimits) { self.limits = limits }

    mutating func add(_ waited: Duration) {
        if waited < limits.patienceSampleMinimum { return }
        samples.append(waited)
        if samples.count > limits.patienceSamplesKept { samples.removeFirst() }
        added += 1
        // Sorting 100 values costs 2 µs; done for each tenth sample only.
        if samples.count >= limits.patienceSamplesMinimum && (estimate == nil || added % 10 == 0) {
            estimate = samples.sorted()[samples.count / 10]
        }
    }
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
