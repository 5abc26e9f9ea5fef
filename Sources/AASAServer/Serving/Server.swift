package import Reactor
import Synchronization

/// The state that the control thread and the workers share. Besides it, only the publisher,
/// wake-ups and counters cross threads.
package final class SharedState: Sendable {
    package let publisher: SnapshotPublisher
    /// Nanoseconds of the drain's end; 0 while serving.
    private let drainNanoseconds = Atomic<Int64>(0)
    /// Where faults of our own are reported; called from any worker.
    let report: @Sendable (String) -> Void
    /// The access log; `nil`: none, at no cost.
    let access: (any AccessSink)?

    package init(
        publisher: SnapshotPublisher, access: (any AccessSink)?,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.publisher = publisher
        self.access = access
        self.report = report
    }

    var drainDeadline: MonotonicInstant? {
        let value = drainNanoseconds.load(ordering: .acquiring)
        return value == 0 ? nil : MonotonicInstant(nanoseconds: value)
    }

    package func drain(until instant: MonotonicInstant) {
        drainNanoseconds.store(instant.nanoseconds, ordering: .releasing)
    }
}

/// The endpoint: listeners, workers, and their common life.
///
/// ```
/// init  binds every address once per worker        start()  threads run
/// drain(within:) no new connections, the rest is served to its end join() all threads have ended
/// ```
package final class Server: Sendable {
    package let shared: SharedState
    package let counters: ServerCounters
    /// Where each socket listens, with the ports the kernel chose.
    package let addresses: [SocketAddress]
    private let limits: ServerLimits
    private let wakeups: [Wakeup]
    /// What each worker will listen on, until it is made.
    private let listeners: Lock<[[Listener]]>
    private let threads: Lock<[WorkerThread]> = Lock([])
    /// One descriptor per listening socket, even if several workers share the socket: what an
    /// upgrade hands to the next process before the drain, so their number does not grow from
    /// upgrade to upgrade. They stay open as long as the server.
    package let listeningDescriptors: [Int32]

    /// Binds. All failures that an operator can fix happen here.
    ///
    /// - Parameters:
    ///   - addresses: where to listen; port 0 lets the kernel choose one, the same for all workers.
    ///   - handed: listening sockets made by another process (systemd, the predecessor), instead
    ///   of `addresses`: spread over the workers by ``takers(of:among:)``.
    ///   - held: listening sockets of some addresses, one for each worker, with clients already.
    ///   - limits: of each worker.
    ///   - publisher: holds the first publication already, with one context per worker.
    ///   - proxies: which listeners expect headers of the PROXY protocol, and from whom.
    ///   - access: takes one entry per answer.
    ///   - report: takes faults of our own; called from any thread.
    /// - Throws: `SystemError` about the address.
    package init(
        addresses: [SocketAddress], handed: [Int32] = [], held: [SocketAddress: [Int32]] = [:],
        workers: Int, limits: ServerLimits, publisher: SnapshotPublisher,
        proxies: ProxyProtocolSettings? = nil,
        access: (any AccessSink)? = nil, report: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.limits = limits
        shared = SharedState(publisher: publisher, access: access, report: report)
        listeningDescriptors =
            handed.isEmpty ? try Self.bind(addresses, held, workers, limits) : handed
        self.addresses = try listeningDescriptors.map { descriptor throws(SystemError) in
            var socket = try ListeningSocket(adopting: descriptor)
            // Those that were bound here are prepared already.
            if !handed.isEmpty { Self.prepare(socket, limits) }
            _ = socket.release()
            return socket.address
        }
        var listeners: [[Listener]] = Array(repeating: [], count: workers)
        let takers = Self.takers(of: self.addresses, among: workers)
        for (index, takers) in takers.enumerated() {
            let descriptor = listeningDescriptors[index]
            // By the requested port: a port that the kernel chose cannot be configured.
            let asked = handed.isEmpty ? addresses[index / workers] : self.addresses[index]
            for worker in takers {
                // The first worker of a socket gets its descriptor, the others get copies.
                let isFirst = worker == takers.first
                let socket = try ListeningSocket(
                    adopting: isFirst ? descriptor : FileDescriptor.duplicate(descriptor))
                let fronts = proxies?.fronts(at: asked) ?? []
                listeners[worker].append(Listener(socket, sharers: takers.count, fronts: fronts))
            }
        }
        counters = ServerCounters(workers: (0..<workers).map { _ in WorkerCounters() })
        var wakeups: [Wakeup] = []
        for _ in 0..<workers {
            let wakeup = try Wakeup()
            publisher.wake(wakeup)
            wakeups.append(wakeup)
        }
        self.wakeups = wakeups
        self.listeners = Lock(listeners)
    }

    /// A listening socket of each address for each worker, one address after the other.
    private static func bind(
        _ addresses: [SocketAddress], _ held: [SocketAddress: [Int32]], _ workers: Int,
        _ limits: ServerLimits
    ) throws(SystemError) -> [Int32] {
        var sockets: [Int32] = []
        for var address in addresses {
            let own = held[address] ?? []
            for worker in 0..<workers {
                let isHeld = worker < own.count
                var socket = try ListeningSocket(
                    adopting: isHeld ? own[worker] : Self.listener(on: address, limits))
                // All workers use the port of the first one.
                address = socket.address
                sockets.append(socket.release())
            }
        }
        return sockets
    }

    /// For each socket, the workers that accept connections from it.
    ///
    /// If there are as many sockets of one address as workers (or more), they are a group made with
    /// SO_REUSEPORT, each with its own queue: each worker gets its own, as in the process that made
    /// them. If there are fewer, all workers share them, each through a descriptor of its own. In
    /// both cases the number of sockets stays the same from one upgrade to the next.
    static func takers(of sockets: [SocketAddress], among workers: Int) -> [[Int]] {
        let counts = sockets.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var taken: [SocketAddress: Int] = [:]
        return sockets.map { address in
            if counts[address, default: 0] < workers { return Array(0..<workers) }
            defer { taken[address, default: 0] += 1 }
            return [taken[address, default: 0] % workers]
        }
    }

    /// A listening socket for one worker, which the caller owns.
    static func listener(
        on address: SocketAddress, _ limits: ServerLimits
    ) throws(SystemError) -> Int32 {
        var socket = try ListeningSocket(on: address, backlog: limits.backlog)
        prepare(socket, limits)
        return socket.release()
    }

    /// Options that accepted sockets inherit.
    private static func prepare(_ socket: borrowing ListeningSocket, _ limits: ServerLimits) {
        socket.setSendBuffer(bytes: limits.sendBufferBytes)
        socket.deferAccept(seconds: limits.deferAcceptSeconds)
        // The kernel, too, gives up on a peer that stops reading, even after our close. Its limit
        // is a little longer than ours, so that we normally come first and count the reason.
        socket.setUserTimeout(limits.answerTime + limits.answerGraceTime)
    }

    /// Starts the workers' threads. Signals the control thread handles must be blocked by now.
    ///
    /// All workers are made before the first thread runs, and already watch their listeners. A
    /// worker that failed later would leave the clients of its queue unanswered, while the other
    /// workers serve. A start that fails leaves no thread behind.
    package func start() throws(Problem) {
        let listeners = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        do {
            // Each worker is used only by the thread that receives it.
            nonisolated(unsafe) let workers = try listeners.enumerated().map {
                try Worker(
                    number: $0.offset, limits: limits, shared: shared,
                    counters: counters.workers[$0.offset], wakeup: wakeups[$0.offset],
                    listeners: $0.element)
            }
            for index in workers.indices {
                let thread = try WorkerThread(name: "aasa-worker-\(index)") {
                    workers[index].run()
                }
                threads.withLock { $0.append(thread) }
            }
        } catch {
            drain(within: .zero)
            join()
            throw (error as? Problem) ?? .limits("start", error)
        }
    }

    /// No new connection begins; those that the kernel has accepted for the workers still reach
    /// them. Only for sockets that no other process goes on with.
    package func refuseNewClients() {
        for descriptor in listeningDescriptors { ListeningSocket.refuseNewClients(descriptor) }
    }

    /// Stops accepting, serves what is under way, ends the workers at the latest after `limit`. A
    /// second call can only shorten the time.
    package func drain(within limit: Duration) {
        shared.drain(until: .now() + limit)
        for wakeup in wakeups { wakeup.signal() }
    }

    /// Waits until all workers have ended.
    package func join() {
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}
