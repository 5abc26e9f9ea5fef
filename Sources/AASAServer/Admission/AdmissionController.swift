package import Reactor

/// Decides which handshake starts next, and how fast new connections are taken in.
///
/// Handshakes are the whole cost (a 503 needs the same one as a 200), so under overload the art is
/// the order. The policy is G2 of overload.md section 5: *oldest first among those younger than the
/// learned patience minus 2 s, newest first among the rest*, finish-first, accept rate capped at
/// twice the handshake rate. Plain FIFO collapses, since it always serves the client that is just
/// giving up; plain LIFO strands early clients that would still wait.
///
/// A value: tokens and times go in, decisions come out. Whether a client is still there, only its
/// socket knows: the caller looks (``next(now:)`` names a candidate) and reports what it found:
/// ``started()``, or ``gone()``.
package struct AdmissionController: Sendable {
    /// A client whose ClientHello is there.
    package struct Candidate: Sendable, Equatable {
        package let token: SlotToken
        /// When its ClientHello came, time in the kernel's queue included.
        package let helloAt: MonotonicInstant
    }

    private let limits: AdmissionLimits
    /// Oldest first.
    private var young: Deque<Candidate>
    /// Beyond the cap; the newest is last.
    private var old: [Candidate] = []
    private var patience: PatienceEstimate
    private var rate: HandshakeRate
    private var acceptTokens = 0.0
    private var refilledAt: MonotonicInstant
    private var startsLeft: Int
    private var batch: Int
    private var overloadedSince: MonotonicInstant?
    private var backlog: Int
    /// Nobody waits since then.
    private var emptySince: MonotonicInstant?
    /// Clients in the room, those that have left unnoticed included.
    package var waitingCount: Int { young.count + old.count }
    /// Handshakes begun and not ended.
    package private(set) var inFlight = 0
    /// The oldest has waited for more than a second for a second: keep-alive is shortened.
    package private(set) var isOverloaded = false

    package init(limits: AdmissionLimits, now: MonotonicInstant) {
        self.limits = limits
        young = Deque()
        patience = PatienceEstimate(limits: limits)
        rate = HandshakeRate()
        refilledAt = now
        batch = limits.startsPerTurn
        startsLeft = batch
        backlog = limits.backlogMaximum
    }

    /// Handshakes per second that this worker has been seen to complete; `nil` before it is known.
    package var handshakesPerSecond: Double? { rate.perSecond }

    /// Clients older than this are served newest first. `nil`: patience is not known, all are
    /// served oldest first.
    package var ageCap: Duration? {
        patience.estimate.map { max(limits.ageCapMinimum, $0 - limits.patienceMargin) }
    }

    private var inFlightMaximum: Int {
        max(limits.inFlightMinimum, Int(rate.perSecond ?? 0))
    }

    // MARK: Intake

    /// Whether one more connection may be taken out of the kernel's queue now. While nobody waits
    /// the answer is yes.
    package mutating func mayAccept(now: MonotonicInstant) -> Bool {
        // The queue is the room: who is taken out of it is started, too old or gone.
        if limits.policy == .kernelQueue { return mayStart }
        guard waitingCount > 0, let mu = rate.perSecond else { return true }
        let perSecond = mu * limits.acceptsPerHandshake
        let elapsed = (now - refilledAt).inSeconds
        refilledAt = now
        acceptTokens = min(
            max(1, perSecond * limits.acceptBurstSeconds), acceptTokens + perSecond * elapsed)
        return acceptTokens >= 1
    }

    /// One connection was taken in.
    package mutating func accepted() { acceptTokens = max(0, acceptTokens - 1) }

    /// Whether a new client's handshake may start without waiting: nobody else waits and the turn's
    /// batch is not used up.
    package var startsAtOnce: Bool {
        mayStart && (waitingCount == 0 || limits.policy == .kernelQueue)
    }

    private var mayStart: Bool { startsLeft > 0 && inFlight < inFlightMaximum }

    /// Whether a client that comes out of the kernel's queue has to wait for those behind it: it is
    /// about to leave, and they are not (policy K).
    package func isTooOld(waited: Duration) -> Bool { ageCap.map { waited > $0 } ?? false }

    /// A client that ``isTooOld(waited:)``: it is served when nobody else is there.
    package mutating func arrivedTooOld(_ token: SlotToken, helloAt: MonotonicInstant) {
        old.append(Candidate(token: token, helloAt: helloAt))
    }

    /// What the bound of the kernel's queue should be changed to; `nil`: nothing. Asked once per
    /// turn.
    package mutating func backlogChange() -> Int? {
        guard let seconds = limits.backlogSeconds, let mu = rate.perSecond else { return nil }
        let wanted = min(limits.backlogMaximum, max(limits.backlogMinimum, Int(mu * seconds)))
        // The rate is noisy; a system call for each breath of it would be waste.
        if abs(wanted - backlog) * 4 <= backlog { return nil }
        backlog = wanted
        return wanted
    }

    /// The caller made use of ``startsAtOnce``.
    package mutating func startedAtOnce() {
        startsLeft -= 1
        inFlight += 1
    }

    /// A client's ClientHello is there; it waits for its turn.
    package mutating func arrived(_ token: SlotToken, helloAt: MonotonicInstant) {
        young.append(Candidate(token: token, helloAt: helloAt))
    }

    /// A waiting client has left after that time: this is how patience is learned.
    package mutating func left(waited: Duration) { patience.add(waited) }

    // MARK: Starting

    /// A turn of the loop begins: a new batch of starts.
    package mutating func turnBegan(now: MonotonicInstant) { startsLeft = batch }

    /// The client whose handshake should start next; `nil` when none may start in this turn. Answer
    /// with ``started()`` or ``gone()``.
    ///
    /// - Parameter queueIsEmpty: whether the kernel's queue is; only policy K asks.
    package mutating func next(now: MonotonicInstant, queueIsEmpty: Bool = true) -> Candidate? {
        guard mayStart else { return nil }
        if let cap = ageCap {
            while let oldest = young.first, now - oldest.helloAt > cap {
                old.append(oldest)
                young.removeFirst()
            }
        }
        if let oldest = young.first {
            young.removeFirst()
            return oldest
        }
        if limits.policy == .kernelQueue && !queueIsEmpty { return nil }
        return old.popLast()
    }

    /// The candidate's handshake has begun.
    package mutating func started() {
        startsLeft -= 1
        inFlight += 1
    }

    /// The candidate had left: it cost nothing, the next may be asked for.
    package mutating func gone() {}

    /// A handshake that had begun is over.
    package mutating func ended(completed: Bool) {
        inFlight = max(0, inFlight - 1)
        if completed { rate.completed() }
    }

    /// Whether the next turn should begin without waiting for events.
    package func hasStartable(now: MonotonicInstant) -> Bool {
        waitingCount > 0 && inFlight < inFlightMaximum
    }

    // MARK: The loop

    /// A turn took so long: what is learned from it.
    package mutating func turnEnded(busyNanoseconds: Int64, now: MonotonicInstant) {
        rate.worked(nanoseconds: busyNanoseconds, someoneWaits: waitingCount > 0)
        if busyNanoseconds > limits.turnTimeMaximum.inNanoseconds {
            batch = max(1, batch / 2)
        } else if batch < limits.startsPerTurn,
            busyNanoseconds * 2 < limits.turnTimeMaximum.inNanoseconds
        {
            batch = min(limits.startsPerTurn, batch + 1)
        }
        forgetPatience(now: now)
        guard let oldest = young.first ?? old.first, now - oldest.helloAt > limits.overloadAge
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
        // The loop rests while nothing happens: the turn that ends the calm sees how long it was.
        if let since = emptySince, now - since > limits.patienceMemory {
            patience = PatienceEstimate(limits: limits)
        }
        emptySince = waitingCount > 0 ? nil : emptySince ?? now
    }
}

/// How long clients wait before they give up: the 10th percentile of the last hundred who were seen
/// leaving.
///
/// The 10th percentile and not the mean: who is served just before the first tenth gives up is
/// served in time for nearly all.
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

/// Handshakes per second of work, from what was completed while the loop was busy: measured, never
/// configured, so that it follows the certificate, the machine and its neighbours.
struct HandshakeRate: Sendable {
    private var completions = 0
    private var busyNanoseconds: Int64 = 0
    private(set) var perSecond: Double?

    mutating func completed() { completions += 1 }

    /// A turn of the loop has taken so long.
    ///
    /// - Parameter someoneWaits: for a handshake: these turns were spent on handshakes as far as
    ///   possible, however few were done.
    mutating func worked(nanoseconds: Int64, someoneWaits: Bool) {
        busyNanoseconds += nanoseconds
        // A sample each 0.1 s of work; with fewer handshakes in it the work was something else, or
        // each takes long (RSA-4096, a small share of a core).
        guard busyNanoseconds >= 100_000_000 else { return }
        if completions < 10 && someoneWaits && busyNanoseconds < 2_000_000_000 { return }
        if completions >= 10 {
            let sample = Double(completions) * 1e9 / Double(busyNanoseconds)
            perSecond = perSecond.map { $0 * 0.8 + sample * 0.2 } ?? sample
        }
        completions = 0
        busyNanoseconds = 0
    }
}
