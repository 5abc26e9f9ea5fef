import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServiceNotifierTests {
    /// A datagram socket where systemd's would be.
    private func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        return descriptor
    }

    private func receive(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func everyStateIsTold() throws {
        let folder = try TemporaryFolder("notify")
        let descriptor = try listen(at: folder.path("s"))
        defer { close(descriptor) }
        let notifier = ServiceNotifier(
            environment: ["NOTIFY_SOCKET": folder.path("s")], process: 42)
        notifier.ready(status: "serving 2 hosts")
        #expect(receive(descriptor) == "READY=1\nSTATUS=serving 2 hosts")
        notifier.reloading(monotonicNanoseconds: 5_000_000)
        #expect(receive(descriptor) == "RELOADING=1\nMONOTONIC_USEC=5000")
        notifier.tell(.ended)
        #expect(receive(descriptor) == "READY=1")
        notifier.stopping()
        #expect(receive(descriptor) == "STOPPING=1")
        notifier.watchdog()
        #expect(receive(descriptor) == "WATCHDOG=1")
        notifier.mainProcess(7)
        #expect(receive(descriptor) == "MAINPID=7")
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
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "41"]) == nil)
        #expect(interval([:]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    }
}
