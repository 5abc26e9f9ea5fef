import AASAServer
import Reactor
import SimulatedTime

/// Everything outside of the worker: the clock, the kernel's sockets and queues, the link, the
/// clients. The worker calls it in place of the kernel (`World+Kernel.swift`); each call takes
/// time, in which the world goes on.
final class World {
    enum Event {
        case arrival(population: Int)
        case connect(Peer)
        /// A connection without data has stood in the kernel for so long that it is given out.
        case deferralEnded(Peer)
        case segment(Peer, ArraySlice<UInt8>)
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
        let at: Int64
    }

    let scenario: Scenario
    let limits: ServerLimits
    var random: SplitMix
    var events = EventQueue<Event>()
    /// The clock that the worker reads.
    private(set) var clock: Int64 = World.start
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
    var wakeupPending = false
    var wakeupToken: UInt64 = 0
    var listenerToken: UInt64 = 0

    /// By their numbers, until the worker has closed them.
    var peers: [Peer?] = []
    /// Those that the worker has accepted, in any order.
    var open: [Peer] = []
    /// Whose connection the worker closes; the reason is counted behind the close.
    var closing: Peer?
    var closesCounted: [UInt64]
    let counters = WorkerCounters()
    /// Tells the server to drain until then.
    var beginDrain: (MonotonicInstant) -> Void = { _ in }
    /// Who watches.
    var laws: Laws?
    /// Nothing will happen any more: what the worker still does takes no time.
    var hasEnded = false

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
        closesCounted = Array(repeating: 0, count: Self.reasons.count)
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
    var instant: MonotonicInstant { MonotonicInstant(nanoseconds: clock) }

    // MARK: Time

    /// The worker is at work.
    func spend(_ nanoseconds: Int64, on peer: Peer? = nil) {
        if hasEnded { return }
        if let peer { statistics.charge(peer, nanoseconds, slowness: scenario.machine.slowness) }
        clock += Int64(Double(nanoseconds + stolen) * scenario.machine.slowness)
        stolen = 0
        freeze()
        advance(to: clock)
    }

    private func freeze() {
        while let pause = pauses.first, pause.at <= clock {
            clock += pause.lasts
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

    /// Waits for events.
    ///
    /// - Parameter timeout: `nil`: without a limit.
    /// - Returns: `false` when nothing will ever happen again.
    func sleep(timeout: Int64?) -> Bool {
        spend(CostModel.wait)
        if hasReady || timeout == 0 { return true }
        laws?.sleeps()
        let until = timeout.map { clock + $0 } ?? .max
        while !hasReady {
            let next = events.nextTime
            if timeout == nil, events.isEmpty { return false }
            if next >= until {
                clock = max(clock, until)
                break
            }
            guard let event = events.removeFirst() else { return false }
            clock = max(clock, event.time)
            handle(event.event, at: event.time)
        }
        freeze()
        advance(to: clock)
        return true
    }

    var hasReady: Bool { readyStart < ready.count || wakeupPending }

    func takeReady(atMost maximum: Int) -> [(token: UInt64, readiness: Readiness)] {
        var taken: [(token: UInt64, readiness: Readiness)] = []
        if wakeupPending { taken.append((wakeupToken, .readable)) }
        wakeupPending = false
        var listenerIsReady = false
        while taken.count < maximum, readyStart < ready.count {
            let listed = ready[readyStart]
            ready[readyStart] = nil
            readyStart += 1
            guard let peer = listed else {
                listenerIsListed = false
                if isWatchingListener, acceptStart < acceptQueue.count {
                    taken.append((listenerToken, .readable))
                    listenerIsReady = true
                }
                continue
            }
            peer.isListed = false
            if peer.serverClosed { continue }
            taken.append((peer.token, peer.pending))
            peer.pending = []
        }
        if readyStart == ready.count || readyStart > 65_536 {
            ready.removeSubrange(..<readyStart)
            readyStart = 0
        }
        // Level-triggered: it is told again while it holds.
        if listenerIsReady { listListener() }
        stolen += Int64(taken.count) * CostModel.event + CostModel.turn
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

    var queueLength: Int { acceptQueue.count - acceptStart }

    func hasRoom(_ peer: Peer) -> Bool {
        peer.unacknowledged * 3 <= limits.sendBufferBytes * 2
    }

    /// The kernel takes `part` of what the worker sends.
    func take(_ part: Message, for peer: Peer) {
        peer.outboxBytes += part.count
        guard let last = peer.outbox.last, !last.isWhole, peer.outboxStart < peer.outbox.count
        else { return peer.outbox.append(part) }
        // The rest of what has begun.
        peer.outbox[peer.outbox.count - 1].count += part.count
        peer.outbox[peer.outbox.count - 1].kind = part.kind
        peer.outbox[peer.outbox.count - 1].isWhole = part.isWhole
    }

    func sendFinIfDue(_ peer: Peer) {
        guard peer.finQueued, !peer.finSent, peer.unacknowledged == 0 else { return }
        peer.finSent = true
        events.add(.closedByServer(peer, isReset: false), at: clock + peer.roundTrip / 2)
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
        if !linkIsBusy { transmit(at: clock) }
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
