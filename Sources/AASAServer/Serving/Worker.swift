import HTTP
import OpenSSL
package import Reactor

/// One thread, one loop, one table of connections, one TLS library. It defines the order of a turn;
/// its parts do the work and keep their own state.
///
/// A turn handles first what clients have already paid most for (overload.md section 6): events of
/// connections under way, then handshakes of waiting clients, then new connections, then timers.
/// Time is read once per turn, after the wait.
package final class Worker {
    private let number: Int
    private let limits: ServerLimits
    private let counters: WorkerCounters
    private let shared: SharedState
    private let wakeup: Wakeup
    private let date: HTTPDate
    private let turn: Turn
    let table: ConnectionTable
    let admissions: HandshakeAdmission
    let egress: Egress
    private let answering: Answering
    private let ending: Ending
    private let handler: ConnectionHandler
    private let starter: HandshakeStarter
    let acceptor: ConnectionAcceptor
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
    private var second: Int64
    private let turnNanosecondsMaximum: Int64
    private var lifecycle = LifecycleStateMachine()
    @ThreadOwned private var clock: LoopClock

    private static let wakeupToken: UInt64 = 1 << 31

    package init(
        number: Int, limits: ServerLimits, shared: SharedState, counters: WorkerCounters,
        wakeup: Wakeup, listeners: consuming [Listener], memory: MemoryGauge = MemoryGauge()
    ) throws(ServerError) {
        self.number = number
        self.limits = limits
        self.shared = shared
        self.counters = counters
        self.wakeup = wakeup
        self.memory = memory
        let now = MonotonicInstant.now()
        turn = Turn(now: now)
        memoryLookAt = now
        trim = (0, now)
        second = WallClock.seconds
        date = HTTPDate(unixSeconds: second)
        turnNanosecondsMaximum = limits.admission.turnTimeMaximum.inNanoseconds
        publicationVersion = shared.publisher.version
        let publication = shared.publisher.latest
        workers = publication.contexts.count
        do {
            table = try ConnectionTable(limits: limits, now: now, report: shared.report)
            admissions = HandshakeAdmission(limits: limits, counters: counters, now: now)
            egress = Egress(limits: limits, turn: turn, table: table)
            let io = try ConnectionIO(limits: limits, counters: counters, egress: egress)
            ending = Ending(
                limits: limits, counters: counters, turn: turn, table: table,
                admissions: admissions,
                egress: egress, io: io)
            answering = Answering(
                limits: limits, counters: counters, access: shared.access, worker: number,
                turn: turn, egress: egress, snapshot: publication.snapshot)
            handler = try ConnectionHandler(
                limits: limits, counters: counters, turn: turn, date: date, table: table,
                admissions: admissions, egress: egress, io: io, ending: ending,
                answering: answering, report: shared.report)
            let fronts = ProxyHeaderReader(counters: counters, turn: turn, report: shared.report)
            starter = HandshakeStarter(
                limits: limits, turn: turn, report: shared.report, table: table,
                admissions: admissions, io: io, ending: ending, handler: handler,
                fronts: fronts, context: publication.contexts[number])
            acceptor = try ConnectionAcceptor(
                limits: limits, counters: counters, turn: turn, report: shared.report,
                table: table, admissions: admissions, egress: egress, ending: ending,
                starter: starter,
                listeners: listeners)
            keys = WorkerKeyPool(
                for: publication.contexts[number], pairs: limits.keyReservePairs,
                counters: counters)
            try table.poller.add(wakeup.descriptor, .read, token: Self.wakeupToken)
        } catch {
            throw ServerError("worker \(number) cannot start: \(error)")
        }
        // Last: after a failed start, nothing frees it.
        clock = LoopClock(capacity: limits.eventsPerTurn, now: now)
    }

    deinit { _clock.free() }

    /// Runs until the server has stopped.
    package func run() {
        keys?.begin()
        do throws(SystemError) {
            var goesOn = true
            while goesOn {
                let timeout = sleep()
                let mustNotSleep = admissions.mustNotSleep || acceptor.turnsAway
                clock.waitBegan(now: turn.now, timeout: timeout)
                let count = try table.poller.wait(timeout: timeout)
                goesOn = takeTurn(eventCount: count, hadWaiters: mustNotSleep)
            }
        } catch {
            shared.report("worker \(number) has stopped: \(error)")
        }
        acceptor.stop()
        table.visit { ending.close($0, $0.machine.reasonAtStop) }
        keys?.end()
    }

    /// How long to wait for events.
    private func sleep() -> Duration? {
        if table.hasQueued || admissions.mustNotSleep { return .zero }
        var timeout = table.timeout(now: turn.now)
        func bound(_ other: Duration?) {
            guard let other else { return }
            timeout = timeout.map { min($0, other) } ?? other
        }
        bound(acceptor.timeout(now: turn.now))
        bound(egress.timeout)
        bound(keys?.timeout(now: turn.now))
        bound(handler.timeout)
        if acceptor.isMemoryExhausted || admissions.waitsForMemory || mayTrim {
            bound(max(.zero, memoryLookAt - turn.now))
        }
        if case .draining(let until) = lifecycle.phase { bound(max(.zero, until - turn.now)) }
        return timeout
    }

    /// One turn; `false` when the worker is done.
    private func takeTurn(eventCount: Int, hadWaiters: Bool) -> Bool {
        let began = MonotonicInstant.now()
        turn.began(now: began, isFull: eventCount >= limits.eventsPerTurn)
        let wait = clock.waitEnded(now: began, eventCount: eventCount, openConnections: table.count)
        // If a wait blocked, every queue was empty when it began, and it ended at the first
        // arrival.
        let hasBlocked = wait.slept > 50_000
        if hadWaiters && hasBlocked && wait.mayBlock {
            counters.add(.idleWhileWaitingNanoseconds, Int(wait.slept))
        }
        if let pause = wait.pause { excuse(pause) }
        refreshDate()
        keys?.turnBegan(now: began, unixSeconds: second)
        counters.add(.turns)
        refreshPublication()
        // Before the first request: while the loop slept, nothing checked it.
        sampleMemory()

        let acceptable = handleEvents(eventCount)
        acceptor.turnBegan(ready: acceptable, hasBlocked: hasBlocked)
        let isIdle = eventCount == 0 && !table.hasQueued
        handler.retryChallenges()
        continueQueued()
        acceptor.judged = clock.judged
        admitClients(acceptable: acceptable, isIdle: isIdle)
        expireTimers()
        if isIdle, hasBlocked, !admissions.mustNotSleep, !table.hasQueued {
            keys?.idle(now: turn.now)
        }
        keys?.show()
        for reader in egress.sample(now: turn.now) { ending.abort(reader, .slowReader) }
        let goesOn = obeyLifecycle()
        acceptor.turnEnds()

        let ended = MonotonicInstant.now()
        let busy = ended.nanoseconds - began.nanoseconds
        counters.add(.busyNanoseconds, Int(busy))
        counters.record(.turnTime, nanoseconds: busy)
        admissions.turnEnded(busyNanoseconds: busy, now: ended)
        turn.ended(now: ended, wasLong: busy > turnNanosecondsMaximum)
        clock.turnEnded(busyNanoseconds: busy)
        return goesOn
    }

    /// Gives the events to the parts.
    ///
    /// - Returns: a bit for each listener with a client in its queue.
    private func handleEvents(_ count: Int) -> UInt64 {
        var acceptable: UInt64 = 0
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
            } else {
                acceptable |= ConnectionAcceptor.bit(ofListener: token)
            }
        }
        return acceptable
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
        case .transfer: return handler.transfer(connection)
        case .sendUnsent: return handler.resumeOutput(connection)
        case .discard: return ending.discardInput(connection)
        case .helloArrived: starter.helloArrived(connection, someTimeAgo: false)
        case .helloArrivedSomeTimeAgo: starter.helloArrived(connection, someTimeAgo: true)
        case .readHello: starter.helloGoesOn(connection)
        case .leftUnseen: starter.leftUnseen(connection)
        case .leftWhileWaiting: starter.leftWhileWaiting(connection)
        case .close(let reason):
            starter.noteSender(connection)
            ending.close(connection, reason)
        }
        table.arm(connection)
    }

    private func admitClients(acceptable: UInt64, isIdle: Bool) {
        // Silence is judged by the bytes read so far: more may be in the socket.
        admissions.turnBegan(now: clock.judged, isIdle: isIdle, table: table)
        starter.boundKeptHellos()
        starter.boundSilentHandshakes()
        starter.startHandshakes()
        acceptor.accept(from: acceptable)
        if let backlog = admissions.backlogChange() { acceptor.setBacklog(backlog) }
    }

    /// Takes over a new publication. Connections keep the TLS context they began with.
    private func refreshPublication() {
        let version = shared.publisher.version
        if version == publicationVersion { return }
        publicationVersion = version
        let publication = shared.publisher.latest
        answering.serve(publication.snapshot)
        starter.use(publication.contexts[number])
    }

    private func refreshDate() {
        let second = WallClock.seconds
        if second == self.second { return }
        self.second = second
        date.update(unixSeconds: second)
    }

    /// The process was kept from running, and the peers are not to blame.
    private func excuse(_ pause: Duration) {
        counters.add(.latePauses)
        table.visit { connection in
            connection.machine.serverWasLate(by: pause)
            // Both judge the same answer by a time of their own.
            connection.large?.serverWasLate(by: pause)
            connection.givenAt = connection.givenAt + pause
            if case .http2(let exchange) = connection.exchange {
                exchange.session.serverWasLate(by: UInt64(clamping: pause.inNanoseconds))
            }
        }
    }

    /// Ends connections whose deadline has passed, judged by the time up to which all that peers
    /// sent was read.
    private func expireTimers() {
        let judged = clock.judged
        while let connection = table.nextExpired(now: judged) {
            if !handler.deadlinePassed(connection) {
                switch connection.machine.deadlinePassed(now: judged) {
                case .wait: break
                case .close(let reason): ending.giveUp(connection, reason)
                case .shutDown(let reason): ending.shutDown(connection, reason)
                }
            }
            table.armAgain(connection, now: judged)
        }
    }

    /// Connections have ended, and what they held is worth returning to the kernel.
    private var mayTrim: Bool {
        memoryShare >= limits.memoryShareReturned && ending.closedCount != trim.closedCount
    }

    /// Reads the memory gauge when it is time, but only while the loop is awake.
    private func sampleMemory() {
        if turn.now < memoryLookAt { return }
        var look = memory.look()
        memoryShare = look.memory
        if mayTrim, turn.now >= trim.again {
            // What ended connections held is free, and still resident: the C library keeps it, and
            // the next peak, of blocks of other sizes, would come on top.
            CurrentProcess.returnFreeMemory()
            let gigabytes = Double(CurrentProcess.residentBytes) / 1e9
            let pause = limits.memoryTrimPause * (max(1, gigabytes) * Double(workers))
            trim = (ending.closedCount, turn.now + pause)
            look = memory.look()
            memoryShare = look.memory
        }
        memoryLookAt = turn.now + .seconds(look.interval)
        egress.isMemoryShort = look.memory >= limits.memoryShareSoft
        egress.areBuffersShort =
            max(look.memory, look.tcpBuffers) >= limits.memoryShareOfReaders
        acceptor.isMemoryExhausted = look.memory >= limits.memoryShareHard
        admissions.memoryAllows(
            handshakes: look.handshakes(
                ofBytes: limits.admission.handshakeBytes, upTo: limits.memoryShareHard,
                workers: workers))
        // It shows in a later look whether that was enough.
        if acceptor.isMemoryExhausted { acceptor.makeRoom(atMost: limits.evictionsPerMemoryLook) }
    }

    // MARK: Lifecycle

    private func obeyLifecycle() -> Bool {
        if let until = shared.drainDeadline {
            if case .beginDrain = lifecycle.drain(until: until) { beginDrain() }
            // A second signal may have shortened the drain.
            if case .draining(let until) = lifecycle.phase { egress.drain(until: until) }
        }
        switch lifecycle.turn(now: turn.now, openConnections: table.count) {
        case .serve, .beginDrain, .keepDraining: return true
        case .stop: return false
        }
    }

    private func beginDrain() {
        acceptor.drain()
        keys?.drain()
        table.visit { connection in
            connection.machine.drain(now: turn.now)
            if case .http2(let exchange) = connection.exchange {
                exchange.session.drain()
                handler.transfer(connection)
            }
            table.arm(connection)
        }
    }
}
