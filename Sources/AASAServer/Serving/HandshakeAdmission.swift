import Reactor

/// The bookkeeping of clients from their accept to the end of their handshake: which are silent,
/// which wait, and whose handshake is under way. The three values decide who is next and who has to
/// give way; the methods are for what concerns several of them or the counters. None acts on a
/// connection.
final class HandshakeAdmission {
    private let limits: AdmissionLimits
    private let counters: WorkerCounters
    /// Whose handshake starts, and when.
    @exclusivity(unchecked) var controller: AdmissionController
    /// Clients whose ClientHello is missing or incomplete.
    @exclusivity(unchecked) var silent = AgedSlots()
    /// ClientHellos that came in parts, until their handshake begins.
    @exclusivity(unchecked) var kept: KeptHellos

    init(limits: ServerLimits, counters: WorkerCounters, now: MonotonicInstant) {
        self.limits = limits.admission
        self.counters = counters
        controller = AdmissionController(limits: limits.admission, now: now)
        kept = KeptHellos(maximum: limits.helloBytesInAll, grace: limits.silenceUnderPressure)
    }

    /// - Parameter table: gives access to the sockets of handshakes that seem silent.
    func turnBegan(now: MonotonicInstant, isIdle: Bool, table: ConnectionTable) {
        controller.turnBegan(now: now, isIdle: isIdle) { token in
            guard let connection = table[token] else { return true }
            if connection.socket.hasUnreadBytes { return false }
            // A peer that does not read has only itself to blame, and would be excused without end.
            return connection.socket.unacknowledgedBytes == 0
                || connection.socket.tcpInfo?.isWindowClosed == true
        }
        silent.age(beyond: limits.silenceTolerated, now: now)
    }

    // MARK: Before the handshake

    /// The kept parts of a ClientHello are not needed any more.
    func forgetHello(_ connection: Connection) {
        kept.remove(connection.token)
        connection.hello = nil
    }

    /// The client waits from now on; its ClientHello is in the kernel or kept here.
    func enqueue(_ connection: Connection) {
        silent.remove(connection.token)
        controller.arrived(connection.token, helloAt: connection.helloAt)
        showWaiting()
    }

    /// A client left before its handshake began.
    func left(waited: Duration) {
        controller.left(waited: waited)
        counters.add(.handshakesAvoided)
    }

    func showWaiting() { counters.set(.connectionsWaiting, controller.waitingCount) }

    // MARK: The handshake

    func handshakeStarted(_ connection: Connection, now: MonotonicInstant) {
        silent.remove(connection.token)
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        controller.started(connection.token, now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: (now - connection.helloAt).inNanoseconds)
    }

    /// The handshake has ended, successfully or not.
    func handshakeEnded(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesAbandoned) }
        controller.ended(connection.token, isCompleted: completed)
        // The loop may sleep from now on: no later turn would show it.
        showSilent()
    }

    /// The connection is closed.
    func forget(_ connection: Connection) {
        handshakeEnded(connection, completed: false)
        controller.forget(connection.token)
        showWaiting()
        silent.remove(connection.token)
        forgetHello(connection)
    }

    // MARK: Who gives way

    /// The connection was closed already.
    func isGone(_ token: SlotToken) {
        controller.ended(token, isCompleted: false)
        controller.forget(token)
        silent.remove(token)
    }

    /// Unread bytes of a peer are in its socket: it is not silent, whatever we waited for.
    func spoke(_ connection: Connection, now: MonotonicInstant) {
        silent.renew(connection.token, since: now)
        controller.peerSpoke(connection.token, now: now)
    }

    func showSilent() { counters.set(.handshakesSilent, controller.silentCount) }
}
