import Glibc
import Reactor

/// Tells the service manager how we are (`sd_notify(3)`): one datagram of `KEY=value` lines to the
/// Unix socket in `NOTIFY_SOCKET`. Small enough not to need libsystemd.
package struct ServiceNotifier: Sendable {
    /// A path, or `@name` in the abstract namespace; nil: nobody wants to know.
    private let address: String?
    /// How often `WATCHDOG=1` is due: half of what the manager waits, as `sd_watchdog_enabled(3)`
    /// advises. Nil: it does not watch.
    package let watchdogInterval: Duration?

    package init(environment: [String: String], process: Int32) {
        let named = environment["NOTIFY_SOCKET"] ?? ""
        address = named.hasPrefix("/") || named.hasPrefix("@") ? named : nil
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        if isForUs, let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        {
            watchdogInterval = .microseconds(microseconds / 2)
        } else {
            watchdogInterval = nil
        }
    }

    package func ready(status: String) { send(["READY=1", "STATUS=\(status)"]) }

    /// `Type=notify-reload` wants the time with it.
    package func reloading(monotonicNanoseconds: Int64) {
        send(["RELOADING=1", "MONOTONIC_USEC=\(monotonicNanoseconds / 1000)"])
    }

    package func tell(_ moment: ReloadMoment) {
        switch moment {
        case .begins: reloading(monotonicNanoseconds: MonotonicInstant.now().nanoseconds)
        case .ended: send(["READY=1"])
        }
    }

    package func stopping() { send(["STOPPING=1"]) }
    package func watchdog() { send(["WATCHDOG=1"]) }

    /// After an upgrade the new process is the service.
    package func mainProcess(_ process: Int32) { send(["MAINPID=\(process)"]) }

    private func send(_ lines: [String]) {
        guard let address else { return }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        guard path.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                // A manager that is gone does not matter to us.
                _ = sendto(
                    descriptor, message, message.count, Int32(MSG_NOSIGNAL), pointer,
                    length)
            }
        }
    }
}
