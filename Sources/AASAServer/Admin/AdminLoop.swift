import Reactor

/// The admin thread's loop: answers.
struct AdminLoop: ~Copyable {
    /// Connections at once. The next one takes the place of the one that has been silent for
    /// longest: a probe is answered in the turn it arrives in, however many wait for nothing.
    static let connectionsMaximum = 32
    /// How often connections that take too long are looked for.
    static let turnTime: Duration = .seconds(1)
    /// Connections taken out of the queue in one turn: all that it can hold.
    static let acceptsPerTurn = Int(AdminServer.backlog)
    /// How long the listener rests when no descriptor or memory is left.
    static let acceptPause: Duration = .milliseconds(500)

    private final class Slot {
        let token: SlotToken
        var connection: AdminConnection
        init(_ token: SlotToken, _ socket: consuming Socket, _ now: MonotonicInstant) {
            self.token = token
            connection = AdminConnection(socket: socket, now: now)
        }
    }

    private enum Token {
        static let listener: UInt64 = 0
        static let wakeup: UInt64 = 1
    }

    private let listener: ListeningSocket
    private let answers: any AdminAnswers
    private let stopSignal: AdminStopSignal
    private var poller: Poller
    private var slots = SlotTable<Slot>(capacityMaximum: connectionsMaximum)
    /// Set while the listener rests.
    private var listensAgainAt: MonotonicInstant?
    private let isOnNetwork: Bool
    private var tokenFile: AdminTokenFile?

    init(
        listener raw: Int32, answers: any AdminAnswers, tokenFile: AdminTokenFile?,
        stopSignal: AdminStopSignal
    ) throws(SystemError) {
        let adopted = try ListeningSocket(adopting: raw)
        let made = try Poller(eventsMaximum: 64)
        try made.add(adopted.raw, .read, token: Token.listener)
        try made.add(stopSignal.wakeup.descriptor, .read, token: Token.wakeup)
        isOnNetwork = !adopted.address.isLoopback
        self.tokenFile = tokenFile
        listener = adopted
        poller = made
        self.answers = answers
        self.stopSignal = stopSignal
    }

    mutating func run() {
        while !stopSignal.isRaised {
            if let again = listensAgainAt, MonotonicInstant.now() >= again { listen(true) }
            var count = 0
            do throws(SystemError) {
                count = try poller.wait(
                    timeout: listensAgainAt == nil ? Self.turnTime : Self.acceptPause)
            } catch {
                // Nothing but the loop itself can be at fault; without it there is no admin side,
                // and the workers serve on.
                return
            }
            let now = MonotonicInstant.now()
            for index in 0..<count { handle(poller.event(index).token, now: now) }
            endOverdue(now: now)
        }
    }

    private mutating func handle(_ token: UInt64, now: MonotonicInstant) {
        switch token {
        case Token.listener: acceptAll(now: now)
        case Token.wakeup: stopSignal.wakeup.drain()
        default: proceed(SlotToken(rawValue: token))
        }
    }

    private mutating func acceptAll(now: MonotonicInstant) {
        for _ in 0..<Self.acceptsPerTurn {
            switch listener.accept() {
            case .accepted(let socket, _):
                if slots.isFull { endOldest() }
                admit(socket, now: now)
            case .aborted: continue
            case .wouldBlock: return
            case .exhausted: return pauseListening(now)
            case .failed: return pauseListening(now)
            }
        }
    }

    /// Level-triggered, the listener would be reported without end.
    private mutating func pauseListening(_ now: MonotonicInstant) {
        listensAgainAt = now + Self.acceptPause
        listen(false)
    }

    /// Makes room: of those who have not asked the oldest, else of those who do not read.
    private mutating func endOldest() {
        var oldest: Slot?
        for index in 0..<slots.extent {
            guard let slot = slots[index: index] else { continue }
            guard let other = oldest else {
                oldest = slot
                continue
            }
            let (isSilent, otherIsSilent) = (slot.connection.isSilent, other.connection.isSilent)
            if isSilent == otherIsSilent
                ? slot.connection.deadline < other.connection.deadline : isSilent
            {
                oldest = slot
            }
        }
        if let oldest { end(oldest.token) }
    }

    private mutating func admit(_ socket: consuming Socket, now: MonotonicInstant) {
        // The closure may run once at most, but the compiler cannot know: an optional is emptied.
        var waiting: Socket? = consume socket
        let slot = slots.insert { token in
            guard let socket = waiting.take() else { return Slot(token, Socket(), now) }
            return Slot(token, socket, now)
        }
        guard let slot else { return }
        do throws(SystemError) {
            try poller.add(slot.connection.descriptor, .read, token: slot.token.rawValue)
        } catch { _ = slots.remove(slot.token) }
    }

    private mutating func listen(_ wanted: Bool) {
        do throws(SystemError) {
            try poller.modify(listener.raw, wanted ? .read : [], token: Token.listener)
            if wanted { listensAgainAt = nil }
        } catch { return }
    }

    private mutating func proceed(_ token: SlotToken) {
        guard let slot = slots[token] else { return }
        let answers = answers
        let access = AdminAccess(isOnNetwork: isOnNetwork, token: tokenFile?.current())
        let progress = slot.connection.proceed { answers.response(to: $0, access: access) }
        switch progress {
        case .waitsForInput: return
        case .waitsForOutput:
            do throws(SystemError) {
                try poller.modify(slot.connection.descriptor, .write, token: token.rawValue)
            } catch { end(token) }
        case .finished: end(token)
        }
    }

    private mutating func end(_ token: SlotToken) {
        _ = slots.remove(token)
    }

    private mutating func endOverdue(now: MonotonicInstant) {
        for index in 0..<slots.extent {
            guard let slot = slots[index: index], slot.connection.deadline <= now else { continue }
            end(slot.token)
        }
    }
}
