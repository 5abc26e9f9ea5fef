import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct PollerTests {
    /// A connected pair of non-blocking stream sockets.
    private struct Pair: ~Copyable {
        let near: FileDescriptor
        var far: FileDescriptor

        init() {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            expectEqual(socketpair(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0, &ends), 0)
            near = FileDescriptor(owning: ends[0])
            far = FileDescriptor(owning: ends[1])
        }
    }

    @Test func `It tells whose event it is, as long as the state holds`() throws {
        let token: UInt64 = 1 << 63 | 9
        let wakeup = try Wakeup()
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .read, token: token)
        try expectEqual(poller.wait(timeout: .zero), 0)
        wakeup.signal()
        for _ in 0..<2 {
            try expectEqual(poller.wait(timeout: nil), 1)
            expectEqual(poller.event(0).token, token)
            #expect(poller.event(0).readiness.allowsReading)
            #expect(!poller.event(0).readiness.hasEnded)
            #expect(!poller.event(0).readiness.contains(.writable))
        }
        wakeup.drain()
        try expectEqual(poller.wait(timeout: .zero), 0)
    }

    @Test func `An edge is told once`() throws {
        let wakeup = try Wakeup()
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .edgeRead, token: 1)
        wakeup.signal()
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        try expectEqual(poller.wait(timeout: .zero), 0)
        wakeup.signal()
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
    }

    @Test func `Room for output is told to whoever waits for it`() throws {
        let pair = Pair()
        let poller = try Poller()
        try poller.add(pair.near.raw, .edgeRead, token: 1)
        try expectEqual(poller.wait(timeout: .zero), 0)
        try poller.modify(pair.near.raw, .edgeReadWrite, token: 2)
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        expectEqual(poller.event(0).token, 2)
        expectEqual(poller.event(0).readiness, .writable)
        #expect(!poller.event(0).readiness.allowsReading)
        // Edge-triggered as well.
        try expectEqual(poller.wait(timeout: .zero), 0)
        try poller.modify(pair.near.raw, .write, token: 3)
        try expectEqual(poller.wait(timeout: .zero), 1)
        try expectEqual(poller.wait(timeout: .zero), 1)
    }

    @Test func `What is removed is told no more`() throws {
        let wakeup = try Wakeup()
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .read, token: 1)
        wakeup.signal()
        try poller.remove(wakeup.descriptor)
        try expectEqual(poller.wait(timeout: .zero), 0)
        #expect(throws: SystemError(call: "epoll_ctl", number: ENOENT)) {
            try poller.modify(wakeup.descriptor, .read, token: 1)
        }
    }

    @Test func `The end of the peer is told from the end of both`() throws {
        var pair = Pair()
        let poller = try Poller()
        try poller.add(pair.near.raw, .edgeRead, token: 1)
        shutdown(pair.far.raw, Int32(SHUT_WR))
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        let half = poller.event(0).readiness
        #expect(half.contains(.peerClosed) && half.hasEnded && half.allowsReading)
        #expect(!half.contains(.error))
        pair.far.close()
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        let whole = poller.event(0).readiness
        #expect(whole.hasEnded && whole.rawValue & hangUp != 0)
    }

    /// EPOLLHUP (epoll_ctl(2)).
    private let hangUp: UInt32 = 0x10

    /// A read yields the end or the error.
    @Test func `Every kind of end allows reading`() {
        for readiness in [.peerClosed, .error, Readiness(rawValue: hangUp)] {
            #expect(readiness.hasEnded && readiness.allowsReading)
        }
        #expect(!Readiness.writable.hasEnded && !Readiness.writable.allowsReading)
    }

    @Test func `One turn takes so many events, and the next one the rest`() throws {
        let wakeups = try (0..<3).map { _ in try Wakeup() }
        defer { withExtendedLifetime(wakeups) {} }
        let poller = try Poller(eventsMaximum: 2)
        for (index, wakeup) in wakeups.enumerated() {
            try poller.add(wakeup.descriptor, .edgeRead, token: UInt64(index))
            wakeup.signal()
        }
        var tokens: Set<UInt64> = []
        try expectEqual(poller.wait(timeout: .zero), 2)
        tokens = [poller.event(0).token, poller.event(1).token]
        try expectEqual(poller.waitPrecisely(timeout: .zero), 1)
        tokens.insert(poller.event(0).token)
        expectEqual(tokens, [0, 1, 2])
    }

    /// Without it all would wake for one connection.
    @Test func `Pollers that share a listener ask for the wake-up of one`() throws {
        let listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 4)
        let first = try Poller()
        let second = try Poller()
        try first.add(listener.raw, .shared, token: 1)
        try second.add(listener.raw, .shared, token: 1)
        let client = try Socket(for: listener.address)
        _ = client.connect(to: listener.address)
        _ = Waiting.wait(
            [.init(first.descriptor), .init(second.descriptor)], until: .now() + .seconds(30))
        #expect(try first.wait(timeout: .zero) + second.wait(timeout: .zero) > 0)
        // The kernel refuses to change such a registration (epoll_ctl(2)).
        #expect(throws: SystemError(call: "epoll_ctl", number: EINVAL)) {
            try first.modify(listener.raw, .read, token: 1)
        }
    }

    // MARK: Time

    /// A timer that is due in half a millisecond would find a loop that turns in vain.
    @Test(arguments: [Duration.microseconds(999), .microseconds(1999), .milliseconds(2)])
    func `A wait is never shorter than it was asked to be`(timeout: Duration) throws {
        let poller = try Poller()
        let start = MonotonicInstant.now()
        try expectEqual(poller.wait(timeout: timeout), 0)
        #expect(MonotonicInstant.now() - start >= timeout)
        let next = MonotonicInstant.now()
        try expectEqual(poller.waitPrecisely(timeout: timeout), 0)
        #expect(MonotonicInstant.now() - next >= timeout)
    }

    @Test func `Times beyond all bounds are no trouble`() throws {
        let wakeup = try Wakeup()
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .read, token: 1)
        // Below zero is none, not for ever.
        try expectEqual(poller.wait(timeout: .seconds(-5)), 0)
        try expectEqual(poller.waitPrecisely(timeout: .seconds(-5)), 0)
        wakeup.signal()
        try expectEqual(poller.wait(timeout: .seconds(Int64.max)), 1)
        try expectEqual(poller.waitPrecisely(timeout: .seconds(1_000_000_000)), 1)
    }

    #if FAULT_INJECTION
        @Test func `What fails is thrown, and a signal is no failure`() throws {
            defer { FaultInjection.disarm() }
            FaultInjection.arm(.epollCreate, number: EMFILE)
            #expect(throws: SystemError(call: "epoll_create1", number: EMFILE)) {
                _ = try Poller().descriptor
            }
            let wakeup = try Wakeup()
            let poller = try Poller()
            FaultInjection.arm(.epollControl, number: ENOSPC)
            #expect(throws: SystemError(call: "epoll_ctl", number: ENOSPC)) {
                try poller.add(wakeup.descriptor, .read, token: 1)
            }
            FaultInjection.arm(.epollWait, number: EINTR)
            try expectEqual(poller.wait(timeout: nil), 0)
            FaultInjection.arm(.epollWait, number: EINVAL)
            #expect(throws: SystemError(call: "epoll_wait", number: EINVAL)) {
                _ = try poller.wait(timeout: nil)
            }
        }
    #endif
}
