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
    /// Where it listens, with the ports the kernel chose.
    package let addresses: [SocketAddress]
    private let limits: ServerLimits
    private let wakeups: [Wakeup]
    /// What each worker will listen on: raw descriptors, because their owners cannot be copied into
    /// a closure.
    private let bound: Lock<[[BoundSocket]]>
    private let threads: Lock<[WorkerThread]> = Lock([])
    /// One descriptor per listening socket, even if several workers share the socket: what an
    /// upgrade hands to the next process before the drain, so their number does not grow from
    /// upgrade to upgrade. They stay open as long as the server.
    package let listeningDescriptors: [Int32]

    private struct BoundSocket: Sendable {
        let descriptor: Int32
        /// Workers that listen on the same socket.
        var sharers = 1
        /// The fronts whose headers of the PROXY protocol are trusted there.
        var fronts: TrustedProxies?
    }

    /// Binds. All failures that an operator can fix happen here.
    ///
    /// - Parameters:
    ///   - addresses: where to listen; port 0 lets the kernel choose one, the same for all workers.
    ///   - handed: listening sockets made by another process (systemd, the predecessor), instead
    ///   of `addresses`: spread over the workers by ``SocketAssignment``.
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
        var bound: [[BoundSocket]] = Array(repeating: [], count: workers)
        var real: [SocketAddress] = []
        if handed.isEmpty {
            for address in addresses {
                // By the requested port: a port that the kernel chose cannot be configured.
                let fronts = proxies?.fronts(at: address)
                let own = held[address] ?? []
                var address = address
                for worker in 0..<workers {
                    let isHeld = worker < own.count
                    var socket = try ListeningSocket(
                        adopting: isHeld ? own[worker] : Self.listener(on: address, limits))
                    // All workers use the port of the first one.
                    address = socket.address
                    bound[worker].append(
                        BoundSocket(descriptor: socket.release(), fronts: fronts))
                }
                real.append(address)
            }
            listeningDescriptors = bound.flatMap { $0.map(\.descriptor) }
        } else {
            for descriptor in handed {
                var socket = try ListeningSocket(adopting: descriptor)
                real.append(socket.address)
                Self.prepare(socket, limits)
                _ = socket.release()
            }
            listeningDescriptors = handed
            bound = try Self.share(handed, real, among: workers, proxies)
        }
        self.addresses = real
        counters = ServerCounters(workers: (0..<workers).map { _ in WorkerCounters() })
        var wakeups: [Wakeup] = []
        for _ in 0..<workers {
            let wakeup = try Wakeup()
            publisher.wake(wakeup)
            wakeups.append(wakeup)
        }
        self.wakeups = wakeups
        self.bound = Lock(bound)
    }

    /// The first worker of a socket gets its descriptor, the others get copies.
    private static func share(
        _ handed: [Int32], _ addresses: [SocketAddress], among workers: Int,
        _ proxies: ProxyProtocolSettings?
    ) throws(SystemError) -> [[BoundSocket]] {
        var taken: Set<Int> = []
        var bound: [[BoundSocket]] = []
        for shares in SocketAssignment(of: addresses, to: workers).shares {
            var sockets: [BoundSocket] = []
            for share in shares {
                var descriptor = handed[share.socket]
                if !taken.insert(share.socket).inserted {
                    var socket = try ListeningSocket(adopting: descriptor)
                    descriptor = try FileDescriptor.duplicate(descriptor)
                    _ = socket.release()
                }
                sockets.append(
                    BoundSocket(
                        descriptor: descriptor, sharers: share.sharers,
                        fronts: proxies?.fronts(at: addresses[share.socket])))
            }
            bound.append(sockets)
        }
        return bound
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
        let bound = bound.withLock { bound in
            defer { bound = [] }
            return bound
        }
        do {
            // Each worker is used only by the thread that receives it.
            nonisolated(unsafe) let workers = try bound.enumerated().map {
                try makeWorker($0.offset, on: $0.element)
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

    private func makeWorker(_ number: Int, on sockets: [BoundSocket]) throws -> Worker {
        let now = MonotonicInstant.now()
        let listeners = try sockets.map {
            Listener(
                try ListeningSocket(adopting: $0.descriptor), sharers: $0.sharers,
                fronts: $0.fronts, now: now)
        }
        return try Worker(
            number: number, limits: limits, shared: shared,
            counters: counters.workers[number], wakeup: wakeups[number],
            listeners: listeners)
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
