import HTTP
import OpenSSL
package import Reactor

/// One thread, one loop, one table of connections, one TLS library. This file defines the order of
/// a turn; each extension does one kind of work in it. What can be judged without the rest is a
/// part of its own, with its own state.
///
/// A turn handles first what clients have already paid most for (overload.md section 6): events of
/// connections under way, then handshakes of waiting clients, then new connections, then timers.
/// Time is read once per turn, after the wait.
///
/// Swift checks each stored property of a class for overlapping access, at run time if the compiler
/// cannot see through a mutating call: seven per cent of a keep-alive request, fifteen of one over
/// HTTP/2. The values of a worker's parts are `@exclusivity(unchecked)`: one thread owns the part,
/// and the values are pure (they call nothing back), so two accesses cannot overlap.
package final class Worker {
    let number: Int
    let limits: ServerLimits
    let sharedLimits: SharedLimits
    let counters: WorkerCounters
    let shared: SharedState
    private let wakeup: Wakeup
    let date: HTTPDate
    /// The time of the turn: read once, after the wait.
    @exclusivity(unchecked) var now: MonotonicInstant
    private(set) var turnNumber: UInt64 = 0
    /// More events were ready than one turn takes, or the last turn was long: requests may have
    /// waited.
    var isLate = false
    let table: ConnectionTable
    private let keys: WorkerKeyPool?
    private let memory: MemoryGauge
    /// Of the process.
    private let workers: Int
    private var memoryLookAt: MonotonicInstant
    /// Share of memory in use at the last look.
    private var memoryShare = 0.0
    /// When free memory may be given back again, and how many connections had ended the last time.
    private var trim: (closedCount: Int, again: MonotonicInstant)
    private var publicationVersion: UInt64
    /// Set once the server drains.
    private var drainUntil: MonotonicInstant?
    @exclusivity(unchecked) private var clock: LoopClock

    // MARK: Accepting

    var listeners: [Listener]
    /// Set while no descriptor, slot or memory is left: clients stay in the kernel's queue until
    /// this time, or until there is room again.
    var pause: (until: MonotonicInstant, closedCount: Int, isForHellos: Bool)?
    /// The time by which silence is judged: all that had arrived by then has been read.
    var judged: MonotonicInstant
    /// Nothing is accepted, because memory is used up. With free memory, no client waits longer.
    package internal(set) var isMemoryExhausted = false {
        didSet { if oldValue, !isMemoryExhausted { pause?.until = now } }
    }
    /// When a front that is wrongly configured is reported again.
    var proxyReportsFrom: MonotonicInstant?

    // MARK: Bytes

    /// Where the TLS sessions read from and write to.
    let transport: TLSTransport
    /// Ciphertext as received.
    let ciphertext: UnsafeMutableRawBufferPointer
    /// Where decrypted input is read to, and requests are read from: room for an incomplete head
    /// and one more record.
    let plaintext: UnsafeMutableRawBufferPointer
    /// Plaintext output that is gathered into one record, and how much there is.
    let record: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) var recordCount = 0

    // MARK: Large answers

    /// Why a document must not be sent now.
    @exclusivity(unchecked) var shedding: ShedController
    /// Connections with a large answer under way.
    @exclusivity(unchecked) var largeAnswers: [SlotToken] = []
    /// Readers of large answers that do not read.
    @exclusivity(unchecked) var stalledReaders = AgedSlots()
    /// Memory runs out, or the kernel's memory for TCP: readers that do not read give way.
    var areBuffersShort = false

    // MARK: Handshakes and transfers

    /// Whose handshake starts, and when.
    @exclusivity(unchecked) var admission: AdmissionController
    /// Clients whose ClientHello is missing or incomplete.
    @exclusivity(unchecked) var silent = AgedSlots()
    /// ClientHellos that came in parts, until their handshake begins.
    @exclusivity(unchecked) var keptHellos: KeptHellos
    @exclusivity(unchecked) var snapshot: Snapshot
    /// New sessions are made from this context; existing sessions keep the one they began with.
    var context: TLSContext
    let http2Settings: HTTP2ServerSettings
    /// The connection whose HTTP/2 session is calling back; the caller of the session keeps it
    /// alive.
    var current: Unmanaged<Connection>?
    /// Connections of validators whose challenge is being looked up elsewhere. Each is tried again
    /// after a short time; the time limit of a handshake applies as usual.
    @exclusivity(unchecked) var awaitingChallenge: [SlotToken] = []
    var challengesTriedAt = MonotonicInstant(nanoseconds: 0)
    /// Connections closed so far. If the number has grown, there is room for another connection.
    var closedCount = 0

    private static let wakeupToken: UInt64 = 1 << 31

    package init(
        number: Int, limits: ServerLimits, shared: SharedState, counters: WorkerCounters,
        wakeup: Wakeup, listeners: consuming [Listener], memory: MemoryGauge = MemoryGauge()
    ) throws(Problem) {
        self.number = number
        self.limits = limits
        self.shared = shared
        self.counters = counters
        self.wakeup = wakeup
        self.listeners = listeners
        self.memory = memory
        sharedLimits = SharedLimits(limits)
        let now = MonotonicInstant.now()
        self.now = now
        admission = AdmissionController(limits: limits.admission, now: now)
        keptHellos = KeptHellos(
            maximum: limits.helloBytesInAll, grace: limits.silenceUnderPressure)
        shedding = ShedController(limits: limits.shedding, now: now)
        judged = now
        memoryLookAt = now
        trim = (0, now)
        date = HTTPDate(unixSeconds: WallClock.seconds)
        publicationVersion = shared.publisher.version
        let publication = shared.publisher.latest
        workers = publication.contexts.count
        context = publication.contexts[number]
        snapshot = publication.snapshot
        do {
            table = try ConnectionTable(limits: limits)
            transport = try TLSTransport()
            http2Settings = try HTTP2ServerSettings(limits: limits.http2)
            ciphertext = .allocate(byteCount: limits.receiveBytes, alignment: 64)
            plaintext = .allocate(byteCount: limits.plaintextBytes, alignment: 64)
            record = .allocate(byteCount: Self.recordBytes, alignment: 64)
            keys = WorkerKeyPool(for: context, pairs: limits.keyReservePairs, counters: counters)
            clock = LoopClock(capacity: limits.eventsPerTurn, now: now)
            for (index, listener) in self.listeners.enumerated() {
                try listen(on: listener, index)
            }
            try table.poller.add(wakeup.descriptor, .read, token: Self.wakeupToken)
        } catch {
            throw .limits("worker \(number)", error)
        }
    }

    deinit {
        ciphertext.deallocate()
        plaintext.deallocate()
        record.deallocate()
    }

    /// Runs until the server has stopped.
    package func run() {
        keys?.begin()
        do throws(SystemError) {
            var goesOn = true
            while goesOn {
                let timeout = sleep()
                let mustNotSleep = admission.mustNotSleep || turnsAway
                clock.waitBegan(now: now, timeout: timeout)
                let count = try table.poller.wait(timeout: timeout)
                goesOn = takeTurn(eventCount: count, hadWaiters: mustNotSleep)
            }
        } catch {
            shared.report("worker \(number) has stopped: \(error)")
        }
        stopListening()
        table.visit { close($0, $0.machine.reasonAtStop) }
        keys?.end()
    }

    /// How long to wait for events.
    private func sleep() -> Duration? {
        if table.hasQueued || admission.mustNotSleep { return .zero }
        var timeout = table.timeout(now: now)
        func bound(_ other: Duration?) {
            guard let other else { return }
            timeout = timeout.map { min($0, other) } ?? other
        }
        bound(pauseLeft)
        bound(sampleTimeout)
        bound(keys?.timeout(now: now))
        bound(challengeTimeout)
        if isMemoryExhausted || admission.waitsForMemory || mayTrim {
            bound(max(.zero, memoryLookAt - now))
        }
        if let drainUntil { bound(max(.zero, drainUntil - now)) }
        return timeout
    }

    /// One turn; `false` when the worker is done.
    private func takeTurn(eventCount: Int, hadWaiters: Bool) -> Bool {
        let began = MonotonicInstant.now()
        now = began
        turnNumber += 1
        if eventCount >= limits.eventsPerTurn { isLate = true }
        let wait = clock.waitEnded(now: began, eventCount: eventCount, openConnections: table.count)
        // If a wait blocked, every queue was empty when it began, and it ended at the first
        // arrival.
        let hasBlocked = wait.slept > 50_000
        if hadWaiters && hasBlocked && wait.mayBlock {
            counters.add(.idleWhileWaitingNanoseconds, Int(wait.slept))
        }
        if let pause = wait.pause { excuse(pause) }
        date.update(unixSeconds: WallClock.seconds)
        keys?.turnBegan(now: began, unixSeconds: date.unixSeconds)
        counters.add(.turns)
        refreshPublication()
        // Before the first request: while the loop slept, nothing checked it.
        sampleMemory()

        handleEvents(eventCount)
        measureQueues(hasBlocked: hasBlocked)
        let isIdle = eventCount == 0 && !table.hasQueued
        retryChallenges()
        continueQueued()
        judged = clock.judged
        admitClients(isIdle: isIdle)
        expireTimers()
        if isIdle, hasBlocked, !admission.mustNotSleep, !table.hasQueued {
            keys?.idle(now: now)
        }
        keys?.show()
        sampleLargeAnswers()
        let goesOn = obeyDrain()
        resumeIfThereIsRoom()

        let ended = MonotonicInstant.now()
        let busy = ended.nanoseconds - began.nanoseconds
        counters.add(.busyNanoseconds, Int(busy))
        counters.record(.turnTime, nanoseconds: busy)
        isLate = admission.turnEnded(busyNanoseconds: busy, now: ended)
        now = ended
        clock.turnEnded(busyNanoseconds: busy)
        return goesOn
    }

    /// Gives the events to the parts.
    private func handleEvents(_ count: Int) {
        for index in 0..<count {
            let (token, readiness) = table.poller.event(index)
            let slot = SlotToken(rawValue: token)
            if slot.isSlot {
                guard let connection = table[slot] else { continue }
                perform(
                    connection.machine.socketReady(
                        readable: readiness.allowsReading, ended: readiness.hasEnded,
                        broken: readiness.isBroken), connection)
            } else if token == Self.wakeupToken {
                wakeup.drain()
            } else if token < listeners.count {
                listeners[Int(token)].isReady = true
            }
        }
    }

    private func continueQueued() {
        guard table.hasQueued else { return }
        for token in table.takeQueued() {
            guard let connection = table[token] else { continue }
            perform(connection.machine.turnCame(), connection)
        }
    }

    /// Performs what the connection's state machine decided after an event, or at its turn.
    private func perform(
        _ action: ConnectionStateMachine.ReadyAction, _ connection: Connection
    ) {
        switch action {
        case .ignore: return
        case .transfer: return transfer(connection)
        case .sendUnsent: return resumeOutput(connection)
        case .discard: return discardInput(connection)
        case .helloArrived: helloArrived(connection)
        case .readHello: helloGoesOn(connection)
        case .leftUnseen: leftUnseen(connection)
        case .leftWhileWaiting: leftWhileWaiting(connection)
        case .close(let reason):
            noteSender(connection)
            close(connection, reason)
        }
        table.arm(connection)
    }

    private func admitClients(isIdle: Bool) {
        ageClients(isIdle: isIdle)
        boundKeptHellos()
        boundSilentHandshakes()
        startHandshakes()
        acceptClients()
        if let backlog = admission.backlogChange() { setBacklog(backlog) }
    }

    /// Takes over a new publication. Connections keep the TLS context they began with.
    private func refreshPublication() {
        let version = shared.publisher.version
        if version == publicationVersion { return }
        publicationVersion = version
        let publication = shared.publisher.latest
        snapshot = publication.snapshot
        context = publication.contexts[number]
    }

    /// The process was kept from running, and the peers are not to blame.
    private func excuse(_ pause: Duration) {
        counters.add(.latePauses)
        table.visit { connection in
            connection.machine.serverWasLate(by: pause)
            // Both judge the same answer by a time of their own.
            connection.large?.serverWasLate(by: pause)
            connection.givenAt = connection.givenAt + pause
            connection.http2?.serverWasLate(by: UInt64(clamping: pause.inNanoseconds))
        }
    }

    /// Ends connections whose deadline has passed, judged by the time up to which all that peers
    /// sent was read.
    private func expireTimers() {
        let judged = clock.judged
        while let connection = table.nextExpired(now: judged) {
            if !deadlinePassed(connection) {
                switch connection.machine.deadlinePassed(now: judged) {
                case .wait: break
                case .close(let reason): giveUp(connection, reason)
                case .shutDown(let reason): shutDown(connection, reason)
                }
            }
            table.arm(connection, notBefore: judged + .milliseconds(1))
        }
    }

    /// Connections have ended, and what they held is worth returning to the kernel.
    private var mayTrim: Bool {
        memoryShare >= limits.memoryShareReturned && closedCount != trim.closedCount
    }

    /// Reads the memory gauge when it is time, but only while the loop is awake.
    private func sampleMemory() {
        if now < memoryLookAt { return }
        var look = memory.look()
        memoryShare = look.memory
        if mayTrim, now >= trim.again {
            // What ended connections held is free, and still resident: the C library keeps it, and
            // the next peak, of blocks of other sizes, would come on top.
            CurrentProcess.returnFreeMemory()
            let gigabytes = Double(CurrentProcess.residentBytes) / 1e9
            let pause = limits.memoryTrimPause * (max(1, gigabytes) * Double(workers))
            trim = (closedCount, now + pause)
            look = memory.look()
            memoryShare = look.memory
        }
        memoryLookAt = now + .seconds(look.interval)
        shedding.isMemoryShort = look.memory >= limits.memoryShareSoft
        areBuffersShort =
            max(look.memory, look.tcpBuffers) >= limits.memoryShareOfReaders
        isMemoryExhausted = look.memory >= limits.memoryShareHard
        admission.memoryAllows = look.handshakes(
            ofBytes: limits.admission.handshakeBytes, upTo: limits.memoryShareHard,
            workers: workers)
        // It shows in a later look whether that was enough.
        if isMemoryExhausted { makeRoom(atMost: limits.evictionsPerMemoryLook) }
    }

    // MARK: Drain

    /// Whether the worker goes on. While draining nothing is accepted, idle connections are closed
    /// gracefully, and all others are served to their end, or until the time is up.
    private func obeyDrain() -> Bool {
        guard let ordered = shared.drainDeadline else { return true }
        if drainUntil == nil { beginDrain() }
        // A second signal may have shortened the drain; none lengthens it.
        let until = min(drainUntil ?? ordered, ordered)
        drainUntil = until
        shedding.drain(until: until)
        return table.count > 0 && now < until
    }

    private func beginDrain() {
        drainListeners()
        keys?.drain()
        table.visit { connection in
            connection.machine.drain(now: now)
            if let session = connection.http2 {
                session.drain()
                transfer(connection)
            }
            table.arm(connection)
        }
    }
}
