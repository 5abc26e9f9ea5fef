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
    /// The most time that a turn counts: a longer one means that the process was kept from running,
    /// and the peers are not to blame.
    static let turnTimeMaximum: Duration = .seconds(2)
    /// How long the loop sleeps when no descriptor or memory is left for a connection.
    static let acceptPause: Duration = .milliseconds(20)
    /// When the loop has to stop, it answers requests within this time.
    static let leavingTimeMaximum: Duration = .seconds(2)
    /// A service that does not know an answer yet is asked again after this time.
    static let askPause: Duration = .milliseconds(50)

    /// Tokens of slots contain a generation and are above 32 bits; listeners count from 0.
    private static let wakeup: UInt64 = 1 << 31

    private var listeners: [Listener]
    private var service: any AuxiliaryService
    private let thread: StoppableThreads
    private var poller: Poller
    private var slots: SlotTable<AuxiliaryConnection>
    private var isLeaving = false
    private var awaitsAnswers = false
    private var askedAt = MonotonicInstant(nanoseconds: 0)
    private var turnBeganAt = MonotonicInstant.now()
    /// The time of the connections, without pauses of the process.
    private var now = MonotonicInstant.now()

    /// - Parameters:
    ///   - raw: descriptors of listening sockets, ours from here on.
    ///   - connectionsMaximum: the number of slots.
    init(
        listeners raw: [Int32], service: any AuxiliaryService, connectionsMaximum: Int,
        thread: StoppableThreads
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
        self.thread = thread
    }

    /// Answers until the loop has to stop, then answers the requests that have arrived.
    mutating func run() {
        while !thread.isStopping {
            guard turn(Self.turnTime) else { return }
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
        var count = 0
        do throws(SystemError) {
            count = try poller.wait(timeout: awaitsAnswers ? Self.askPause : timeout)
        } catch { return false }
        let began = MonotonicInstant.now()
        now = now + min(began - turnBeganAt, Self.turnTimeMaximum)
        turnBeganAt = began
        var mayAccept = false
        for index in 0..<count {
            let token = poller.event(index).token
            if token == Self.wakeup {
                thread.wakeup.drain()
            } else if let connection = slots[SlotToken(rawValue: token)] {
                // One that awaits its answer has no interest set, so its peer is gone.
                if connection.awaitsAnswer { end(connection) } else { proceed(connection) }
            } else {
                mayAccept = true
            }
        }
        // Listeners last: a request that has arrived is read before anyone has to give way.
        if mayAccept { acceptAll() }
        let asksAgain = awaitsAnswers && now - askedAt >= Self.askPause
        if asksAgain { askedAt = now }
        awaitsAnswers = false
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            if connection.deadline <= now {
                end(connection)
            } else if connection.awaitsAnswer {
                if asksAgain { proceed(connection) }
                awaitsAnswers = awaitsAnswers || connection.awaitsAnswer
            }
        }
        return true
    }

    /// Accepts what is in the queues, and closes the listeners: later connections go to a
    /// successor.
    private mutating func leave() {
        isLeaving = true
        acceptAll()
        // As long as a successor holds the socket, the poller would report it.
        for listener in listeners { try? poller.remove(listener.socket.raw) }
        listeners = []
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            proceed(connection)
            connection.leave(now: now)
        }
    }

    private mutating func acceptAll() {
        for listener in listeners { accept(from: listener) }
    }

    private mutating func accept(from listener: Listener) {
        // All that the queue can hold: who is refused and connects again waits for the next turn.
        for _ in 0..<AuxiliaryServer.backlog {
            // Those of this turn are not read yet: when they have all slots, the others stay in the
            // queue.
            let oldest = slots.isFull ? oldest : nil
            if slots.isFull, oldest == nil { return }
            switch listener.socket.accept() {
            case .accepted(let socket, _):
                guard service.admits(PeerIdentity(of: socket.raw)) else { continue }
                if let oldest { end(oldest) }
                admit(socket)
            case .aborted: continue
            case .wouldBlock: return
            // The poller is level-triggered: it would report the listener again and again.
            case .exhausted: return thread.wait(within: Self.acceptPause)
            case .failed: return thread.wait(within: Self.acceptPause)
            }
        }
    }

    /// The one that gives way for a new one: the oldest of the connections with the least claim
    /// that were there before this turn.
    private var oldest: AuxiliaryConnection? {
        let (slots, now) = (slots, now)
        return (0..<slots.extent).lazy.compactMap { slots[index: $0] }.filter { $0.since < now }
            .min { ($0.claim.rawValue, $0.since) < ($1.claim.rawValue, $1.since) }
    }

    private mutating func admit(_ socket: consuming Socket) {
        let (raw, now) = (socket.release(), now)
        let connection = slots.insert {
            AuxiliaryConnection(token: $0, socket: Socket(owning: raw), now: now)
        }
        guard let connection else { return FileDescriptor.close(raw) }
        do throws(SystemError) {
            try poller.add(connection.descriptor, .read, token: connection.token.rawValue)
        } catch { end(connection) }
    }

    private mutating func proceed(_ connection: AuxiliaryConnection) {
        let progress = connection.proceed(&service, now: now, isLeaving: isLeaving)
        if progress == .finished { return end(connection) }
        // Level-triggered: a connection that waits for its answer is not read, so input would be
        // reported again and again.
        let interest: Interest =
            connection.awaitsAnswer ? [] : progress == .waitsForOutput ? .write : .read
        if interest == connection.interest { return }
        connection.interest = interest
        do throws(SystemError) {
            try poller.modify(
                connection.descriptor, interest, token: connection.token.rawValue)
        } catch { end(connection) }
    }

    private mutating func end(_ connection: AuxiliaryConnection) {
        _ = slots.remove(connection.token)
    }
}
