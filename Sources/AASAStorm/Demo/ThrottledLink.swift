package import Reactor
import Synchronization

/// A slow link in user space: a TCP proxy on loopback that limits the bytes per second to the
/// clients, over all connections, or the connections per second, in order of arrival. It needs no
/// privileges.
///
/// Its buffers are as small as the kernel allows: with the usual ones it would accept whole
/// documents at once, and the server would see a free link.
package final class ThrottledLink: Sendable {
    package struct Limits: Sendable, Equatable {
        /// To the clients; nil for no limit.
        package var bytesPerSecond: Int?
        /// nil for no limit.
        package var connectionsPerSecond: Int?

        package init(bytesPerSecond: Int? = nil, connectionsPerSecond: Int? = nil) {
            self.bytesPerSecond = bytesPerSecond
            self.connectionsPerSecond = connectionsPerSecond
        }
    }

    /// Waiting connections are in the kernel's accept queue.
    static let backlog: Int32 = 16_384

    /// The address for clients.
    package let address: SocketAddress
    private let stopping: StopFlag
    private let thread: WorkerThread

    /// Starts the proxy.
    ///
    /// - Parameter server: the address to forward to.
    package init(to server: SocketAddress, _ limits: Limits) throws(SystemError) {
        var listener = try ListeningSocket(
            on: .v4(0x7F00_0001, port: 0), backlog: Self.backlog, sharesPort: false)
        address = listener.address
        let poller = try Poller(eventsMaximum: 256)
        let stopping = StopFlag()
        self.stopping = stopping
        let raw = listener.release()
        let loop = ThrottledLinkLoop(server: server, limits, poller: poller)
        thread = try WorkerThread(name: "throttled-link") {
            guard let listener = try? ListeningSocket(adopting: raw) else { return }
            loop.run(listener, until: stopping)
        }
    }

    /// Closes every connection and ends the proxy.
    package func stop() {
        stopping.isSet.store(true, ordering: .releasing)
        thread.join()
    }
}

final class StopFlag: Sendable {
    let isSet = Atomic(false)
}

/// The proxy's thread.
private final class ThrottledLinkLoop {
    /// One TCP segment: the unit in which connections share the link.
    static let quantum = 1460
    /// The kernel doubles it; its minimum is 2,304 bytes (socket(7)).
    static let receiveBufferBytes = 2048
    /// How long the loop sleeps when nothing may be sent: a hundredth of what people notice.
    static let rest: Duration = .milliseconds(2)

    /// One client and its connection to the server.
    private final class Pair {
        var client: Socket
        var server: Socket
        /// Read, but not yet accepted by the other side.
        var toServer: [UInt8] = []
        var toClient: [UInt8] = []
        var serverHasEnded = false

        init(client: consuming Socket, server: consuming Socket) {
            self.client = client
            self.server = server
        }
    }

    private let server: SocketAddress
    private let poller: Poller
    private var bytes: TokenBucket?
    private var connections: TokenBucket?
    private var pairs: [UInt64: Pair] = [:]
    private var held: Set<UInt64> = []
    /// Connections with data from the server, in round-robin order: the kernel would report the
    /// same ones first each time, and the others would starve.
    private var waiting: [UInt64] = []
    private var isWaiting: Set<UInt64> = []
    private var next: UInt64 = 0

    init(server: SocketAddress, _ limits: ThrottledLink.Limits, poller: consuming Poller) {
        self.server = server
        self.poller = poller
        let now = MonotonicInstant.now()
        bytes = limits.bytesPerSecond.map {
            TokenBucket(perSecond: $0, least: Self.quantum, now: now)
        }
        connections = limits.connectionsPerSecond.map {
            TokenBucket(perSecond: $0, least: 1, now: now)
        }
    }

    func run(_ listener: borrowing ListeningSocket, until stopping: StopFlag) {
        while !stopping.isSet.load(ordering: .acquiring) {
            let now = MonotonicInstant.now()
            bytes?.refill(now: now)
            connections?.refill(now: now)
            accept(listener)
            for number in held { if let pair = pairs[number] { flush(number, pair) } }
            // Level-triggered events would repeat while the link is full.
            if bytes?.allows(Self.quantum) == false {
                CurrentProcess.sleep(Self.rest)
                continue
            }
            guard let count = try? poller.wait(timeout: Self.rest) else { return }
            for index in 0..<count { carry(poller.event(index).token) }
            shareLink()
        }
    }

    /// Forwards one segment per waiting connection while the link has room; the rest comes first
    /// next time.
    private func shareLink() {
        var served = 0
        while served < waiting.count, bytes?.allows(Self.quantum) != false {
            let number = waiting[served]
            served += 1
            isWaiting.remove(number)
            if let pair = pairs[number] { fromServer(number, pair) }
        }
        waiting.removeFirst(served)
    }

    private func accept(_ listener: borrowing ListeningSocket) {
        while connections?.allows(1) != false {
            guard case .accepted(let client, _) = listener.accept() else { return }
            connections?.spend(1)
            guard let upstream = try? Socket(for: server) else { return }
            upstream.setReceiveBuffer(bytes: Self.receiveBufferBytes)
            if case .failed = upstream.connect(to: server) { continue }
            let pair = Pair(client: client, server: upstream)
            next += 1
            pairs[next] = pair
            do {
                try poller.add(pair.client.raw, .read, token: next << 1)
                try poller.add(pair.server.raw, .read, token: next << 1 | 1)
            } catch { close(next) }
        }
    }

    private func carry(_ token: UInt64) {
        let number = token >> 1
        guard let pair = pairs[number] else { return }
        if token & 1 == 0 {
            fromClient(number, pair)
        } else if isWaiting.insert(number).inserted {
            waiting.append(number)
        }
    }

    private func fromClient(_ number: UInt64, _ pair: Pair) {
        guard pair.toServer.isEmpty else { return }
        var chunk = [UInt8](repeating: 0, count: 4096)
        switch chunk.withUnsafeMutableBytes({ pair.client.receive(into: $0) }) {
        case .bytes(let count): pair.toServer = Array(chunk[..<count])
        case .wouldBlock: return
        // A device that closes needs no more data.
        case .endOfStream, .failed: return close(number)
        }
        flush(number, pair)
    }

    private func fromServer(_ number: UInt64, _ pair: Pair) {
        guard pair.toClient.isEmpty, !pair.serverHasEnded else { return }
        var chunk = [UInt8](repeating: 0, count: Self.quantum)
        switch chunk.withUnsafeMutableBytes({ pair.server.receive(into: $0) }) {
        case .bytes(let count):
            bytes?.spend(count)
            pair.toClient = Array(chunk[..<count])
        case .wouldBlock: return
        case .endOfStream:
            pair.serverHasEnded = true
            try? poller.remove(pair.server.raw)
        case .failed: return close(number)
        }
        flush(number, pair)
    }

    /// Forwards what was read; the rest is retried.
    private func flush(_ number: UInt64, _ pair: Pair) {
        var isBroken = false
        func send(_ pending: inout [UInt8], _ socket: borrowing Socket) {
            if pending.isEmpty { return }
            switch pending.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): pending.removeFirst(count)
            case .wouldBlock: break
            case .endOfStream, .failed: isBroken = true
            }
        }
        send(&pair.toServer, pair.server)
        send(&pair.toClient, pair.client)
        if isBroken { return close(number) }
        if pair.toServer.isEmpty && pair.toClient.isEmpty {
            held.remove(number)
            if pair.serverHasEnded { pair.client.shutdownWrite() }
        } else {
            held.insert(number)
        }
    }

    private func close(_ number: UInt64) {
        held.remove(number)
        pairs[number] = nil
    }
}
