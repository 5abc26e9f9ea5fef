import Reactor

/// The bookkeeping of clients from their accept to the end of their handshake: which are silent,
/// which wait, and whose handshake is under way. Names the client that is next and the one that has
/// to give way, but does not act on connections.
final class HandshakeAdmission {
    private let counters: WorkerCounters
    @ThreadOwned private var admission: AdmissionController
    /// Clients whose ClientHello is missing or incomplete.
    @ThreadOwned private var silent: SilentPeers
    /// ClientHellos that came in parts, until their handshake begins.
    @ThreadOwned private var kept: KeptHellos

    init(limits: ServerLimits, counters: WorkerCounters, now: MonotonicInstant) {
        self.counters = counters
        admission = AdmissionController(limits: limits.admission, now: now)
        silent = SilentPeers(grace: limits.admission.silenceTolerated)
        kept = KeptHellos(maximum: limits.helloBytesInAll, grace: limits.silenceUnderPressure)
    }

    deinit {
        _admission.free()
        _silent.free()
        _kept.free()
    }

    /// - Parameter table: gives access to the sockets of handshakes that seem silent.
    func turnBegan(now: MonotonicInstant, isIdle: Bool, table: ConnectionTable) {
        admission.turnBegan(now: now, isIdle: isIdle) { token in
            guard let connection = table[token] else { return true }
            if connection.socket.hasUnreadBytes { return false }
            // A peer that does not read has only itself to blame, and would be excused without end.
            return connection.socket.unacknowledgedBytes == 0
                || connection.socket.tcpInfo?.isWindowClosed == true
        }
        silent.turnBegan(now: now)
    }

    func turnEnded(busyNanoseconds: Int64, now: MonotonicInstant) {
        admission.turnEnded(busyNanoseconds: busyNanoseconds, now: now)
    }

    /// A client waits, so the loop must not sleep.
    var mustNotSleep: Bool { admission.mustNotSleep }
    /// The oldest client has been waiting for longer than this.
    func hasWaiter(longerThan age: Duration, now: MonotonicInstant) -> Bool {
        admission.hasWaiter(longerThan: age, now: now)
    }
    /// The new bound of the kernel's queue, if it has changed.
    func backlogChange() -> Int? { admission.backlogChange() }

    // MARK: Before the handshake

    func mayAccept(now: MonotonicInstant) -> Bool { admission.mayAccept(now: now) }
    func accepted() { admission.accepted() }
    /// Whether a handshake would start now, because no client waits.
    var startsAtOnce: Bool { admission.startsAtOnce }

    /// The client has to send its ClientHello, or the rest of it.
    func awaitHello(_ connection: Connection, now: MonotonicInstant) {
        silent.add(connection.token, now: now)
    }

    /// Bytes of an incomplete ClientHello have arrived.
    func peerSpoke(_ connection: Connection, now: MonotonicInstant) {
        silent.peerSpoke(connection.token, now: now)
    }

    /// A part of a ClientHello is kept.
    func keptHello(_ connection: Connection, bytes: Int, now: MonotonicInstant) {
        kept.keep(connection.token, bytes: bytes, now: now)
    }

    /// The kept parts of a ClientHello are not needed any more.
    func forgetHello(_ connection: Connection) {
        kept.remove(connection.token)
        connection.hello = nil
    }

    /// The client waits from now on; its ClientHello is in the kernel or kept here.
    func enqueue(_ connection: Connection) {
        silent.remove(connection.token)
        admission.arrived(connection.token, helloAt: connection.helloAt)
        showWaiting()
    }

    /// A client left before its handshake began.
    func left(waited: Duration) {
        admission.left(waited: waited)
        counters.add(.handshakesAvoided)
    }

    /// The client whose handshake starts next, if one may start now.
    func next(now: MonotonicInstant) -> AdmissionController.Candidate? { admission.next(now: now) }

    /// Handshakes that may start until the next memory check.
    func memoryAllows(handshakes: Int) { admission.memoryAllows = handshakes }

    /// A client waits only because there is no memory for its handshake.
    var waitsForMemory: Bool { admission.waitsForMemory }

    func showWaiting() { counters.set(.connectionsWaiting, admission.waitingCount) }

    // MARK: The handshake

    func handshakeStarted(_ connection: Connection, now: MonotonicInstant) {
        silent.remove(connection.token)
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        admission.started(connection.token, now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: (now - connection.helloAt).inNanoseconds)
    }

    /// Bytes of a handshake under way have arrived.
    func handshakeWentOn(_ connection: Connection, now: MonotonicInstant) {
        admission.peerSpoke(connection.token, now: now)
    }

    func startTook(nanoseconds: Int64) { admission.startTook(nanoseconds: nanoseconds) }
    func completionTook(nanoseconds: Int64) { admission.completionTook(nanoseconds: nanoseconds) }

    /// The handshake has ended, successfully or not.
    func handshakeEnded(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesAbandoned) }
        admission.ended(connection.token, isCompleted: completed)
        // The loop may sleep from now on: no later turn would show it.
        showSilent()
    }

    /// The connection is closed.
    func forget(_ connection: Connection) {
        handshakeEnded(connection, completed: false)
        admission.forget(connection.token)
        showWaiting()
        silent.remove(connection.token)
        forgetHello(connection)
    }

    // MARK: Who gives way

    /// What parts of ClientHellos take.
    var helloBytes: Int { kept.bytes }

    /// The connection that gives way because parts of ClientHellos take too much memory; nil: none.
    func hellosToEvict(now: MonotonicInstant) -> SlotToken? {
        kept.victim(now: now)
    }

    /// Partial ClientHellos use up their memory, and none may be evicted yet.
    func areHellosFull(now: MonotonicInstant) -> Bool { kept.isFull(now: now) }

    /// The handshake that gives way because too many are under way.
    var handshakeToEvict: SlotToken? { admission.handshakeToEvict }

    /// The connection was closed already.
    func isGone(_ token: SlotToken) {
        admission.ended(token, isCompleted: false)
        admission.forget(token)
        silent.remove(token)
    }

    /// Unread bytes of a peer are in its socket: it is not silent, whatever we waited for.
    func spoke(_ connection: Connection, now: MonotonicInstant) {
        silent.peerSpoke(connection.token, now: now)
        admission.peerSpoke(connection.token, now: now)
    }

    func showSilent() { counters.set(.handshakesSilent, admission.silentCount) }

    var silentHello: SlotToken? { silent.firstToEvict }
    var silentHandshake: SlotToken? { admission.silentHandshake }

    /// The client that has been silent longest, if for at least `minimum`.
    func leastRecent(silentFor minimum: Duration, now: MonotonicInstant) -> SlotToken? {
        silent.leastRecent(silentFor: minimum, now: now)
    }
}
