package import Reactor

/// Reports the server's state to the service manager (`sd_notify(3)`): one datagram of `KEY=value`
/// lines to the Unix socket in `NOTIFY_SOCKET`. Small enough not to need libsystemd.
package struct ServiceNotifier: Sendable {
    /// A path, or `@name` in the abstract namespace; nil: no service manager wants reports.
    private let address: String?
    /// How often `WATCHDOG=1` is due: half of the manager's timeout, as `sd_watchdog_enabled(3)`
    /// advises. Nil: the manager has no watchdog.
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

    /// The start waits for something that comes in its own time: the manager should not give up
    /// within `limit`.
    package func starting(within limit: Duration, status: String) {
        send(["EXTEND_TIMEOUT_USEC=\(limit.inNanoseconds / 1000)", "STATUS=\(status)"])
    }

    /// - Parameter now: `Type=notify-reload` requires the time at which a reload begins.
    package func tell(_ moment: ReloadPhase, now: MonotonicInstant = .now()) {
        switch moment {
        case .begins: send(["RELOADING=1", "MONOTONIC_USEC=\(now.nanoseconds / 1000)"])
        case .ended: send(["READY=1"])
        }
    }

    /// - Parameter limit: the time that stopping takes at most, whatever the unit's
    ///   `TimeoutStopSec=` is; nil: not longer than that.
    package func stopping(within limit: Duration? = nil) {
        let extended = limit.map { ["EXTEND_TIMEOUT_USEC=\($0.inNanoseconds / 1000)"] }
        send(["STOPPING=1"] + (extended ?? []))
    }

    package func watchdog() { send(["WATCHDOG=1"]) }

    /// After an upgrade the new process is the main process of the service.
    package func mainProcess(_ process: Int32) { send(["MAINPID=\(process)"]) }

    private func send(_ lines: [String]) {
        guard let address else { return }
        // An error is ignored: the server also runs without the manager.
        LocalDatagram.send(Array(lines.joined(separator: "\n").utf8), to: address)
    }
}
