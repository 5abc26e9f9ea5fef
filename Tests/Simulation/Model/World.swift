import AASAServer
import Reactor
import SimulatedTime

/// Everything outside of the worker: the clock, the kernel's sockets and queues, the link, the
/// clients. The worker calls it as it calls the kernel; each call takes time, in which the world
/// goes on.
final class World {
    enum Event {
        case arrival(population: Int)
        case connect(Peer)
        /// A connection without data has stood in the kernel for so long that it is given out.
        case deferralEnded(Peer)
        case segment(Peer, Piece)
        case fin(Peer)
        case reset(Peer)
        case linkFree
        case delivered(Peer, Message)
        case closedByServer(Peer, isReset: Bool)
        case script(Peer)
        case patienceEnds(Peer)
        case read(Peer)
        case drain
    }

    /// A client that means it whose connection we ended before its answer was whole.
    struct Cut {
        let peer: Peer
        let reason: CloseReason?
        let at: Int64
    }

    let scenario: Scenario
    let limits: ServerLimits
    var random: SplitMix
    var events = EventQueue<Event>()
    /// The clock that the worker reads.
    private(set) var now: Int64 = World.start
    /// Processor time that the kernel took since the worker looked last.
    var stolen: Int64 = 0
    private var pauses: [(at: Int64, lasts: Int64)]
    static let start: Int64 = 1_000_000_000_000

    // The listener.
    var acceptQueue: [Peer] = []
    var acceptStart = 0
    var backlog: Int
    var isListening = true
    var isWatchingListener = true
    private var listenerIsListed = false

    // epoll: a listed peer has readiness pending; `nil` stands for the listener.
    private var ready: [Peer?] = []
    private var readyStart = 0
    private(set) var wakeupPending = false

    // The link.
    var linkRing: [Peer] = []
    var linkStart = 0
    var linkIsBusy = false
    private(set) var linkBusyNanoseconds: Int64 = 0

    /// Clients taken in whose ClientHello is whole, whose handshake has not begun, and who are
    /// there.
    var waitingHellos = 0
    var drainBegan = false
    var statistics: Statistics
    var cuts: [Cut] = []

    init(scenario: Scenario) {
        self.scenario = scenario
        limits = scenario.limits
        random = SplitMix(seed: scenario.seed)
        backlog = Int(limits.backlog)
        statistics = Statistics(populations: scenario.populations.count)
        pauses = scenario.pauses.map {
            (Self.time($0.at), Int64($0.lasts * 1e9))
        }.sorted { $0.at < $1.at }
        for (index, population) in scenario.populations.enumerated() {
            let from = Self.time(population.from)
            for _ in 0..<population.burst {
                events.add(.connect(makePeer(index, at: from)), at: from)
            }
            if population.rate > 0 { planArrival(index, after: from) }
        }
        if let drain = scenario.drain { events.add(.drain, at: Self.time(drain.at)) }
    }

    static func time(_ seconds: Double) -> Int64 { start + Int64(seconds * 1e9) }
    var instant: MonotonicInstant { MonotonicInstant(nanoseconds: now) }

    // MARK: Time

    /// The worker is at work.
    func spend(_ nanoseconds: Int64) {
        now += Int64(Double(nanoseconds + stolen) * scenario.machine.slowness)
        stolen = 0
        freeze()
        advance(to: now)
    }

    private func freeze() {
        while let pause = pauses.first, pause.at <= now {
            now += pause.lasts
            pauses.removeFirst()
        }
    }

    /// The world goes on up to `time`.
    private func advance(to time: Int64) {
        while events.nextTime <= time, let next = events.removeFirst() {
            handle(next.event, at: next.time)
        }
    }

    // MARK: epoll

    enum Readied {
        case listener
        case peer(Peer, Readiness)
    }

    /// Waits for events; `nil` for the timeout: for ever.
    ///
    /// - Parameter sleeps: asked before time passes without anything to do.
    /// - Returns: `nil` when nothing will ever happen again.
    func wait(timeout: Duration?, atMost maximum: Int, sleeps: () -> Void) -> [Readied]? {
        spend(CostModel.wait)
        if !hasReady, timeout != .zero {
            sleeps()
            let until = timeout.map { now + $0.inNanoseconds } ?? .max
            while !hasReady {
                let next = events.nextTime
                if timeout == nil, events.isEmpty { return nil }
                if next >= until {
                    now = max(now, until)
                    break
                }
                guard let event = events.removeFirst() else { return nil }
                now = max(now, event.time)
                handle(event.event, at: event.time)
            }
            freeze()
            advance(to: now)
        }
        return takeReady(atMost: maximum)
    }

    var hasReady: Bool { readyStart < ready.count || wakeupPending }

    private func takeReady(atMost maximum: Int) -> [Readied] {
        wakeupPending = false
        var taken: [Readied] = []
        var listenerIsReady = false
        while taken.count < maximum, readyStart < ready.count {
            let listed = ready[readyStart]
            ready[readyStart] = nil
            readyStart += 1
            guard let peer = listed else {
                listenerIsListed = false
                if isWatchingListener, acceptStart < acceptQueue.count {
                    taken.append(.listener)
                    listenerIsReady = true
                }
                continue
            }
            peer.isListed = false
            if peer.serverClosed { continue }
            taken.append(.peer(peer, peer.pending))
            peer.pending = []
        }
        if readyStart == ready.count || readyStart > 65_536 {
            ready.removeSubrange(..<readyStart)
            readyStart = 0
        }
        // Level-triggered: it is told again while it holds.
        if listenerIsReady { listListener() }
        stolen += Int64(taken.count) * CostModel.event
        return taken
    }

    func listListener() {
        guard !listenerIsListed, isWatchingListener, isListening, acceptStart < acceptQueue.count
        else { return }
        listenerIsListed = true
        ready.append(nil)
    }

    func tell(_ peer: Peer, _ readiness: Readiness) {
        guard peer.isRegistered, !peer.serverClosed else { return }
        peer.pending.formUnion(readiness)
        if peer.isListed { return }
        peer.isListed = true
        ready.append(peer)
    }

    func wakeUp() { wakeupPending = true }

    /// Registers a connection, or changes what is asked for.
    func watch(_ peer: Peer, forOutput: Bool) {
        spend(CostModel.watch)
        peer.isRegistered = true
        peer.wantsOut = forOutput
        var readiness = inputReadiness(peer)
        if forOutput, hasRoom(peer) { readiness.insert(.writable) }
        if !readiness.isEmpty { tell(peer, readiness) }
    }

    func inputReadiness(_ peer: Peer) -> Readiness {
        var readiness: Readiness = []
        if peer.isReadable { readiness.insert(.readable) }
        if peer.finArrived { readiness.insert(.peerClosed) }
        if peer.resetArrived {
            readiness.insert(.peerClosed)
            readiness.insert(.hangup)
            readiness.insert(.error)
        }
        return readiness
    }

    // MARK: Sockets

    func accept() -> Peer? {
        spend(CostModel.accept)
        guard acceptStart < acceptQueue.count else { return nil }
        let peer = acceptQueue[acceptStart]
        acceptStart += 1
        if acceptStart > 4096 {
            acceptQueue.removeSubrange(..<acceptStart)
            acceptStart = 0
        }
        peer.isAccepted = true
        countWaiting(peer)
        return peer
    }

    var queueLength: Int { acceptQueue.count - acceptStart }

    enum Received {
        case pieces(ArraySlice<Piece>, count: Int, filled: Bool)
        case wouldBlock, endOfStream, failed
    }

    func receive(_ peer: Peer) -> Received {
        spend(CostModel.receive)
        if peer.hasUnread {
            let (pieces, count) = peer.take(atMost: limits.receiveBytes)
            return .pieces(pieces, count: count, filled: peer.hasUnread)
        }
        if peer.resetArrived { return .failed }
        return peer.finArrived ? .endOfStream : .wouldBlock
    }

    func hasRoom(_ peer: Peer) -> Bool {
        peer.unacknowledged * 3 <= limits.sendBufferBytes * 2
    }

    /// - Returns: how many bytes the kernel took; `nil`: the connection has failed.
    func send(_ peer: Peer, _ messages: ArraySlice<Message>) -> Int? {
        spend(CostModel.send)
        if peer.resetArrived { return nil }
        var room = max(0, limits.sendBufferBytes - peer.unacknowledged)
        var taken = 0
        for message in messages {
            if room == 0 { break }
            let count = min(message.count, room)
            var part = message
            part.count = count
            part.isWhole = message.isWhole && count == message.count
            if !peer.isGone { peer.outbox.append(part) }
            room -= count
            taken += count
        }
        if !peer.isGone { peer.outboxBytes += taken }
        pushOnLink(peer)
        return taken
    }

    func shutdownWrite(_ peer: Peer) {
        spend(CostModel.ask)
        peer.finQueued = true
        sendFinIfDue(peer)
    }

    /// Ends the socket: what was not read, or comes later, is answered by a reset, which costs the
    /// client what it has not received.
    func close(_ peer: Peer, _ reason: CloseReason, abort: Bool) {
        let isReset = abort || peer.hasUnread
        peer.serverClosed = true
        if peer.closeReason == nil { peer.closeReason = reason }
        peer.isRegistered = false
        countWaiting(peer)
        if isReset {
            peer.dropOutput()
            events.add(.closedByServer(peer, isReset: true), at: now + peer.roundTrip / 2)
        } else {
            peer.finQueued = true
            sendFinIfDue(peer)
        }
        spend(CostModel.close)
    }

    func sendFinIfDue(_ peer: Peer) {
        guard peer.finQueued, !peer.finSent, peer.unacknowledged == 0 else { return }
        peer.finSent = true
        events.add(.closedByServer(peer, isReset: false), at: now + peer.roundTrip / 2)
    }

    /// Keeps ``waitingHellos`` right after anything that it depends on has changed.
    func countWaiting(_ peer: Peer) {
        let counts =
            peer.isAccepted && peer.helloIsWhole && !peer.handshakeBegan && peer.isEstablished
            && !peer.serverClosed
        if counts == peer.countsAsWaiting { return }
        peer.countsAsWaiting = counts
        waitingHellos += counts ? 1 : -1
    }

    // MARK: The link

    /// Clients with something to send share the link in turns of ten segments.
    func pushOnLink(_ peer: Peer) {
        guard !peer.isOnLink, peer.outboxBytes > 0, peer.window != 0 else { return }
        peer.isOnLink = true
        linkRing.append(peer)
        if !linkIsBusy { transmit(at: now) }
    }

    func transmit(at time: Int64) {
        linkIsBusy = false
        while linkStart < linkRing.count {
            let peer = linkRing[linkStart]
            linkStart += 1
            if linkStart > 4096 {
                linkRing.removeSubrange(..<linkStart)
                linkStart = 0
            }
            peer.isOnLink = false
            guard peer.outboxStart < peer.outbox.count else { continue }
            var message = peer.outbox[peer.outboxStart]
            let count = min(message.count, 14_480, peer.window ?? .max)
            if count == 0 { continue }
            if count == message.count {
                peer.outboxStart += 1
                if peer.outboxStart == peer.outbox.count {
                    peer.outbox.removeAll(keepingCapacity: true)
                    peer.outboxStart = 0
                }
            } else {
                peer.outbox[peer.outboxStart].count -= count
                message.count = count
                message.isWhole = false
            }
            peer.outboxBytes -= count
            peer.inFlight += count
            if let window = peer.window { peer.window = window - count }
            let takes = Int64(Double(count + 60) / scenario.machine.linkBytes * 1e9)
            linkBusyNanoseconds += takes
            linkIsBusy = true
            events.add(.delivered(peer, message), at: time + takes + peer.roundTrip / 2)
            events.add(.linkFree, at: time + takes)
            if peer.outboxBytes > 0, peer.window != 0 {
                peer.isOnLink = true
                linkRing.append(peer)
            }
            return
        }
        linkRing.removeAll(keepingCapacity: true)
        linkStart = 0
    }
}
