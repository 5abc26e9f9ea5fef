import AASAServer
import HTTP
import Reactor

/// `Worker` of the server on a simulated kernel: its values are the real ones, its calls stand in
/// the order of `Worker.swift` and of the parts that it is made of.
final class SimulatedWorker {
    let world: World
    let laws: Laws
    let limits: ServerLimits
    let holes: Set<Hole>
    let times: ConnectionTimes
    var timers: TimerQueue
    var slots: SlotTable<SimulatedConnection>
    var lifecycle = LifecycleStateMachine()
    var admission: AdmissionController
    var shedding: ShedController
    var probes: LinkProbes
    var nextIsProbe = false
    var hellos: SilentPeers
    var keptHellos: KeptHellos
    var stalledReaders: SilentPeers
    var clock: LoopClock
    var now: MonotonicInstant
    private(set) var turns: UInt64 = 0
    private var memoryLookAt: MonotonicInstant
    private(set) var isLate = false
    private var lastTurnWasLong = false
    private(set) var isMemoryExhausted = false {
        didSet { if oldValue, !isMemoryExhausted { acceptPause?.until = now } }
    }
    private(set) var areBuffersShort = false
    var queued: [SlotToken] = []
    var large: [SlotToken] = []
    var clockHand = 0
    /// `ConnectionAcceptor`: no slot or memory is left.
    var acceptPause: (until: MonotonicInstant, closedCount: Int, isForHellos: Bool)?
    var closedCount = 0
    // `Listener`.
    var pace: AcceptLimiter
    // `Buffers` and `TLSTransport`.
    var input: [Piece] = []
    var inputStart = 0
    var inputBytes: Int {
        input[inputStart...].reduce(0) { $0 + $1.count }
    }
    var record: [Message] = []
    var recordCount = 0
    var output: [Message] = []
    var outputCount = 0

    init(world: World, laws: Laws) {
        self.world = world
        self.laws = laws
        limits = world.limits
        holes = world.scenario.holes
        times = ConnectionTimes(limits)
        now = world.instant
        memoryLookAt = now
        pace = AcceptLimiter(now: now)
        timers = TimerQueue(now: now)
        slots = SlotTable(capacityMaximum: limits.connectionsMaximum)
        admission = AdmissionController(limits: limits.admission, now: now)
        shedding = ShedController(limits: limits.shedding, now: now)
        probes = LinkProbes(limits: limits.shedding, now: now)
        hellos = SilentPeers(grace: limits.admission.silenceTolerated)
        keptHellos = KeptHellos(
            maximum: limits.helloBytesInAll, grace: limits.silenceUnderPressure)
        stalledReaders = SilentPeers(grace: .zero)
        clock = LoopClock(capacity: limits.eventsPerTurn, now: now)
    }

    /// Runs until nothing will happen any more, or the server has stopped.
    func run() {
        while true {
            let timeout = sleep()
            let mustNotSleep = mustNotSleep || isTurnedAway
            clock.waitBegan(now: now, timeout: timeout)
            let events = world.wait(timeout: timeout, atMost: limits.eventsPerTurn) {
                laws.sleeps(self)
            }
            guard let events else { break }
            guard turn(events, hadWaiters: mustNotSleep) else { break }
            // With nobody left and nobody to come, the run is over.
            if world.isTooLate || slots.count == 0 && world.isOver { break }
        }
        laws.ended(self)
        closeEverything()
    }

    /// Whether the loop may not rest; the old defect asked only whether somebody may begin.
    private var mustNotSleep: Bool {
        if holes.contains(.silentPeersHoldPlaces) {
            return admission.mustNotSleep
                && admission.workingCount < limits.admission.workingMinimum
        }
        return admission.mustNotSleep
    }

    private func sleep() -> Duration? {
        if !queued.isEmpty || mustNotSleep { return .zero }
        var timeout = timers.timeout(now: now)
        func bound(_ instant: MonotonicInstant) {
            let left = max(.zero, instant - now)
            timeout = min(timeout ?? left, left)
        }
        if let acceptPause { bound(acceptPause.until) }
        if isMemoryExhausted || admission.waitsForMemory { bound(memoryLookAt) }
        if !large.isEmpty { bound(now + limits.shedding.samplePeriod) }
        if case .draining(let until) = lifecycle.phase { bound(until) }
        return timeout
    }

    private var isTurnedAway: Bool { acceptPause != nil && world.queueLength > 0 }

    private func turn(_ events: [World.Readied], hadWaiters: Bool) -> Bool {
        now = world.instant
        let began = now
        let wait = clock.waitEnded(
            now: now, eventCount: events.count, openConnections: slots.count)
        let hasBlocked = wait.slept > 50_000
        if hadWaiters && hasBlocked && wait.mayBlock { laws.sleptWhileSomebodyWaited(self) }
        if let pause = wait.pause { excuse(pause) }
        turns += 1
        world.spend(CostModel.turn)

        isLate = events.count >= limits.eventsPerTurn || lastTurnWasLong
        sampleMemory()
        var acceptable = false
        for event in events {
            switch event {
            case .peer(let peer, let readiness):
                guard let connection = slots[peer.token] else { continue }
                perform(
                    connection.machine.socketReady(
                        readable: readiness.allowsReading, ended: readiness.hasEnded,
                        broken: readiness.isBroken), connection)
            case .listener: acceptable = true
            }
        }
        if world.isWatchingListener, hasBlocked || !acceptable { pace.emptyAt = now }
        let isIdle = events.isEmpty && queued.isEmpty
        continueQueued()
        admitClients(acceptable: acceptable, isIdle: isIdle)
        expireTimers()
        sampleEgress()
        let goesOn = obeyLifecycle()
        if let acceptPause,
            now >= acceptPause.until || closedCount != acceptPause.closedCount
                || acceptPause.isForHellos && !keptHellos.isFull(now: now)
        {
            resumeAccepting()
        }

        let ended = world.instant
        let busy = ended.nanoseconds - began.nanoseconds
        lastTurnWasLong = busy > limits.admission.turnTimeMaximum.inNanoseconds
        admission.turnEnded(busyNanoseconds: busy, now: ended)
        now = ended
        clock.turnEnded(busyNanoseconds: busy)
        laws.turnEnded(self)
        return goesOn
    }

    private func admitClients(acceptable: Bool, isIdle: Bool) {
        let hasHole = holes.contains(.silentPeersHoldPlaces)
        admission.turnBegan(now: clock.judged, isIdle: isIdle && !hasHole) { token in
            guard let peer = slots[token]?.peer else { return true }
            return peer.unacknowledged == 0 && !peer.hasUnread
        }
        hellos.turnBegan(now: clock.judged)
        boundHelloBytes()
        boundSilentHandshakes()
        startHandshakes()
        if acceptable { acceptConnections() }
        if let backlog = admission.backlogChange() { world.backlog = backlog }
    }

    /// Has `connection` looked at again in the next turn.
    func queue(_ connection: SimulatedConnection) {
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

    private func excuse(_ pause: Duration) {
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            connection.machine.serverWasLate(by: pause)
            connection.large?.serverWasLate(by: pause)
            connection.givenAt = connection.givenAt + pause
            if case .http2(let exchange) = connection.exchange {
                exchange.guardian.serverWasLate(by: UInt64(clamping: pause.inNanoseconds))
            }
        }
    }

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
                connection.tls != nil
            {
                deadlineHTTP2(connection, exchange)
                arm(connection)
                continue
            }
            switch connection.machine.deadlinePassed(now: judged) {
            case .wait: break
            case .close(let reason):
                let isUnread = connection.machine.isLingering && connection.large != nil
                close(
                    connection, isUnread ? .slowReader : reason,
                    abort: isUnread || reason == .slowReader)
            case .shutDown(let reason): shutDown(connection, reason)
            }
            arm(connection)
        }
    }

    func arm(_ connection: SimulatedConnection) {
        let deadline = connection.machine.deadline
        guard connection.isOpen, deadline < connection.armedFor else { return }
        connection.armedFor = deadline
        timers.set(connection.token.index, deadline)
    }

    private func sampleMemory() {
        if now < memoryLookAt { return }
        let limit = world.scenario.machine.memoryBytes
        let share = Double(memoryBytes) / limit
        let look = MemoryGauge.Look(
            memory: share, tcpBuffers: 0, freeBytes: limit - Double(memoryBytes))
        memoryLookAt = now + .seconds(look.interval)
        laws.memorySampled(share: share, self)
        shedding.isMemoryShort = share >= limits.memoryShareSoft
        areBuffersShort = share >= limits.memoryShareOfReaders
        isMemoryExhausted = look.memory >= limits.memoryShareHard
        admission.memoryAllows = look.handshakes(
            ofBytes: limits.admission.handshakeBytes, upTo: limits.memoryShareHard, workers: 1)
        if isMemoryExhausted { makeRoom(atMost: limits.evictionsPerMemoryLook) }
    }

    var isUnderPressure: Bool {
        shedding.isMemoryShort
            || admission.hasWaiter(longerThan: limits.admission.overloadAge, now: now)
    }

    // MARK: Lifecycle

    private func obeyLifecycle() -> Bool {
        if world.drainBegan, let drain = world.scenario.drain {
            let until = MonotonicInstant(nanoseconds: World.time(drain.at + drain.lasts))
            if case .beginDrain = lifecycle.drain(until: until) { beginDrain() }
            if case .draining(let until) = lifecycle.phase { shedding.drain(until: until) }
        }
        switch lifecycle.turn(now: now, openConnections: slots.count) {
        case .serve, .beginDrain, .keepDraining: return true
        case .stop: return false
        }
    }

    private func beginDrain() {
        accept(atMost: Int(limits.backlog) * 2, whateverTheRate: true)
        laws.drainBegan(self)
        world.stopListening()
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            connection.machine.drain(now: now)
            if case .http2(let exchange) = connection.exchange {
                exchange.drain()
                transfer(connection)
            }
            arm(connection)
        }
    }

    private func closeEverything() {
        world.stopListening()
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            close(connection, connection.machine.reasonAtStop)
        }
    }
}
