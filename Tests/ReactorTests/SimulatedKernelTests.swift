import TestSupport
import Testing

@testable import Reactor

#if FAULT_INJECTION
    @Suite struct SimulatedKernelTests {
        @Test func aSimulationTakesTheCallsOfItsThread() throws {
            let kernel = OneConnection()
            try Kernel.simulate(kernel) {
                expectEqual(MonotonicInstant.now(), kernel.now)
                let poller = try Poller()
                var listener = try ListeningSocket(adopting: Kernel.firstDescriptor)
                try poller.add(listener.raw, .read, token: 7)
                try expectEqual(poller.wait(timeout: .milliseconds(5)), 1)
                expectEqual(poller.event(0).token, 7)
                expectEqual(kernel.waited, 5)
                listener.setBacklog(3)
                expectEqual(listener.queue.waiting, 1)
                guard case .accepted(var socket, _) = listener.accept() else {
                    Issue.record("nobody came")
                    return
                }
                let queueIsEmpty = isEmpty(listener)
                #expect(queueIsEmpty)
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
                defer { bytes.deallocate() }
                expectEqual(socket.receive(into: bytes), .bytes(2))
                expectEqual(socket.send(UnsafeRawBufferPointer(bytes)), .bytes(3))
                let hasUnread = socket.hasUnreadBytes
                #expect(hasUnread)
                expectEqual(socket.unacknowledgedBytes, 3)
                expectEqual(socket.tcpInfo?.isWindowClosed, true)
                socket.acknowledgeAtOnce()
                socket.shutdownWrite()
                socket.abortOnClose()
                socket.close()
                listener.close()
                try poller.remove(Kernel.firstDescriptor)
            }
            expectEqual(
                kernel.calls,
                [
                    "watch", "backlog 3", "shutdown", "abort", "close 1", "close 0", "forget",
                ])
            #expect(MonotonicInstant.now() != kernel.now)
        }
    }

    private func isEmpty(_ listener: borrowing ListeningSocket) -> Bool {
        switch listener.accept() {
        case .wouldBlock: true
        case .accepted: false
        case .aborted: false
        case .exhausted: false
        case .failed: false
        }
    }

    /// One client in the queue.
    private final class OneConnection: SimulatedKernel {
        let now = MonotonicInstant(nanoseconds: 42)
        var calls: [String] = []
        var waited: Int32 = 0
        private(set) var queueLength = 1

        func wait(
            milliseconds: Int32, atMost: Int
        ) throws(SystemError) -> [(token: UInt64, readiness: Readiness)] {
            waited = milliseconds
            return [(7, .writable)]
        }

        func watch(_ descriptor: Int32, _ interest: Interest?, token: UInt64) {
            calls.append(interest == nil ? "forget" : "watch")
        }

        func accept() -> (descriptor: Int32, peer: SocketAddress)? {
            if queueLength == 0 { return nil }
            queueLength -= 1
            return (Kernel.firstDescriptor + 1, .v4(1, port: 2))
        }

        func setBacklog(_ backlog: Int) { calls.append("backlog \(backlog)") }

        func receive(
            _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
        ) -> IOOutcome { .bytes(2) }

        func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> IOOutcome {
            .bytes(bytes.count - 1)
        }

        func shutdownWrite(_ descriptor: Int32) { calls.append("shutdown") }
        func abortOnClose(_ descriptor: Int32) { calls.append("abort") }

        func close(_ descriptor: Int32) {
            calls.append("close \(descriptor - Kernel.firstDescriptor)")
        }

        func tcpInfo(_ descriptor: Int32) -> TCPInfo? {
            TCPInfo(
                isEstablished: true, sinceLastData: .zero, sinceLastSegment: .zero,
                isWindowClosed: true)
        }

        func hasUnreadBytes(_ descriptor: Int32) -> Bool { true }
        func unacknowledgedBytes(_ descriptor: Int32) -> Int { 3 }
    }
#endif
