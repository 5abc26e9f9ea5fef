import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerHandshakingTests {
    @Test func noiseGetsOneAnswerAndTheClose() throws {
        let endpoint = try TestEndpoint()
        let client = try TestClient(endpoint.address)
        try client.send("GARBAGE\r\n\r\n")
        try expectEqual(client.response().status, 400)
        #expect(try client.readToEnd().isEmpty)
        #expect(endpoint.closes(.badRequest))

        let plain = try TestClient(endpoint.address, handshakes: false)
        try plain.sendRaw(Array("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8))
        _ = try plain.readToEnd()
        #expect(endpoint.closes(.notTLS))
    }

    @Test func abortedHandshakesLeaveNothing() throws {
        let endpoint = try TestEndpoint()
        for round in 0..<100 {
            let client = try TestClient(endpoint.address, handshakes: false)
            if round % 3 > 0 { try client.sendHello() }
            if round % 3 == 2 { client.abort() } else { client.socket.close() }
        }
        try expectEqual(TestClient(endpoint.address).get().status, 200)
        #expect(eventually { endpoint.server.counters.total(.connectionsOpen) <= 1 })
        #expect(eventually { endpoint.server.counters.total(.handshakesInFlight) == 0 })
    }
}

/// The accounts of a worker from the accept of a client to the end of its handshake.
@Suite struct HandshakeAccountsTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let counters = WorkerCounters()

    /// A worker that does not run.
    private func worker(_ limits: ServerLimits = .standard) throws -> Worker {
        let publisher = SnapshotPublisher(
            Publication(
                snapshot: TestEndpoint.snapshot(), contexts: try TestEndpoint.contexts(1)))
        let worker = try Worker(
            number: 0, limits: limits,
            shared: SharedState(publisher: publisher, access: nil, report: { _ in }),
            counters: counters, wakeup: try Wakeup(), listeners: [])
        turn(worker, at: now)
        return worker
    }

    private func turn(_ worker: Worker, at time: MonotonicInstant, isIdle: Bool = true) {
        worker.now = time
        worker.judged = time
        worker.ageClients(isIdle: isIdle)
        worker.boundSilentHandshakes()
    }

    private func connection(
        of worker: Worker, socket: consuming Socket = Socket()
    ) throws -> Connection {
        var raw = socket.release()
        let inserted = worker.table.insert { token in
            defer { raw = -1 }
            return Connection(
                token: token, socket: Socket(owning: raw), peer: nil,
                limits: SharedLimits(.standard), now: now)
        }
        return try #require(inserted)
    }

    /// Kept parts of ClientHellos are bounded together, and given back with their connection.
    @Test func keptHellosAreBoundedTogether() throws {
        var limits = ServerLimits.standard
        limits.helloBytesInAll = 1000
        let worker = try worker(limits)
        let (first, second) = (try connection(of: worker), try connection(of: worker))
        first.hello = PartialHello(ClientHelloScanner())
        worker.keptHellos.keep(first.token, bytes: 600, now: now)
        #expect(worker.keptHellos.victim(now: now + .seconds(1)) == nil)
        worker.keptHellos.keep(second.token, bytes: 600, now: now + .milliseconds(100))
        expectEqual(worker.keptHellos.isFull(now: now + .milliseconds(400)), true)
        #expect(worker.keptHellos.victim(now: now + .milliseconds(400)) == nil)
        expectEqual(worker.keptHellos.victim(now: now + .milliseconds(500)), first.token)
        worker.close(first, .peerClosed)
        #expect(first.hello == nil)
        #expect(worker.keptHellos.victim(now: now + .milliseconds(500)) == nil)
        expectEqual(worker.keptHellos.isFull(now: now + .milliseconds(500)), false)
    }

    /// What is counted as under way ends exactly once, well or not.
    @Test func aHandshakeEndsOnce() throws {
        let worker = try worker()
        let (done, left) = (try connection(of: worker), try connection(of: worker))
        for connection in [done, left] { worker.handshakeStarted(connection) }
        expectEqual(counters.value(.handshakesInFlight), 2)
        worker.handshakeEnded(done, completed: true)
        for connection in [done, left, left] { worker.close(connection, .peerClosed) }
        expectEqual(counters.value(.handshakesInFlight), 0)
        expectEqual(counters.value(.handshakesAbandoned), 1)
    }

    @Test func whoWaitsKeepsTheLoopAwake() throws {
        let worker = try worker()
        #expect(!worker.admission.mustNotSleep && worker.admission.startsAtOnce)
        let client = try connection(of: worker)
        worker.admission.arrived(client.token, helloAt: now)
        worker.showWaiting()
        #expect(worker.admission.mustNotSleep && !worker.admission.startsAtOnce)
        expectEqual(counters.value(.connectionsWaiting), 1)
        turn(worker, at: now)
        expectEqual(worker.admission.next(now: now)?.token, client.token)
        worker.showWaiting()
        #expect(!worker.admission.mustNotSleep && counters.value(.connectionsWaiting) == 0)
    }

    /// Those who send their ClientHello in two parts do not overtake other clients.
    @Test func theRestOfAClientHelloWaitsBehindTheOthers() throws {
        let worker = try worker()
        let (first, rest) = (try connection(of: worker), try connection(of: worker))
        worker.admission.arrived(first.token, helloAt: now)
        worker.keptHellos.keep(rest.token, bytes: 1200, now: now)
        worker.admission.arrived(rest.token, helloAt: now)
        expectEqual(worker.admission.next(now: now)?.token, first.token)
        expectEqual(worker.admission.next(now: now)?.token, rest.token)
    }

    /// Nothing of our flight is acknowledged, as on a full link: but its window is closed.
    @Test func aPeerThatDoesNotReadIsSilent() throws {
        let worker = try worker()
        let listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 4)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        _ = Waiting.wait([.init(listener.raw)], until: .now() + .seconds(30))
        guard case .accepted(let socket, _) = listener.accept() else {
            throw SystemError(call: "accept4", number: EAGAIN)
        }
        let connection = try connection(of: worker, socket: socket)
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        repeat {
            while case .bytes = bytes.withUnsafeBytes({ connection.socket.send($0) }) {}
        } while Waiting.wait(
            [.init(connection.socket.raw, .writing)], until: .now() + .milliseconds(20)) == [true]
        #expect(eventually { connection.socket.tcpInfo?.isWindowClosed == true })
        worker.handshakeStarted(connection)
        turn(worker, at: now + .seconds(2), isIdle: false)
        expectEqual(counters.value(.handshakesSilent), 1)
    }

    /// Behind the last one the loop may sleep for an hour.
    @Test func theGaugesFallWithTheLastOne() throws {
        let worker = try worker()
        let (silent, waiting) = (try connection(of: worker), try connection(of: worker))
        worker.handshakeStarted(silent)
        turn(worker, at: now + .seconds(2))
        worker.admission.arrived(waiting.token, helloAt: now)
        worker.showWaiting()
        expectEqual(counters.value(.handshakesSilent), 1)
        expectEqual(counters.value(.connectionsWaiting), 1)
        worker.close(silent, .peerClosed)
        worker.close(waiting, .peerClosed)
        expectEqual(counters.value(.handshakesSilent), 0)
        expectEqual(counters.value(.connectionsWaiting), 0)
    }
}
