import Glibc
import HTTP
import OpenSSL
import Reactor

/// One thread, one loop, one table of connections, one TLS library.
///
/// A turn of the loop, in the order of what a client has already paid for (overload.md section 6):
/// events of connections under way first, then handshakes of those who wait, then new connections,
/// then timers. Time is read once per turn, after the wait.
final class Worker {
    let number: Int
    let limits: ServerLimits
    let connectionTimes: ConnectionTimes
    let counters: WorkerCounters
    let shared: SharedState
    let wakeup: Wakeup
    let http2Settings: HTTP2ServerSettings
    let transport: TLSTransport
    let date: HTTPDate
    @ThreadOwned var buffers: Buffers
    let poller: Poller
    @ThreadOwned var timers: TimerQueue
    @ThreadOwned var slots: SlotTable<Connection>
    var listeners: [Listener]
    var snapshot: Snapshot
    var context: TLSContext
    var publicationVersion: UInt64
    var lifecycle = LifecycleStateMachine()
    @ThreadOwned var admission: AdmissionController
    @ThreadOwned var shedding: ShedController
    /// Clients whose ClientHello is not there, or not whole.
    @ThreadOwned var hellos: SilentPeers
    /// Bytes kept of ClientHellos that are not whole.
    var helloBytes = 0
    /// Readers of large answers that do not read.
    @ThreadOwned var stalledReaders: SilentPeers
    @ThreadOwned var clock: LoopClock
    /// The time of this turn.
    var now: MonotonicInstant
    private(set) var turns: UInt64 = 0
    private let memory = MemoryGauge()
    private var memorySampledAt: MonotonicInstant
    /// More was ready than one turn takes, or the last one took long: requests may have waited.
    private(set) var isLate = false
    private var lastTurnWasLong = false
    /// Beyond `memoryShareHard`: nobody is taken in.
    private(set) var isMemoryExhausted = false
    /// The connection whose HTTP/2 session is calling back; the caller of that session holds it.
    var current: Unmanaged<Connection>?
    /// Connections to go on with in the next turn without an event.
    var queued: [SlotToken] = []
    /// Connections with a large answer under way.
    var large: [SlotToken] = []
    /// Where the search for idle connections goes on.
    var clockHand = 0
    /// Listeners wait for a descriptor or slot until then.
    var acceptPausedUntil: MonotonicInstant?

    static let wakeupToken: UInt64 = 1 << 31

    init(
        number: Int, limits: ServerLimits, shared: SharedState, counters: WorkerCounters,
        wakeup: Wakeup, listeners: consuming [Listener]
    ) throws(ServerError) {
        self.number = number
        self.limits = limits
        self.shared = shared
        self.counters = counters
        self.wakeup = wakeup
        self.listeners = listeners
        connectionTimes = ConnectionTimes(limits)
        do {
            http2Settings = try HTTP2ServerSettings(limits: limits.http2)
            transport = try TLSTransport()
            poller = try Poller(eventsMaximum: limits.eventsPerTurn)
        } catch {
            throw ServerError("worker \(number) cannot start: \(error)")
        }
        now = .now()
        memorySampledAt = now
        timers = TimerQueue(now: now)
        slots = SlotTable(capacityMaximum: limits.connectionsMaximum)
        admission = AdmissionController(limits: limits.admission, now: now)
        shedding = ShedController(limits: limits.shedding, now: now)
        hellos = SilentPeers(grace: limits.admission.silenceTolerated)
        stalledReaders = SilentPeers(grace: .zero)
        clock = LoopClock(capacity: limits.eventsPerTurn, now: now)
        buffers = Buffers(limits: limits)
        date = HTTPDate(unixSeconds: Int64(time(nil)))
        publicationVersion = shared.publisher.version
        let publication = shared.publisher.latest
        snapshot = publication.snapshot
        context = publication.contexts[number]
        do throws(SystemError) {
            try poller.add(wakeup.descriptor, .read, token: Self.wakeupToken)
            for (index, listener) in self.listeners.enumerated() {
                try poller.add(listener.socket.raw, listener.interest, token: UInt64(index))
                listener.isWatched = true
            }
        } catch {
            throw ServerError("worker \(number) cannot start: \(error)")
        }
    }

    deinit {
        buffers.free()
        _buffers.free()
        _timers.free()
        _slots.free()
        _admission.free()
        _shedding.free()
        _hellos.free()
        _stalledReaders.free()
        _clock.free()
    }

    /// Runs until the server has stopped.
    func run() {
        do throws(SystemError) {
            var goesOn = true
            while goesOn {
                let timeout = sleep()
                let mustNotSleep = admission.mustNotSleep || isTurnedAway()
                clock.waitBegan(now: now, timeout: timeout)
                let count = try poller.wait(timeout: timeout)
                goesOn = turn(eventCount: count, hadWaiters: mustNotSleep)
            }
        } catch {
            shared.report("worker \(number) ends: \(error)")
        }
        closeEverything()
    }

    /// How long to wait for events.
    private func sleep() -> Duration? {
        if !queued.isEmpty || admission.mustNotSleep { return .zero }
        var timeout = timers.timeout(now: now)
        func bound(_ instant: MonotonicInstant) {
            let left = max(.zero, instant - now)
            timeout = min(timeout ?? left, left)
        }
        if let until = acceptPausedUntil { bound(until) }
        if !large.isEmpty { bound(now + limits.shedding.samplePeriod) }
        if case .draining(let until) = lifecycle.phase { bound(until) }
        return timeout
    }

    /// Whether accepting rests while clients stand in the kernel's queue.
    private func isTurnedAway() -> Bool {
        acceptPausedUntil != nil && listeners.contains { $0.socket.queue.waiting > 0 }
    }

    /// One turn; `false` when the worker is done.
    private func turn(eventCount: Int, hadWaiters: Bool) -> Bool {
        now = .now()
        let began = now
        let wait = clock.waitEnded(
            now: now, eventCount: eventCount, openConnections: slots.count)
        // A wait that blocked found every queue empty when it began, and ended at the first
        // arrival.
        let hasBlocked = wait.slept > .microseconds(50)
        if hadWaiters && hasBlocked && wait.mayBlock {
            counters.add(.idleWhileWaitingNanoseconds, Int(wait.slept.inNanoseconds))
        }
        if let pause = wait.pause { excuse(pause) }
        date.update(unixSeconds: Int64(time(nil)))
        turns += 1
        counters.add(.turns)
        refreshPublication()

        isLate = eventCount >= limits.eventsPerTurn || lastTurnWasLong
        var acceptable: UInt64 = 0
        for index in 0..<eventCount {
            let (token, readiness) = poller.event(index)
            let slot = SlotToken(rawValue: token)
            if slot.isSlot {
                if let connection = slots[slot] { handle(readiness, connection) }
            } else if token == Self.wakeupToken {
                wakeup.drain()
            } else {
                acceptable |= 1 << token
            }
        }
        for (index, listener) in listeners.enumerated()
        where listener.isWatched && (hasBlocked || acceptable & (1 << UInt64(index)) == 0) {
            listener.emptyAt = now
        }
        let isIdle = eventCount == 0 && queued.isEmpty
        continueQueued()
        admitClients(acceptable: acceptable, isIdle: isIdle)
        expireTimers()
        sampleEgress()
        sampleMemory()
        let goesOn = obeyLifecycle()

        let ended = MonotonicInstant.now()
        let busy = ended.nanoseconds - began.nanoseconds
        lastTurnWasLong = busy > limits.admission.turnTimeMaximum.inNanoseconds
        counters.add(.busyNanoseconds, Int(busy))
        counters.record(.turnTime, nanoseconds: busy)
        admission.turnEnded(busyNanoseconds: busy, now: ended)
        now = ended
        clock.turnEnded(busyNanoseconds: busy)
        return goesOn
    }

    private func admitClients(acceptable: UInt64, isIdle: Bool) {
        admission.turnBegan(now: now, isIdle: isIdle)
        hellos.turnBegan(now: now)
        boundSilentHandshakes()
        startHandshakes()
        acceptConnections(from: acceptable)
        if let backlog = admission.backlogChange() {
            for listener in listeners { listener.socket.setBacklog(backlog * listener.sharers) }
        }
    }

    /// Takes over what was published since the last turn. Connections keep the TLS context they
    /// began with.
    private func refreshPublication() {
        let version = shared.publisher.version
        if version == publicationVersion { return }
        publicationVersion = version
        let publication = shared.publisher.latest
        snapshot = publication.snapshot
        context = publication.contexts[number]
    }

    private func handle(_ readiness: Readiness, _ connection: Connection) {
        perform(
            connection.machine.socketReady(
                readable: readiness.allowsReading, ended: readiness.hasEnded,
                broken: readiness.isBroken), connection)
    }

    /// Has `connection` looked at again in the next turn.
    func queue(_ connection: Connection) {
        if connection.machine.queue() == .append { queued.append(connection.token) }
    }

    private func continueQueued() {
        if queued.isEmpty { return }
        let round = queued
        queued.removeAll(keepingCapacity: true)
        for token in round {
            guard let connection = slots[token] else { continue }
            perform(connection.machine.turnCame(), connection)
        }
    }

    /// The process was kept from running: that is not the peers' fault.
    private func excuse(_ pause: Duration) {
        counters.add(.latePauses)
        for index in 0..<slots.extent {
            slots[index: index]?.machine.serverWasLate(by: pause)
        }
    }

    /// Ends what is late, judged by the time up to which all that peers have sent was read.
    private func expireTimers() {
        let judged = clock.judged
        while let slot = timers.popExpired(now: judged) {
            guard let connection = slots[index: slot] else { continue }
            connection.armedFor = .distantFuture
            if judged < connection.machine.deadline {
                arm(connection)
                continue
            }
            if connection.machine.isAnswering, case .http2(let exchange) = connection.exchange,
                let tls = connection.tls
            {
                deadlineHTTP2(connection, exchange, tls)
                arm(connection)
                continue
            }
            perform(connection.machine.deadlinePassed(now: judged), connection)
            arm(connection)
        }
        if let until = acceptPausedUntil, now >= until { resumeAccepting() }
    }

    /// Sets the connection's timer to its deadline; nothing if it has ended.
    func arm(_ connection: Connection) {
        // A deadline that has moved out waits for the timer that is set: it asks again then. So a
        // busy connection, whose deadline moves with every request, leaves the queue alone.
        let deadline = connection.machine.deadline
        guard connection.isOpen, deadline < connection.armedFor else { return }
        connection.armedFor = deadline
        timers.set(connection.token.index, deadline)
    }

    private func perform(
        _ action: ConnectionStateMachine.DeadlineAction, _ connection: Connection
    ) {
        switch action {
        case .wait: break
        case .close(let reason): close(connection, reason)
        case .shutDown(let reason): shutDown(connection, reason)
        }
    }

    /// Looks at the memory once per second, while anything happens at all.
    private func sampleMemory() {
        if now - memorySampledAt < .seconds(1) { return }
        memorySampledAt = now
        let share = memory.share()
        shedding.isMemoryShort = share >= limits.memoryShareSoft
        isMemoryExhausted = share >= limits.memoryShareHard
    }

    /// Idle connections are kept only briefly.
    var isUnderPressure: Bool { admission.isOverloaded || shedding.isMemoryShort }

    // MARK: Lifecycle

    private func obeyLifecycle() -> Bool {
        if let until = shared.drainDeadline {
            if case .beginDrain = lifecycle.drain(until: until) { beginDrain() }
            // A second signal may have shortened it.
            if case .draining(let until) = lifecycle.phase { shedding.drain(until: until) }
        }
        switch lifecycle.turn(now: now, openConnections: slots.count) {
        case .serve, .beginDrain, .keepDraining: return true
        case .stop: return false
        }
    }

    /// Everybody in the kernel's queue has connected already: they are taken in and served before
    /// the listeners close.
    private func beginDrain() {
        acceptConnections(from: .max, draining: true)
        listeners.removeAll()
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            if case .http2(let exchange) = connection.exchange {
                exchange.session.drain()
                connection.machine.drain(now: now)
                transfer(connection)
            } else {
                connection.machine.drain(now: now)
            }
            arm(connection)
        }
    }

    private func closeEverything() {
        listeners.removeAll()
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            close(connection, connection.machine.reasonAtStop)
        }
    }
}
