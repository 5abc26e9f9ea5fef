import Reactor

/// The connections of one worker: their slots, their timers, what epoll reports of them, and which
/// are gone on with in the next turn without an event.
final class ConnectionTable {
    /// Watches the listeners and the worker's wake-up as well.
    let poller: Poller
    private let report: @Sendable (String) -> Void
    @ThreadOwned private var slots: SlotTable<Connection>
    @ThreadOwned private var timers: TimerQueue
    @ThreadOwned private var queued: [SlotToken]
    /// Where the search for idle connections goes on.
    private var clockHand = 0

    init(
        limits: ServerLimits, now: MonotonicInstant, report: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        poller = try Poller(eventsMaximum: limits.eventsPerTurn)
        slots = SlotTable(capacityMaximum: limits.connectionsMaximum)
        timers = TimerQueue(now: now)
        queued = []
        self.report = report
    }

    deinit {
        _slots.free()
        _timers.free()
        _queued.free()
    }

    var count: Int { slots.count }
    var isFull: Bool { slots.isFull }

    /// Puts what `make` returns into a free slot; `nil` when there is none.
    func insert(_ make: (SlotToken) -> Connection) -> Connection? { slots.insert(make) }

    /// The connection that `token` names, if it still lives.
    subscript(token: SlotToken) -> Connection? { slots[token] }

    /// Takes a connection out; its timer ends with it.
    func remove(_ connection: Connection) {
        slots.remove(connection.token)
        timers.clear(connection.token.index)
    }

    func visit(_ body: (Connection) -> Void) {
        for index in 0..<slots.extent {
            if let connection = slots[index: index] { body(connection) }
        }
    }

    /// A connection that is idle after an answer that has arrived, as far as can be seen. A clock
    /// hand over the table: each look is bounded, and all are looked at in the end.
    func idleAfterAnswer() -> Connection? {
        find { $0.machine.isIdleAfterAnswer && $0.large == nil }
    }

    /// A connection whose peer holds its place and does nothing with it. The same hand.
    func holdingPlace(for minimum: Duration, now: MonotonicInstant) -> Connection? {
        find {
            $0.machine.holdsPlace(for: minimum, now: now) && !$0.socket.hasUnreadBytes
        }
    }

    private func find(_ isMissedLeast: (Connection) -> Bool) -> Connection? {
        for _ in 0..<min(256, slots.extent) {
            clockHand = (clockHand + 1) % slots.extent
            if let connection = slots[index: clockHand], isMissedLeast(connection) {
                return connection
            }
        }
        return nil
    }

    // MARK: Timers

    /// How long the loop may sleep for the timers' sake; `nil`: as long as it likes.
    func timeout(now: MonotonicInstant) -> Duration? { timers.timeout(now: now) }

    /// Sets the connection's timer to its deadline; nothing if it has ended.
    func arm(_ connection: Connection) {
        // A deadline that has moved out waits for the timer that is set: it asks again then. So a
        // busy connection, whose deadline moves with every request, leaves the queue alone.
        let deadline = connection.machine.deadline
        guard deadline < connection.armedFor, connection.isOpen else { return }
        connection.armedFor = deadline
        timers.set(connection.token.index, deadline)
    }

    /// Takes one connection whose deadline has passed; `nil` when there is none any more.
    func nextExpired(now: MonotonicInstant) -> Connection? {
        while let slot = timers.popExpired(now: now) {
            guard let connection = slots[index: slot] else { continue }
            connection.armedFor = .distantFuture
            if connection.machine.deadline <= now { return connection }
            arm(connection)
        }
        return nil
    }

    // MARK: Events

    /// Somebody is to be gone on with without an event.
    var hasQueued: Bool { !queued.isEmpty }

    /// Has `connection` looked at again in the next turn.
    func queue(_ connection: Connection) {
        if connection.machine.queue() == .append { queued.append(connection.token) }
    }

    /// Takes those that were queued up to now.
    func takeQueued() -> [SlotToken] {
        defer { queued.removeAll(keepingCapacity: true) }
        return queued
    }

    /// Tells epoll what to report. Edge-triggered: one registration serves the whole life, but for
    /// a peer that reads slowly.
    ///
    /// - Returns: `false` if the kernel cannot: the connection has to be closed then.
    func watch(_ connection: Connection, _ interest: Interest) -> Bool {
        // Being told of writability once too often costs less than a call to take it back.
        if connection.interest == interest || connection.interest == .edgeReadWrite { return true }
        let token = connection.token.rawValue
        do throws(SystemError) {
            if connection.interest.isEmpty {
                try poller.add(connection.socket.raw, interest, token: token)
            } else {
                try poller.modify(connection.socket.raw, interest, token: token)
            }
            connection.interest = interest
            return true
        } catch {
            report("watching a connection: \(error)")
            return false
        }
    }
}
