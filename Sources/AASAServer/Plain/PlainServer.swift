import Glibc
package import Reactor

/// The listener without TLS, on a thread of its own: validators come some times per renewal, from
/// several places at once, and strangers all day.
package final class PlainServer: Sendable {
    /// Where it listens, with real ports.
    package let addresses: [SocketAddress]
    private let stopSignal: AdminStopSignal
    private let thread: WorkerThread

    /// Binds and serves.
    ///
    /// The port is shared (SO_REUSEPORT): at an upgrade both processes answer, and both know all
    /// challenges.
    ///
    /// - Throws: `SystemError` about the address.
    package init(on wanted: [SocketAddress], responder: PlainResponder) throws(SystemError) {
        var raw: [Int32] = []
        var bound: [SocketAddress] = []
        for address in wanted {
            var listener = try ListeningSocket(on: address, backlog: PlainLoop.backlog)
            bound.append(listener.address)
            raw.append(listener.release())
        }
        addresses = bound
        let signal = AdminStopSignal(wakeup: try Wakeup())
        stopSignal = signal
        let listeners = raw
        thread = try WorkerThread(name: "aasa-plain") {
            var loop: PlainLoop
            do throws(SystemError) {
                loop = try PlainLoop(
                    listeners: listeners, responder: responder, stopSignal: signal)
            } catch { return }
            loop.run()
        }
    }

    /// Ends the thread and waits for it. Call exactly once.
    package func stop() {
        stopSignal.raise()
        thread.join()
    }
}

/// Its loop: one request and one answer per connection. When all slots are taken, the connection
/// that has been open longest makes room, so that idle ones keep no validator out.
struct PlainLoop: ~Copyable {
    static let backlog: Int32 = 256
    /// 256 connections of 8 KB at most: 2 MB.
    static let connectionsMaximum = 256

    private final class Slot {
        let token: SlotToken
        var connection: AdminConnection
        init(_ token: SlotToken, _ socket: consuming Socket, _ now: MonotonicInstant) {
            self.token = token
            connection = AdminConnection(socket: socket, now: now)
        }
    }

    private static let wakeup: UInt64 = 1 << 30
    private let listeners: [Listener]
    private let responder: PlainResponder
    private let stopSignal: AdminStopSignal
    private var poller: Poller
    private var slots = SlotTable<Slot>(capacityMaximum: connectionsMaximum)

    init(
        listeners raw: [Int32], responder: PlainResponder, stopSignal: AdminStopSignal
    ) throws(SystemError) {
        let made = try Poller(eventsMaximum: 64)
        var adopted: [Listener] = []
        for (index, descriptor) in raw.enumerated() {
            let listener = Listener(try ListeningSocket(adopting: descriptor), now: .now())
            try made.add(listener.socket.raw, .read, token: UInt64(index))
            adopted.append(listener)
        }
        try made.add(stopSignal.wakeup.descriptor, .read, token: Self.wakeup)
        listeners = adopted
        poller = made
        self.responder = responder
        self.stopSignal = stopSignal
    }

    mutating func run() {
        while !stopSignal.isRaised {
            var count = 0
            do throws(SystemError) {
                count = try poller.wait(timeout: slots.count == 0 ? nil : .seconds(1))
            } catch { return }
            let now = MonotonicInstant.now()
            for index in 0..<count { handle(poller.event(index).token, now) }
            for index in 0..<slots.extent {
                guard let slot = slots[index: index], slot.connection.deadline <= now else {
                    continue
                }
                _ = slots.remove(slot.token)
            }
        }
    }

    private mutating func handle(_ token: UInt64, _ now: MonotonicInstant) {
        if token == Self.wakeup { return stopSignal.wakeup.drain() }
        if token < UInt64(listeners.count) { return acceptAll(listeners[Int(token)], now) }
        proceed(SlotToken(rawValue: token))
    }

    /// At most as many as there are slots in one turn.
    private mutating func acceptAll(_ listener: Listener, _ now: MonotonicInstant) {
        for _ in 0..<Self.connectionsMaximum {
            switch listener.socket.accept() {
            case .accepted(let socket, _):
                if slots.isFull { endOldest() }
                admit(socket, now)
            case .aborted: continue
            case .wouldBlock: return
            case .exhausted: return
            case .failed: return
            }
        }
    }

    private mutating func endOldest() {
        var oldest: Slot?
        for index in 0..<slots.extent {
            guard let slot = slots[index: index] else { continue }
            if let found = oldest, found.connection.deadline <= slot.connection.deadline {
                continue
            }
            oldest = slot
        }
        if let oldest { _ = slots.remove(oldest.token) }
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
        } catch { _ = slots.remove(slot.token) }
    }

    private mutating func proceed(_ token: SlotToken) {
        guard let slot = slots[token] else { return }
        let responder = responder
        let progress = slot.connection.proceed { request in
            responder.response(
                method: request.method, target: request.target, path: request.path,
                authority: request.authority)
        }
        switch progress {
        case .waitsForInput: return
        case .waitsForOutput:
            do throws(SystemError) {
                try poller.modify(slot.connection.descriptor, .write, token: token.rawValue)
            } catch { _ = slots.remove(token) }
        case .finished: _ = slots.remove(token)
        }
    }
}
