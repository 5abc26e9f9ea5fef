import Glibc
import Reactor

/// The admin thread's loop: answers.
struct AdminLoop: ~Copyable {
    /// Connections at once; the next one waits in the kernel's queue until one ends.
    static let connectionsMaximum = 32
    /// How often connections that take too long are looked for.
    static let turnTime: Duration = .seconds(1)

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
    private let source: any StatusSource
    private let stopSignal: AdminStopSignal
    private var poller: Poller
    private var slots = SlotTable<Slot>(capacityMaximum: connectionsMaximum)
    private var listens = true

    init(
        listener raw: Int32, source: any StatusSource, stopSignal: AdminStopSignal
    ) throws(SystemError) {
        let adopted = try ListeningSocket(adopting: raw)
        let made = try Poller(eventsMaximum: 64)
        try made.add(adopted.raw, .read, token: Token.listener)
        try made.add(stopSignal.wakeup.descriptor, .read, token: Token.wakeup)
        listener = adopted
        poller = made
        self.source = source
        self.stopSignal = stopSignal
    }

    mutating func run() {
        while !stopSignal.isRaised {
            var count = 0
            do throws(SystemError) {
                count = try poller.wait(timeout: Self.turnTime)
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
        while !slots.isFull {
            switch listener.accept() {
            case .accepted(let socket, _):
                admit(socket, now: now)
            case .aborted: continue
            case .wouldBlock: return
            case .exhausted: return
            case .failed: return
            }
        }
        listen(false)
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

    /// Without a free slot the listener is not looked at: level-triggered, it would spin.
    private mutating func listen(_ wanted: Bool) {
        guard listens != wanted else { return }
        do throws(SystemError) {
            try poller.modify(listener.raw, wanted ? .read : [], token: Token.listener)
            listens = wanted
        } catch { return }
    }

    private mutating func proceed(_ token: SlotToken) {
        guard let slot = slots[token] else { return }
        let source = source
        let progress = slot.connection.proceed { method, path, authority in
            let report = source.report(now: Int64(WallClock.seconds()))
            let responder = AdminResponder(
                report: report, view: source.view(), metrics: { source.metrics(report, $0) },
                nonce: Self.nonce)
            return responder.response(method: method, path: path, authority: authority)
        }
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
        listen(true)
    }

    private mutating func endOverdue(now: MonotonicInstant) {
        for index in 0..<slots.extent {
            guard let slot = slots[index: index], slot.connection.deadline <= now else { continue }
            end(slot.token)
        }
    }

    /// 128 bits from the system's generator, in hexadecimal.
    private static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 16)
            + String(generator.next() as UInt64, radix: 16)
    }
}
