import HTTP
import Reactor

/// The loop of the auxiliary listeners: few connections, without TLS, and no worker ever waits for
/// it.
///
/// When all slots are taken, connections without a request are closed, the oldest first. So a probe
/// is answered in the turn in which it arrives, however many connections are idle.
struct AuxiliaryLoop: ~Copyable {
    /// How often the loop searches for connections beyond their deadline.
    static let turnTime: Duration = .seconds(1)
    /// How long accepting pauses when no descriptor or memory is left.
    static let acceptPause: Duration = .milliseconds(500)
    /// When the loop has to stop, it answers requests within this time.
    static let leavingTimeMaximum: Duration = .seconds(2)
    /// A service that does not know an answer yet is asked again after this time.
    static let askPause: Duration = .milliseconds(50)

    private final class Slot {
        let token: SlotToken
        var connection: AuxiliaryConnection
        var interest = Interest.read

        init(_ token: SlotToken, _ socket: consuming Socket, _ now: MonotonicInstant) {
            self.token = token
            connection = AuxiliaryConnection(socket: socket, now: now)
        }
    }

    private final class Listener {
        let socket: ListeningSocket
        init(_ socket: consuming ListeningSocket) { self.socket = socket }
    }

    /// Tokens of slots contain a generation and are above 32 bits; listeners count from 0.
    private static let wakeup: UInt64 = 1 << 31

    private var listeners: [Listener]
    private var service: any AuxiliaryService
    private let acceptsPerTurn: Int
    private let thread: StoppableThreads
    private var poller: Poller
    private var slots: SlotTable<Slot>
    /// Set while accepting is paused.
    private var listensAgainAt: MonotonicInstant?
    private var isLeaving = false
    private var awaitsAnswers = false
    private var askedAt = MonotonicInstant(nanoseconds: 0)
    private var clock: LoopClock

    /// - Parameters:
    ///   - raw: descriptors of listening sockets, ours from here on.
    ///   - connectionsMaximum: the number of slots.
    ///   - acceptsPerTurn: connections accepted from a queue in one turn: all that the queue can
    ///     hold.
    init(
        listeners raw: [Int32], service: any AuxiliaryService, connectionsMaximum: Int,
        acceptsPerTurn: Int, thread: StoppableThreads
    ) throws(SystemError) {
        // All that can be ready at once: no deadline is checked before every connection has been
        // read.
        let made = try Poller(eventsMaximum: connectionsMaximum + raw.count + 1)
        var adopted: [Listener] = []
        for (index, descriptor) in raw.enumerated() {
            let listener = Listener(try ListeningSocket(adopting: descriptor))
            try made.add(listener.socket.raw, .read, token: UInt64(index))
            adopted.append(listener)
        }
        try made.add(thread.wakeup.descriptor, .read, token: Self.wakeup)
        listeners = adopted
        poller = made
        slots = SlotTable(capacityMaximum: connectionsMaximum)
        self.service = service
        self.acceptsPerTurn = acceptsPerTurn
        self.thread = thread
        clock = LoopClock(capacity: connectionsMaximum + raw.count + 1, now: .now())
    }

    /// Answers until the loop has to stop, then answers the requests that have arrived.
    mutating func run() {
        while !thread.isStopping {
            if let again = listensAgainAt, MonotonicInstant.now() >= again { listen(true) }
            guard turn(listensAgainAt == nil ? Self.turnTime : Self.acceptPause) else { return }
        }
        leave()
        let end = MonotonicInstant.now() + Self.leavingTimeMaximum
        while slots.count > 0, MonotonicInstant.now() < end {
            guard turn(.milliseconds(100)) else { return }
        }
    }

    /// - Returns: false if the poller fails. Then only this loop ends; the workers continue to
    ///   serve.
    private mutating func turn(_ timeout: Duration) -> Bool {
        let timeout = awaitsAnswers ? Self.askPause : timeout
        var count = 0
        clock.waitBegan(now: .now(), timeout: timeout)
        do throws(SystemError) {
            count = try poller.wait(timeout: timeout)
        } catch { return false }
        let now = MonotonicInstant.now()
        excuse(clock.waitEnded(now: now, eventCount: count, openConnections: slots.count).pause)
        defer { clock.turnEnded(busyNanoseconds: (MonotonicInstant.now() - now).inNanoseconds) }
        // Listeners last: a request that has arrived is read before anyone has to give way.
        for isListener in [false, true] {
            for index in 0..<count {
                let token = poller.event(index).token
                if (token < Self.wakeup) == isListener { handle(token, now) }
            }
        }
        let asksAgain = awaitsAnswers && now - askedAt >= Self.askPause
        if asksAgain { askedAt = now }
        awaitsAnswers = false
        for index in 0..<slots.extent {
            guard let slot = slots[index: index] else { continue }
            if slot.connection.deadline <= now {
                end(slot.token)
            } else if slot.connection.awaitsAnswer {
                if asksAgain { proceed(slot.token, now) }
                awaitsAnswers = awaitsAnswers || slot.connection.awaitsAnswer
            }
        }
        return true
    }

    /// The process was kept from running, and the peers are not to blame.
    private func excuse(_ pause: Duration?) {
        guard let pause else { return }
        for index in 0..<slots.extent {
            guard let slot = slots[index: index] else { continue }
            slot.connection.serverWasLate(by: pause)
        }
    }

    /// Accepts what is in the queues, and closes the listeners: later connections go to a
    /// successor.
    private mutating func leave() {
        let now = MonotonicInstant.now()
        isLeaving = true
        for listener in listeners {
            acceptAll(listener, now)
            // As long as a successor holds the socket, the poller would report it.
            try? poller.remove(listener.socket.raw)
        }
        listeners = []
        for index in 0..<slots.extent {
            guard let slot = slots[index: index] else { continue }
            proceed(slot.token, now)
            slots[slot.token]?.connection.leave(now: now)
        }
    }

    private mutating func handle(_ token: UInt64, _ now: MonotonicInstant) {
        if token == Self.wakeup { return thread.wakeup.drain() }
        guard token < Self.wakeup else {
            let token = SlotToken(rawValue: token)
            // This connection has no interest set, so the event means that the peer is gone.
            if slots[token]?.connection.awaitsAnswer == true { return end(token) }
            return proceed(token, now)
        }
        guard token < listeners.count else { return }
        acceptAll(listeners[Int(token)], now)
    }

    private mutating func acceptAll(_ listener: Listener, _ now: MonotonicInstant) {
        for _ in 0..<acceptsPerTurn {
            // Those of this turn are not read yet: the others stay in the queue.
            let oldest = slots.isFull ? oldest(before: now) : nil
            if slots.isFull, oldest == nil { return }
            switch listener.socket.accept() {
            case .accepted(let socket, _):
                guard service.admits(PeerIdentity(of: socket.raw)) else { continue }
                if let oldest { end(oldest) }
                admit(socket, now)
            case .aborted: continue
            case .wouldBlock: return
            case .exhausted: return pauseListening(now)
            case .failed: return pauseListening(now)
            }
        }
    }

    /// The poller is level-triggered: it would report the listener again and again.
    private mutating func pauseListening(_ now: MonotonicInstant) {
        listensAgainAt = now + Self.acceptPause
        listen(false)
    }

    private mutating func listen(_ wanted: Bool) {
        do throws(SystemError) {
            for (index, listener) in listeners.enumerated() {
                try poller.modify(
                    listener.socket.raw, wanted ? .read : [], token: UInt64(index))
            }
            if wanted { listensAgainAt = nil }
        } catch { return }
    }

    /// The one that gives way for a new one: the oldest of the connections with the least claim
    /// that were there before `now`.
    private func oldest(before now: MonotonicInstant) -> SlotToken? {
        var oldest: Slot?
        for index in 0..<slots.extent {
            guard let slot = slots[index: index], slot.connection.since < now else { continue }
            guard let other = oldest else {
                oldest = slot
                continue
            }
            let (claim, otherClaim) = (slot.connection.claim, other.connection.claim)
            if claim == otherClaim
                ? slot.connection.since < other.connection.since
                : claim.rawValue < otherClaim.rawValue
            {
                oldest = slot
            }
        }
        return oldest?.token
    }

    private mutating func admit(_ socket: consuming Socket, _ now: MonotonicInstant) {
        // The closure may run once at most, but the compiler cannot know: an optional is emptied.
        var waiting: Socket? = consume socket
        let slot = slots.insert { token in
            guard let socket = waiting.take() else { return Slot(token, Socket(), now) }
            return Slot(token, socket, now)
        }
        guard let slot else { return }
        do throws(SystemError) {
            try poller.add(slot.connection.descriptor, .read, token: slot.token.rawValue)
        } catch { end(slot.token) }
    }

    private mutating func proceed(_ token: SlotToken, _ now: MonotonicInstant) {
        guard let slot = slots[token] else { return }
        let progress = slot.connection.proceed(&service, now: now, isLeaving: isLeaving)
        if progress == .finished { return end(token) }
        // Level-triggered: a connection that waits for its answer is not read, so input would be
        // reported again and again.
        let interest: Interest =
            slot.connection.awaitsAnswer ? [] : progress == .waitsForOutput ? .write : .read
        guard interest != slot.interest else { return }
        slot.interest = interest
        do throws(SystemError) {
            try poller.modify(
                slot.connection.descriptor, interest, token: token.rawValue)
        } catch { end(token) }
    }

    private mutating func end(_ token: SlotToken) {
        _ = slots.remove(token)
    }
}
