import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HandshakeAdmissionTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let counters = WorkerCounters()

    private func connection(_ index: Int) -> Connection {
        Connection(
            token: SlotToken(index: index, generation: 1), socket: Socket(), peer: nil,
            limits: SharedLimits(.standard), now: now)
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
        let admissions = HandshakeAdmission(limits: limits, counters: counters, now: now)
        let (first, second) = (connection(0), connection(1))
        kept(first, bytes: 600)
        admissions.kept.keep(first.token, bytes: 600, now: now)
        #expect(admissions.kept.victim(now: now + .seconds(1)) == nil)
        kept(second, bytes: 600)
        admissions.kept.keep(second.token, bytes: 600, now: now + .milliseconds(100))
        #expect(admissions.kept.isFull(now: now + .milliseconds(400)) == true)
        #expect(admissions.kept.victim(now: now + .milliseconds(400)) == nil)
        #expect(admissions.kept.victim(now: now + .milliseconds(500)) == first.token)
        admissions.forget(first)
        #expect(admissions.kept.victim(now: now + .milliseconds(500)) == nil)
        #expect(admissions.kept.isFull(now: now + .milliseconds(500)) == false)
    }

    /// What is counted as under way ends exactly once, well or not.
    @Test func aHandshakeEndsOnce() throws {
        let admissions = HandshakeAdmission(limits: .standard, counters: counters, now: now)
        let (done, left) = (connection(0), connection(1))
        for connection in [done, left] { admissions.handshakeStarted(connection, now: now) }
        #expect(counters.value(.handshakesInFlight) == 2)
        admissions.handshakeEnded(done, completed: true)
        admissions.forget(done)
        admissions.forget(left)
        admissions.forget(left)
        #expect(counters.value(.handshakesInFlight) == 0)
        #expect(counters.value(.handshakesAbandoned) == 1)
    }

    @Test func whoWaitsKeepsTheLoopAwake() throws {
        let admissions = HandshakeAdmission(limits: .standard, counters: counters, now: now)
        let table = try ConnectionTable(limits: .standard, report: { _ in })
        #expect(!admissions.controller.mustNotSleep && admissions.controller.startsAtOnce)
        let client = connection(0)
        admissions.enqueue(client)
        #expect(admissions.controller.mustNotSleep && !admissions.controller.startsAtOnce)
        #expect(counters.value(.connectionsWaiting) == 1)
        admissions.turnBegan(now: now, isIdle: true, table: table)
        #expect(admissions.controller.next(now: now)?.token == client.token)
        admissions.showWaiting()
        #expect(!admissions.controller.mustNotSleep && counters.value(.connectionsWaiting) == 0)
    }

    /// Those who send it in two parts get in front of nobody.
    @Test func theRestOfAClientHelloWaitsBehindTheOthers() {
        let admissions = HandshakeAdmission(limits: .standard, counters: counters, now: now)
        let (first, rest) = (connection(0), connection(1))
        admissions.enqueue(first)
        kept(rest, bytes: 1200)
        admissions.kept.keep(rest.token, bytes: 1200, now: now)
        admissions.enqueue(rest)
        #expect(admissions.controller.next(now: now)?.token == first.token)
        #expect(admissions.controller.next(now: now)?.token == rest.token)
    }

    /// Nothing of our flight is acknowledged, as on a full link: but its window is closed.
    @Test func aPeerThatDoesNotReadIsSilent() throws {
        let admissions = HandshakeAdmission(limits: .standard, counters: counters, now: now)
        let table = try ConnectionTable(limits: .standard, report: { _ in })
        let listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 4)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        _ = Waiting.wait([.init(listener.raw)], until: .now() + .seconds(30))
        guard case .accepted(let accepted, _) = listener.accept() else {
            throw SystemError(call: "accept4", number: EAGAIN)
        }
        var socket = accepted
        var raw = socket.release()
        let inserted =
            table.insert { token in
                defer { raw = -1 }
                return Connection(
                    token: token, socket: Socket(owning: raw), peer: nil,
                    limits: SharedLimits(.standard), now: now)
            }
        let connection = try #require(inserted)
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        repeat {
            while case .bytes = bytes.withUnsafeBytes({ connection.socket.send($0) }) {}
        } while Waiting.wait(
            [.init(connection.socket.raw, .writing)], until: .now() + .milliseconds(20)) == [true]
        #expect(eventually { connection.socket.tcpInfo?.isWindowClosed == true })
        admissions.handshakeStarted(connection, now: now)
        admissions.turnBegan(now: now + .seconds(2), isIdle: false, table: table)
        admissions.showSilent()
        #expect(counters.value(.handshakesSilent) == 1)
    }

    /// Behind the last one the loop may sleep for an hour.
    @Test func theGaugesFallWithTheLastOne() throws {
        let admissions = HandshakeAdmission(limits: .standard, counters: counters, now: now)
        let table = try ConnectionTable(limits: .standard, report: { _ in })
        let (silent, waiting) = (connection(0), connection(1))
        admissions.handshakeStarted(silent, now: now)
        admissions.turnBegan(now: now + .seconds(2), isIdle: true, table: table)
        admissions.showSilent()
        admissions.enqueue(waiting)
        #expect(counters.value(.handshakesSilent) == 1)
        #expect(counters.value(.connectionsWaiting) == 1)
        admissions.forget(silent)
        admissions.forget(waiting)
        #expect(counters.value(.handshakesSilent) == 0)
        #expect(counters.value(.connectionsWaiting) == 0)
    }
}
