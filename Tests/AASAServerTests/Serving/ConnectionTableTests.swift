import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ConnectionTableTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    /// A table with a connection whose first byte is due at 5 s.
    private func table(
        capacity: Int = 4
    ) throws -> (table: ConnectionTable, add: () -> Connection?) {
        var limits = ServerLimits.standard
        limits.connectionsMaximum = capacity
        let table = try ConnectionTable(limits: limits)
        let shared = SharedLimits(limits)
        return (
            table,
            {
                table.insert {
                    Connection(token: $0, socket: Socket(), peer: nil, limits: shared, now: at(0))
                }
            }
        )
    }

    @Test func aTokenOfAConnectionThatHasEndedNamesNobody() throws {
        let (table, add) = try table(capacity: 1)
        let first = try #require(add())
        #expect(table.isFull && table[first.token] === first)
        table.remove(first)
        let second = try #require(add())
        #expect(table[first.token] == nil && table[second.token] === second)
        #expect(add() == nil)
    }

    /// A deadline that moved out is asked for again when the timer that was set comes up.
    @Test func onlyPassedDeadlinesExpire() throws {
        let (table, add) = try table()
        let connection = try #require(add())
        table.arm(connection)
        #expect(table.nextExpired(now: at(4)) == nil)
        connection.machine.handshakeStarted(now: at(4))
        #expect(table.nextExpired(now: at(6)) == nil)
        #expect(table.nextExpired(now: at(15)) === connection)
        #expect(table.nextExpired(now: at(15)) == nil)
        // It has not moved: it comes up again, and not in the same turn.
        table.arm(connection)
        table.arm(connection, notBefore: at(16))
        #expect(table.nextExpired(now: at(15)) == nil)
        #expect(table.nextExpired(now: at(16)) === connection)
        table.remove(connection)
        #expect(table.timeout(now: at(16)) == nil)
    }

    @Test func whoIsQueuedIsTakenOnce() throws {
        let (table, add) = try table()
        let connection = try #require(add())
        table.queue(connection)
        table.queue(connection)
        #expect(table.hasQueued)
        expectEqual(table.takeQueued(), [connection.token])
        #expect(!table.hasQueued && table.takeQueued().isEmpty)
    }

    /// The search goes on behind the last connection that was found.
    @Test func onlyThoseThatWereAnsweredAreGivenUpAsIdle() throws {
        let (table, add) = try table()
        let connection = try #require(add())
        connection.machine.handshakeStarted(now: at(0))
        connection.machine.handshakeCompleted(now: at(0))
        #expect(table.find { $0.machine.isIdleAfterAnswer } == nil)
        _ = connection.machine.requestReceived(now: at(0), closing: nil)
        _ = connection.machine.answersCompleted(now: at(0), underPressure: false)
        #expect(table.find { $0.machine.isIdleAfterAnswer } === connection)
        let other = try #require(add())
        #expect(table.find { _ in true } === other)
        #expect(table.find { _ in true } === connection)
    }
}
