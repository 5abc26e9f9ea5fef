import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServiceNotifierTests {
    @Test func everyStateIsTold() throws {
        let folder = try TemporaryFolder("notify")
        let socket = try NotifySocket(folder.path("s"))
        let notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": folder.path("s")], process: 42)
        notifier.ready(status: "serving 2 hosts")
        expectEqual(socket.next(), "READY=1\nSTATUS=serving 2 hosts")
        notifier.tell(.begins, now: MonotonicInstant(nanoseconds: 5_000_000))
        expectEqual(socket.next(), "RELOADING=1\nMONOTONIC_USEC=5000")
        notifier.tell(.ended)
        expectEqual(socket.next(), "READY=1")
        notifier.stopping(within: .seconds(15))
        expectEqual(socket.next(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=15000000")
        notifier.watchdog()
        expectEqual(socket.next(), "WATCHDOG=1")
        notifier.mainProcess(7)
        expectEqual(socket.next(), "MAINPID=7")
    }

    /// The queue of a Unix socket holds some ten datagrams (net.unix.max_dgram_qlen): what comes
    /// after that is lost, and the loop goes on.
    @Test func aManagerThatDoesNotReadHoldsNobody() throws {
        let folder = try TemporaryFolder("notify")
        let socket = try NotifySocket(folder.path("s"))
        let notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": folder.path("s")], process: 42)
        let queue = try #require(
            Int(
                String(
                    decoding: try Files.read("/proc/sys/net/unix/max_dgram_qlen", limit: 64),
                    as: UTF8.self
                ).filter(\.isNumber)))
        for _ in 0..<min(queue, 600) + 3 { notifier.watchdog() }
        let told = socket.received()
        #expect(!told.isEmpty && told.count < queue + 3)
        notifier.stopping()
        expectEqual(socket.next(), "STOPPING=1")
    }

    @Test func withoutASocketNothingHappens() {
        ServiceNotifier(environment: [:], process: 42).ready(status: "")
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere"], process: 42).ready(status: "")
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "tcp:1"], process: 42).ready(status: "")
    }

    @Test func theWatchdogIsFedInHalfItsTime() {
        func interval(_ environment: [String: String]) -> Duration? {
            ServiceNotifier(environment: environment, process: 42).watchdogInterval
        }
        expectEqual(interval(["WATCHDOG_USEC": "30000000"]), .seconds(15))
        expectEqual(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]), .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "41"]) == nil)
        #expect(interval([:]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    }
}
