import Reactor
import Testing

@testable import AASAServer

@Suite struct ArrivalsTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let counters = WorkerCounters()

    private func connection(_ index: Int) -> Connection {
        Connection(
            token: SlotToken(index: index, generation: 1), socket: Socket(), peer: nil,
            times: ConnectionTimes(.standard), now: now)
    }

    private func kept(_ connection: Connection, bytes: Int) {
        let hello = PartialHello(ClientHelloScanner())
        let part = [UInt8](repeating: 22, count: bytes)
        _ = part.withUnsafeBytes { hello.append($0) }
        connection.hello = hello
    }

    /// Kept parts of ClientHellos are bounded together, and given back with their connection.
    @Test func keptHellosAreBoundedTogether() throws {
        var limits = ServerLimits.standard
        limits.helloBytesInAll = 1000
        let arrivals = Arrivals(limits: limits, counters: counters, now: now)
        let (first, second) = (connection(0), connection(1))
        for connection in [first, second] {
            kept(connection, bytes: 600)
            arrivals.awaitHello(connection, now: now)
        }
        arrivals.keptHello(bytes: 600)
        #expect(arrivals.hellosToGiveUp(now: now) == nil)
        arrivals.keptHello(bytes: 600)
        let token = try #require(arrivals.hellosToGiveUp(now: now))
        arrivals.forget(token == first.token ? first : second)
        #expect(arrivals.hellosToGiveUp(now: now) == nil)
    }

    /// What is counted as under way ends exactly once, well or not.
    @Test func aHandshakeEndsOnce() throws {
        let arrivals = Arrivals(limits: .standard, counters: counters, now: now)
        let (done, left) = (connection(0), connection(1))
        for connection in [done, left] { arrivals.handshakeStarted(connection, now: now) }
        #expect(counters.value(.handshakesInFlight) == 2)
        arrivals.handshakeEnded(done, completed: true)
        arrivals.forget(done)
        arrivals.forget(left)
        arrivals.forget(left)
        #expect(counters.value(.handshakesInFlight) == 0)
        #expect(counters.value(.handshakesAbandoned) == 1)
    }

    @Test func whoWaitsKeepsTheLoopAwake() throws {
        let arrivals = Arrivals(limits: .standard, counters: counters, now: now)
        let table = try ConnectionTable(limits: .standard, now: now, report: { _ in })
        #expect(!arrivals.mustNotSleep && arrivals.startsAtOnce)
        let client = connection(0)
        arrivals.enqueue(client)
        #expect(arrivals.mustNotSleep && !arrivals.startsAtOnce)
        #expect(counters.value(.connectionsWaiting) == 1)
        arrivals.turnBegan(now: now, isIdle: true, table: table)
        #expect(arrivals.next(now: now)?.token == client.token)
        arrivals.showWaiting()
        #expect(!arrivals.mustNotSleep && counters.value(.connectionsWaiting) == 0)
    }
}
