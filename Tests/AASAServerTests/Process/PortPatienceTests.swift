import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The test's own process holds the port.
@Suite struct PortPatienceTests {
    private func patience(
        limit: Duration = .seconds(60), _ log: FileLog,
        _ isShuttingDown: @escaping @Sendable (ProcessID) -> Bool?
    ) -> PortPatience {
        PortPatience(limit: limit, isShuttingDown: isShuttingDown, log: log.logger)
    }

    private func take(
        _ address: SocketAddress, _ patience: PortPatience?
    ) throws(SystemError) {
        _ = try PortPatience.take(patience) { () throws(SystemError) in
            var socket = try ListeningSocket(on: address, backlog: 1, sharesPort: false)
            socket.close()
        }
    }

    @Test func waitsUntilWhoShutsDownHasClosedThePort() throws {
        let log = try FileLog()
        var held = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let address = held.address
        let raw = held.release()
        let asked = Lock<[ProcessID]>([])
        let patience = patience(log) { process in
            asked.withLock { $0.append(process) }
            // Closed at the second look, a while later.
            if asked.withLock({ $0.count }) > 1 { FileDescriptor.close(raw) }
            return true
        }
        try take(address, patience)
        expectEqual(asked.withLock { $0 }, [getpid(), getpid()])
        expectEqual(log.lines.filter { $0.contains("is shutting down: waiting for") }.count, 1)
    }

    /// Killed: nothing answers, and the kernel closes its sockets one by one.
    @Test func whoIsGoneBeforeItAnswersIsWaitedFor() throws {
        var held = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let address = held.address
        let raw = held.release()
        let asked = Lock(0)
        let patience = patience(try FileLog()) { _ in
            asked.withLock { $0 += 1 }
            if asked.withLock({ $0 }) == 2 { FileDescriptor.close(raw) }
            return nil
        }
        try take(address, patience)
        expectEqual(asked.withLock { $0 }, 2)
    }

    @Test(arguments: [nil, false] as [Bool?])
    func nobodyElseIsWaitedFor(isShuttingDown: Bool?) throws {
        let log = try FileLog()
        let held = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let asked = Lock(0)
        let patience = patience(log) { _ in
            asked.withLock { $0 += 1 }
            return isShuttingDown
        }
        #expect(throws: SystemError.self) { try take(held.address, patience) }
        // A server that goes on may have a signal on its way, one that is silent may be gone soon:
        // both are asked for a second.
        #expect(asked.withLock { $0 > 1 })
        #expect(throws: SystemError.self) { try take(held.address, nil) }
        #expect(log.lines.isEmpty)
    }

    /// Before the site is loaded.
    @Test func aPortThatWillBeFreeIsEnough() throws {
        let held = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let patience = PortPatience(
            waits: false, limit: .seconds(60), isShuttingDown: { _ in true },
            log: try FileLog().logger)
        try take(held.address, patience)
        let other = PortPatience(
            waits: false, limit: .seconds(60), isShuttingDown: { _ in false },
            log: try FileLog().logger)
        #expect(throws: SystemError.self) { try take(held.address, other) }
    }

    @Test func waitingIsBounded() throws {
        let held = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let patience = patience(limit: .milliseconds(50), try FileLog()) { _ in true }
        let failure = #expect(throws: SystemError.self) { try take(held.address, patience) }
        expectEqual(failure?.isAddressInUse, true)
    }
}
