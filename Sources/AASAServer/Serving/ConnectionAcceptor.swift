import Reactor

/// Accepts connections from the kernel's queues, as many as a turn allows, and pauses while there
/// is no room for them.
final class ConnectionAcceptor {
    private let limits: ServerLimits
    private let times: ConnectionTimes
    private let counters: WorkerCounters
    private let turn: Turn
    private let report: @Sendable (String) -> Void
    private let table: ConnectionTable
    private let admissions: HandshakeAdmission
    private let egress: Egress
    private let ending: Ending
    private let starter: HandshakeStarter
    private var listeners: [Listener]
    /// Set while no descriptor, slot or memory is left: clients stay in the kernel's queue until
    /// this time, or until there is room again.
    private var pause: (until: MonotonicInstant, closedCount: Int, isForHellos: Bool)?
    /// The time by which silence is judged: all that had arrived by then has been read.
    var judged: MonotonicInstant
    /// Nothing is accepted, because memory is used up. With free memory, no client waits longer.
    var isMemoryExhausted = false {
        didSet { if oldValue, !isMemoryExhausted { pause?.until = turn.now } }
    }

    init(
        limits: ServerLimits, counters: WorkerCounters, turn: Turn,
        report: @escaping @Sendable (String) -> Void, table: ConnectionTable,
        admissions: HandshakeAdmission,
        egress: Egress, ending: Ending, starter: HandshakeStarter, listeners: consuming [Listener]
    ) throws(SystemError) {
        self.limits = limits
        times = ConnectionTimes(limits)
        judged = turn.now
        self.counters = counters
        self.turn = turn
        self.report = report
        self.table = table
        self.admissions = admissions
        self.egress = egress
        self.ending = ending
        self.starter = starter
        self.listeners = listeners
        for (index, listener) in self.listeners.enumerated() {
            try watch(listener, index)
        }
    }

    private func watch(_ listener: Listener, _ index: Int) throws(SystemError) {
        try table.poller.add(listener.socket.raw, listener.interest, token: UInt64(index))
        listener.isWatched = true
    }

    /// A set of ready listeners has 64 bits. Sockets that were handed over may be more: the last
    /// bit stands for all further ones, which are asked together.
    static func bit(ofListener index: UInt64) -> UInt64 { 1 << min(index, 63) }

    /// How long the loop may sleep because of a pause; `nil`: no limit.
    func timeout(now: MonotonicInstant) -> Duration? {
        pause.map { max(.zero, $0.until - now) }
    }

    /// Whether accepting is paused while clients wait in the kernel's queue.
    var turnsAway: Bool { pause != nil && listeners.contains { $0.socket.queue.waiting > 0 } }

    /// A turn has begun.
    ///
    /// - Parameters:
    ///   - ready: a bit for each listener that the kernel has reported.
    ///   - hasBlocked: the loop slept, so all queues were empty until now.
    func turnBegan(ready: UInt64, hasBlocked: Bool) {
        for (index, listener) in listeners.enumerated()
        where listener.isWatched && (hasBlocked || ready & Self.bit(ofListener: UInt64(index)) == 0)
        {
            listener.pace.emptyAt = turn.now
        }
    }

    /// The turn ends: connections closed in it may have made room, which ends the pause.
    func turnEnds() {
        guard let pause else { return }
        if turn.now >= pause.until || ending.closedCount != pause.closedCount
            || pause.isForHellos && !admissions.areHellosFull(now: turn.now)
        {
            resume()
        }
    }

    func setBacklog(_ backlog: Int) {
        for listener in listeners { listener.socket.setBacklog(backlog * listener.sharers) }
    }

    /// Stops listening. The poller would report a closed socket as long as another process holds it
    /// (epoll(7)): with a successor or systemd each client would wake this one instead of it.
    func stop() {
        for listener in listeners where listener.isWatched {
            try? table.poller.remove(listener.socket.raw)
        }
        listeners.removeAll()
    }

    /// Clients in the kernel's queue have connected already: they are accepted and served before
    /// the listeners close.
    func drain() {
        for listener in listeners {
            // Accepts the whole queue, which is bounded by the backlog.
            accept(from: listener, atMost: Int(limits.backlog) * 2, whateverTheRate: true)
        }
        stop()
    }

    /// Takes connections from the listeners whose bit is set in `ready`, as many as a turn allows.
    func accept(from ready: UInt64) {
        if ready == 0 || pause != nil { return }
        for (index, listener) in listeners.enumerated()
        where ready & Self.bit(ofListener: UInt64(index)) != 0 {
            let count = listener.pace.take(turn: turn.number, atMost: limits.acceptsPerTurn)
            accept(from: listener, atMost: count, whateverTheRate: false)
        }
    }

    private func accept(from listener: Listener, atMost budget: Int, whateverTheRate: Bool) {
        for _ in 0..<budget where whateverTheRate || admissions.mayAccept(now: turn.now) {
            guard !isMemoryExhausted, !admissions.areHellosFull(now: turn.now),
                !table.isFull || evictOne()
            else { return rest() }
            switch listener.socket.accept() {
            case .accepted(let socket, let peer): takeIn(socket, peer, listener)
            case .wouldBlock:
                listener.pace.emptyAt = turn.now
                return
            case .aborted: counters.add(.acceptAborts)
            case .exhausted:
                // The table may be larger than what the machine, or other listeners, have left: the
                // same give way as for a slot.
                if !evictOne() { return rest() }
            case .failed(let error):
                report("accepting on \(listener.socket.address): \(error)")
                return rest()
            }
        }
    }

    private func takeIn(
        _ socket: consuming Socket, _ peer: SocketAddress?, _ listener: Listener
    ) {
        var raw = socket.release()
        guard
            let connection = table.insert({ token in
                defer { raw = -1 }
                return Connection(
                    token: token, socket: Socket(owning: raw), peer: peer, times: times,
                    now: turn.now)
            })
        else { return }
        counters.add(.connectionsAccepted)
        counters.set(.connectionsOpen, table.count)
        admissions.accepted()
        if let fronts = listener.fronts, let peer {
            connection.awaitsProxyHeader = fronts.contains(peer)
        }
        let cameLate = listener.pace.mayHaveWaited(
            longerThan: limits.admission.queueAgeTolerated, now: turn.now)
        if cameLate { connection.machine.cameOutOfFullQueue() }
        starter.welcome(connection, cameLate: cameLate)
    }

    // MARK: Running out of room

    /// Ends connections that have their answer and wait for another request, and those whose peer
    /// has been silent in its handshake or has held its place for a second, because there is no
    /// memory left for the others.
    func makeRoom(atMost count: Int) {
        for kind in [EvictionClass.idleAfterAnswer, .silentHandshake, .holdsPlace] {
            for _ in 0..<count {
                guard let connection = first(kind) else { break }
                if kind == .silentHandshake {
                    ending.close(connection, .handshakePressure)
                } else {
                    giveUp(connection, kind)
                }
            }
        }
    }

    /// Ends the connection whose loss harms least, if there is one.
    private func evictOne() -> Bool {
        for kind in EvictionClass.allCases {
            guard let connection = first(kind) else { continue }
            giveUp(connection, kind)
            return true
        }
        return false
    }

    private func giveUp(_ connection: Connection, _ kind: EvictionClass) {
        switch kind {
        case .stalledReader: ending.abort(connection, .descriptorPressure)
        // It has ended already, and for a reason of its own.
        case .lingering: ending.closeFailed(connection)
        case .silentHello, .idleAfterAnswer, .silentHandshake, .holdsPlace,
            .answerTravels, .leastRecent:
            ending.close(connection, .descriptorPressure)
        }
    }

    private func first(_ kind: EvictionClass) -> Connection? {
        switch kind {
        case .silentHello: starter.stillSilent { admissions.silentHello }
        case .lingering: table.lingering()
        case .idleAfterAnswer: table.idleAfterAnswer()
        case .silentHandshake:
            starter.stillSilent { admissions.silentHandshake }
        case .holdsPlace:
            table.holdingPlace(for: limits.admission.silenceTolerated, now: judged)
        case .leastRecent:
            starter.stillSilent {
                admissions.leastRecent(silentFor: limits.silenceUnderPressure, now: judged)
            }
        case .stalledReader: egress.stalledReader.flatMap { table[$0] }
        case .answerTravels: egress.takeDelivered(now: turn.now)
        }
    }

    /// Removes the listeners from the poller, which would otherwise report them again and again.
    private func rest() {
        let isForHellos = admissions.areHellosFull(now: turn.now)
        if pause == nil {
            counters.add(.acceptPauses)
            if isMemoryExhausted || isForHellos { counters.add(.memoryPauses) }
            for listener in listeners where listener.isWatched {
                listener.isWatched = false
                try? table.poller.remove(listener.socket.raw)
            }
        }
        pause = (turn.now + limits.acceptPause, ending.closedCount, isForHellos)
    }

    private func resume() {
        pause = nil
        for (index, listener) in listeners.enumerated() where !listener.isWatched {
            do throws(SystemError) {
                try watch(listener, index)
            } catch {
                report("listening on \(listener.socket.address): \(error)")
                pause = (turn.now + limits.acceptPause, ending.closedCount, false)
            }
        }
    }
}
