import Reactor

/// The books on clients from their accept to the end of their handshake: who is silent, who waits
/// for its turn, whose handshake is under way. It says who is next and who has to give way, and
/// does nothing to a connection.
final class Arrivals {
    private let limits: ServerLimits
    private let counters: WorkerCounters
    @ThreadOwned private var admission: AdmissionController
    /// Clients whose ClientHello is not there, or not whole.
    @ThreadOwned private var silent: SilentPeers
    /// Bytes kept of ClientHellos that are not whole.
    private var helloBytes = 0

    init(limits: ServerLimits, counters: WorkerCounters, now: MonotonicInstant) {
        self.limits = limits
        self.counters = counters
        admission = AdmissionController(limits: limits.admission, now: now)
        silent = SilentPeers(grace: limits.admission.silenceTolerated)
    }

    deinit {
        _admission.free()
        _silent.free()
    }

    /// - Parameter table: knows the sockets of handshakes that seem silent.
    func turnBegan(now: MonotonicInstant, isIdle: Bool, table: ConnectionTable) {
        admission.turnBegan(now: now, isIdle: isIdle) { token in
            guard let connection = table[token] else { return true }
            return connection.socket.unacknowledgedBytes == 0
                && !connection.socket.hasUnreadBytes
        }
        silent.turnBegan(now: now)
    }

    func turnEnded(busyNanoseconds: Int64, now: MonotonicInstant) {
        admission.turnEnded(busyNanoseconds: busyNanoseconds, now: now)
    }

    /// Somebody waits: the loop must not sleep.
    var mustNotSleep: Bool { admission.mustNotSleep }
    var isOverloaded: Bool { admission.isOverloaded }
    /// How long the kernel's queue should be from now on, if that has changed.
    func backlogChange() -> Int? { admission.backlogChange() }

    // MARK: Before the handshake

    func mayAccept(now: MonotonicInstant) -> Bool { admission.mayAccept(now: now) }
    func accepted() { admission.accepted() }
    /// A handshake would be begun now, as nobody waits.
    var startsAtOnce: Bool { admission.startsAtOnce }

    /// The client has to send its ClientHello, or the rest of it.
    func awaitHello(_ connection: Connection, now: MonotonicInstant) {
        silent.add(connection.token, network: connection.peer?.network ?? 0, now: now)
    }

    /// Bytes of a ClientHello have come that is not whole.
    func peerSpoke(_ connection: Connection, now: MonotonicInstant) {
        silent.peerSpoke(connection.token, now: now)
    }

    /// A part of a ClientHello is kept.
    func keptHello(bytes: Int) { helloBytes += bytes }

    /// The kept parts of a ClientHello are of no more use.
    func forgetHello(_ connection: Connection) {
        guard let hello = connection.hello else { return }
        helloBytes -= hello.bytes.count
        connection.hello = nil
    }

    /// A client waits for its turn from now on, with its ClientHello in the kernel or kept.
    func enqueue(_ connection: Connection) {
        silent.remove(connection.token)
        admission.arrived(
            connection.token, network: connection.peer?.network ?? 0, helloAt: connection.helloAt)
        showWaiting()
    }

    /// A client left before its handshake was begun.
    func left(waited: Duration) {
        admission.left(waited: waited)
        counters.add(.handshakesAvoided)
    }

    /// Whose handshake is begun next, if one is now.
    func next(now: MonotonicInstant) -> AdmissionController.Candidate? { admission.next(now: now) }

    func showWaiting() { counters.set(.connectionsWaiting, admission.waitingCount) }

    // MARK: The handshake

    func handshakeStarted(_ connection: Connection, now: MonotonicInstant) {
        silent.remove(connection.token)
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        admission.started(
            connection.token, network: connection.peer?.network ?? 0, now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: (now - connection.helloAt).inNanoseconds)
    }

    /// Bytes of a handshake under way have come.
    func handshakeWentOn(_ connection: Connection, now: MonotonicInstant) {
        admission.peerSpoke(connection.token, now: now)
    }

    func startTook(nanoseconds: Int64) { admission.startTook(nanoseconds: nanoseconds) }
    func completionTook(nanoseconds: Int64) { admission.completionTook(nanoseconds: nanoseconds) }

    /// The handshake is over, well or not.
    func handshakeEnded(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesAbandoned) }
        admission.ended(
            connection.token, completedBy: completed ? connection.peer?.network : nil)
    }

    /// The connection is closed.
    func forget(_ connection: Connection) {
        handshakeEnded(connection, completed: false)
        admission.forget(connection.token)
        silent.remove(connection.token)
        forgetHello(connection)
    }

    // MARK: Who gives way

    /// Parts of ClientHellos are bounded together: who gives way for it, if anybody has to.
    func hellosToGiveUp(now: MonotonicInstant) -> SlotToken? {
        if helloBytes <= limits.helloBytesInAll { return nil }
        return silent.firstToGo ?? silent.leastRecent(silentFor: .zero, now: now)
    }

    /// A client of a distrusted address that has to give way, beyond the bound of them.
    var waitingToGiveUp: SlotToken? { admission.waitingToGiveUp }

    /// A handshake whose silent peer has to give way, beyond the bound of them.
    var handshakeToGiveUp: SlotToken? { admission.handshakeToGiveUp }

    /// It was not there any more.
    func isGone(_ token: SlotToken) {
        admission.ended(token)
        admission.forget(token)
        silent.remove(token)
    }

    /// Bytes of a peer lie in its socket: it is not silent, whatever it was waited for.
    func spoke(_ connection: Connection, now: MonotonicInstant) {
        silent.peerSpoke(connection.token, now: now)
        admission.peerSpoke(connection.token, now: now)
    }

    func showSilent() { counters.set(.handshakesSilent, admission.silentCount) }

    /// Who says nothing for too long: a client without a whole ClientHello, else a handshake.
    var silentest: SlotToken? { silentHello ?? silentHandshake }
    var silentHello: SlotToken? { silent.firstToGo }
    func distrusted(now: MonotonicInstant) -> SlotToken? { admission.waitingToMissLeast(now: now) }
    var silentHandshake: SlotToken? { admission.silentHandshake }

    /// The client that has been silent longest, if for at least `minimum`.
    func leastRecent(silentFor minimum: Duration, now: MonotonicInstant) -> SlotToken? {
        silent.leastRecent(silentFor: minimum, now: now)
    }
}
