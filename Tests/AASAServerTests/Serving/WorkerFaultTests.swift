// Covers: Worker.swift, Worker+Accepting.swift, Server.swift, FaultInjection.swift
import Glibc
import HTTP
import OpenSSL
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import AASAServer

/// A worker on a thread of this test's own, on which the n-th call of a kind fails.
private final class FaultyWorker: Sendable {
    let address: SocketAddress
    let counters = WorkerCounters()
    private let shared: SharedState
    private let wakeup: Wakeup
    private let thread: Mutex<WorkerThread?> = Mutex(nil)
    private let hit = HitFlag()

    private final class HitFlag: Sendable {
        let isSet = Atomic(false)
    }

    init(_ call: FaultInjection.Call, after: UInt32, number: Int32) throws {
        let publisher = SnapshotPublisher(
            Publication(
                snapshot: TestEndpoint.snapshot(), contexts: try TestEndpoint.contexts(1)))
        shared = SharedState(publisher: publisher, access: nil, report: { _ in })
        wakeup = try Wakeup()
        publisher.wake(wakeup)
        let socket = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 64)
        address = socket.address
        var limits = ServerLimits.standard
        limits.connectionsMaximum = 64
        // Nobody closes while the listeners rest: the pause is what ends it.
        limits.acceptPause = .milliseconds(20)
        // While it makes keys ahead it turns each millisecond: the turns would count the time.
        limits.keyReservePairs = 0
        let worker = try Worker(
            number: 0, limits: limits, shared: shared, counters: counters, wakeup: wakeup,
            listeners: [Listener(socket)])
        nonisolated(unsafe) let handed = worker
        let thread = try WorkerThread(name: "faulty") { [hit] in
            FaultInjection.arm(call, after: after, number: number)
            handed.run()
            hit.isSet.store(!FaultInjection.isPending(call), ordering: .releasing)
            FaultInjection.disarm()
        }
        self.thread.withLock { $0 = thread }
    }

    func total(_ counter: Counter) -> UInt64 {
        ServerCounters(workers: [counters]).total(counter)
    }

    func closes(_ reason: CloseReason) -> UInt64 {
        ServerCounters(workers: [counters]).totalCloses(reason)
    }

    /// Ends the worker; whether the fault has come.
    func stop() -> Bool {
        shared.drain(until: .now())
        wakeup.signal()
        thread.withLock { $0 }?.join()
        return hit.isSet.load(ordering: .acquiring)
    }
}

/// Whatever call of a worker fails, and whenever: at most the connection it was made for is lost,
/// everybody else is answered, the loop does not spin, and nothing is left behind.
@Suite struct WorkerFaultTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let call: FaultInjection.Call
        let number: Int32
        /// Clients that may lose their connection to one fault.
        let victims: Int
        var testDescription: String { "\(call) \(number)" }
    }

    static let faults: [Fault] =
        [EMFILE, ENFILE, ENOMEM, ENOBUFS, ECONNABORTED, EPROTO, EINTR, EAGAIN].map {
            Fault(call: .accept4, number: $0, victims: 0)
        } + [ECONNRESET, ETIMEDOUT, ENOMEM].map { Fault(call: .recv, number: $0, victims: 1) }
        + [ECONNRESET, EPIPE, ENOBUFS, ENOMEM].map { Fault(call: .send, number: $0, victims: 1) }
        + [ENOMEM, ENOSPC].map { Fault(call: .epollControl, number: $0, victims: 1) }
        + [
            Fault(call: .recv, number: EINTR, victims: 0),
            Fault(call: .send, number: EINTR, victims: 0),
            Fault(call: .epollWait, number: EINTR, victims: 0),
            Fault(call: .setsockopt, number: ENOMEM, victims: 0),
            Fault(call: .getsockopt, number: ENOBUFS, victims: 0),
            Fault(call: .shutdown, number: ENOTCONN, victims: 0),
        ]

    /// Five clients, one after the other, of different manners; how many were not answered.
    private func unanswered(_ address: SocketAddress) -> Int {
        var lost = 0
        func expectAnswer(_ body: () throws -> Bool) {
            if (try? body()) != true { lost += 1 }
        }
        expectAnswer {
            let client = try TestClient(address)
            guard try client.get().status == 200 else { return false }
            return try client.get().status == 200
        }
        expectAnswer {
            let client = try TestClient(address)
            let answer = try client.get(fields: "Connection: close\r\n")
            return answer.status == 200 && answer.body == Array(TestEndpoint.document.utf8)
        }
        // One that leaves behind its ClientHello: nobody waits for it.
        if let client = try? TestClient(address, handshakes: false) {
            try? client.sendHello()
            client.abort()
        }
        expectAnswer {
            let client = try TestClient(address)
            // A request with content is answered, then the connection lingers.
            try client.send(
                "POST /x HTTP/1.1\r\nHost: example.com\r\nContent-Length: 3\r\n\r\nabc")
            let status = try client.response().status
            client.shutdownWrite()
            return status >= 200
        }
        expectAnswer { try TestClient(address).get().status == 200 }
        return lost
    }

    @Test(arguments: faults)
    func everyCallMayFailOnce(_ fault: Fault) throws {
        // The script makes fewer calls of any kind than this.
        for after in UInt32(1)...200 {
            let worker = try FaultyWorker(fault.call, after: after, number: fault.number)
            let lost = unanswered(worker.address)
            let wasHit = worker.stop()
            let run = "call \(after)"
            #expect(lost <= (wasHit ? fault.victims : 0), "\(run)")
            expectEqual(worker.total(.connectionsOpen), 0, "\(run)")
            expectEqual(worker.total(.handshakesInFlight), 0, "\(run)")
            // Six connections of some ten events each, two pauses of accepting; a loop that spins
            // makes thousands within the time of one handshake.
            #expect(worker.total(.turns) < 300, "\(run)")
            if fault.call == .accept4, wasHit {
                let isPause = [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(fault.number)
                let isAbort = [ECONNABORTED, EPROTO].contains(fault.number)
                // Before the first client nobody can give way; later one that lingers may.
                #expect(worker.total(.acceptPauses) <= (isPause ? 1 : 0), "\(run)")
                if after == 1 { expectEqual((worker.total(.acceptPauses) == 1), isPause, "\(run)") }
                expectEqual(worker.total(.acceptAborts), (isAbort ? 1 : 0), "\(run)")
            }
            if !wasHit { return }
        }
        Issue.record("the script never ran without the fault")
    }

    /// Whom no descriptor is left for does not wait while another client only keeps one.
    @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS])
    func anIdleConnectionGivesWayForADescriptor(_ number: Int32) throws {
        var gaveWay: UInt64 = 0
        for after in UInt32(1)...200 {
            let worker = try FaultyWorker(.accept4, after: after, number: number)
            let idle = try TestClient(worker.address)
            try expectEqual(idle.get().status, 200)
            try expectEqual(TestClient(worker.address).get().status, 200, "call \(after)")
            let wasHit = worker.stop()
            withExtendedLifetime(idle) {}
            let ends = worker.closes(.descriptorPressure)
            expectEqual(worker.total(.acceptPauses) + ends, (wasHit ? 1 : 0), "call \(after)")
            gaveWay += ends
            if !wasHit { return #expect(gaveWay > 0) }
        }
        Issue.record("the script never ran without the fault")
    }

    /// A server starts whole or not at all, and a start that fails leaves no thread to wait for.
    @Test(arguments: [
        (FaultInjection.Call.pthreadCreate, EAGAIN), (.epollCreate, EMFILE),
        (.epollControl, ENOMEM), (.eventfd, EMFILE), (.socket, EMFILE), (.bind, EADDRINUSE),
        (.listen, EADDRINUSE), (.fcntl, ENOMEM), (.getsockname, ENOBUFS), (.setsockopt, ENOMEM),
    ])
    func everyCallOfAStartMayFail(call: FaultInjection.Call, number: Int32) throws {
        defer { FaultInjection.disarm() }
        for after in UInt32(1)...200 {
            let publisher = SnapshotPublisher(
                Publication(
                    snapshot: TestEndpoint.snapshot(), contexts: try TestEndpoint.contexts(2)))
            FaultInjection.arm(call, after: after, number: number)
            var server: Server?
            var isRunning = false
            do {
                let made = try Server(
                    addresses: [.v4(0x7F00_0001, port: 0)], workers: 2, limits: .standard,
                    publisher: publisher, report: { _ in })
                server = made
                try made.start()
                isRunning = true
            } catch { #expect("\(error)".count > 10) }
            let wasHit = !FaultInjection.isPending(call)
            FaultInjection.disarm()
            if isRunning, let address = server?.addresses.first {
                for _ in 0..<4 { try expectEqual(TestClient(address).get().status, 200) }
            }
            // Most options are comfort; without SO_REUSEPORT the second worker cannot bind.
            #expect(isRunning || wasHit, "call \(after)")
            server?.drain(within: .zero)
            server?.join()
            if !wasHit { return }
        }
        Issue.record("no start ever ran without the fault")
    }
}
