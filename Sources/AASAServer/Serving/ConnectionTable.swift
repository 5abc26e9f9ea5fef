import Reactor

/// The connections of one worker: their slots, their timers, what epoll reports of them, and the
/// queue of connections that continue in the next turn without an event.
final class ConnectionTable {
    /// Also watches the listeners and the worker's wake-up.
    let poller: Poller
    @exclusivity(unchecked) private var slots: SlotTable<Connection>
    @exclusivity(unchecked) private var timers = TimerQueue()
    @exclusivity(unchecked) private var queued: [SlotToken] = []
    /// Where the search for idle connections continues.
    private var clockHand = 0

    init(limits: ServerLimits) throws(SystemError) {
        poller = try Poller(eventsMaximum: limits.eventsPerTurn)
        slots = SlotTable(capacityMaximum: limits.connectionsMaximum)
    }

    var count: Int { slots.count }
    var isFull: Bool { slots.isFull }

    /// Puts what `make` returns into a free slot; `nil` when there is none.
    func insert(_ make: (SlotToken) -> Connection) -> Connection? { slots.insert(make) }

    /// The connection that `token` names, if it still lives.
    subscript(token: SlotToken) -> Connection? { slots[token] }

    /// Removes a connection and its timer.
    func remove(_ connection: Connection) {
        slots.remove(connection.token)
        timers.clear(connection.token.index)
    }

    func visit(_ body: (Connection) -> Void) {
        for index in 0..<slots.extent {
            if let connection = slots[index: index] { body(connection) }
        }
    }

    /// A connection that may give way. The search goes round the table like the hand of a clock:
    /// each call is bounded, and all slots are visited in time.
    func find(_ isMissedLeast: (Connection) -> Bool) -> Connection? {
        for _ in 0..<min(256, slots.extent) {
            clockHand = (clockHand + 1) % slots.extent
            if let connection = slots[index: clockHand], isMissedLeast(connection) {
                return connection
            }
        }
        return nil
    }

    // MARK: Timers

    /// How long the loop may sleep because of the timers; `nil`: no limit.
    func timeout(now: MonotonicInstant) -> Duration? { timers.timeout(now: now) }

    /// Sets the connection's timer to its deadline; no effect if the connection is closed.
    ///
    /// - Parameter notBefore: the earliest time of a timer that has just fired. A deadline that did
    ///   not move, by a mistake of ours, fires again then and not in this turn: a worker once
    ///   stayed in ``Worker/expireTimers()`` indefinitely.
    func arm(_ connection: Connection, notBefore: MonotonicInstant? = nil) {
        guard connection.isOpen else { return }
        let deadline = connection.machine.deadline
        timers.set(connection.token.index, max(deadline, notBefore ?? deadline))
    }

    /// Takes one connection whose deadline has passed; `nil` when there are no more.
    func nextExpired(now: MonotonicInstant) -> Connection? {
        while let slot = timers.popExpired(now: now) {
            guard let connection = slots[index: slot] else { continue }
            if connection.machine.deadline <= now { return connection }
            arm(connection)
        }
        return nil
    }

    // MARK: Events

    /// Whether a connection continues in the next turn without an event.
    var hasQueued: Bool { !queued.isEmpty }

    /// Queues `connection` for the next turn.
    func queue(_ connection: Connection) {
        if connection.machine.queue() { queued.append(connection.token) }
    }

    /// Takes the connections that are queued by now.
    func takeQueued() -> [SlotToken] {
        defer { queued.removeAll(keepingCapacity: true) }
        return queued
    }

    /// Tells epoll what to report. Edge-triggered: one registration is enough for the whole life of
    /// a connection, unless its peer reads slowly.
    ///
    /// - Throws: if the kernel cannot: the connection has to be closed then.
    func watch(_ connection: Connection, _ interest: Interest) throws(SystemError) {
        // An unneeded report of writability costs less than a call to remove the interest.
        if connection.interest == interest || connection.interest == .edgeReadWrite { return }
        let token = connection.token.rawValue
        if connection.interest.isEmpty {
            try poller.add(connection.socket.raw, interest, token: token)
        } else {
            try poller.modify(connection.socket.raw, interest, token: token)
        }
        connection.interest = interest
    }
}
