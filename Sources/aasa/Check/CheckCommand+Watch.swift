import AASADevice
import AASAServer
import AppSiteAssociation
import Reactor

/// The wiring of `aasa check --watch`.
extension CheckCommand {
    /// Watches until TERM or INT.
    /// - Throws: ``CommandError`` for what keeps it from beginning.
    func watch(_ targets: [CheckTarget], every seconds: Int) throws {
        var check = settings(targets.count)
        check.probesAtOnce = WatchRun.probesAtOnce
        if seconds < WatchOptions.secondsMinimum,
            let other = targets.first(where: {
                !check.phone.resolver.isOverridden($0.host, $0.port)
            })
        {
            throw CommandError(
                "\(other.name) every \(seconds) s is too often", place: "--watch",
                remedy: "use \(WatchOptions.secondsMinimum) seconds or more; less is for hosts "
                    + "named by --resolve", status: .usage)
        }
        // Before the first thread: threads inherit the mask.
        let signals = try Signals(blocking: Signals.ending)
        let threads = try StoppableThreads()
        let run = try WatchRun(
            targets, interval: Int64(seconds), check: check, format: format, threads: threads)
        let admin = try watching.listener(run)
        do throws(SystemError) {
            for number in 0..<min(parallel ?? 32, targets.count) {
                try threads.start(name: "watch-\(number)") { run.turn() }
            }
        } catch {
            throw CommandError(
                error.description, remedy: "watch fewer hosts at once with --parallel")
        }
        let text = "watching \(counted(targets.count, "host")), each every \(seconds) s"
        Terminal.note("aasa: " + text + (admin.map { "; http://\($0.address)/metrics" } ?? ""))
        let notifier = ServiceNotifier(
            environment: CurrentProcess.environment, process: CurrentProcess.id)
        notifier.ready(status: text)
        Self.wait(for: signals, telling: notifier, of: run)
        notifier.stopping()
        threads.raise()
        admin?.stop()
        threads.stop()
    }

    private static func wait(
        for signals: borrowing Signals, telling notifier: ServiceNotifier, of run: WatchRun
    ) {
        while true {
            let end = notifier.watchdogInterval.map { MonotonicInstant.now() + $0 }
            _ = Waiting.wait([.init(signals.descriptor)], until: end ?? .distantFuture)
            if signals.next() != nil { return }
            // A thread that hangs with the lock of all hosts keeps this from being said.
            if run.state.withLock({ !$0.hosts.isEmpty }) { notifier.watchdog() }
        }
    }
}

extension WatchOptions {
    fileprivate func listener(_ run: WatchRun) throws -> AdminServer? {
        guard let text = admin, let address = SocketAddress(parsing: text) else { return nil }
        let token = try adminTokenFile.map { try AdminTokenFile(path: $0) }
        if !address.isLoopback, !address.isUnix, token == nil {
            throw CommandError(
                "other machines reach this address", place: "--admin \(text)",
                remedy: "use a loopback address, or set --admin-token-file", status: .usage)
        }
        do {
            return try AdminServer(on: address, tokenFile: token, answers: run.response(to:))
        } catch {
            throw CommandError(
                error.description, place: "--admin \(text)", remedy: "choose another address")
        }
    }
}
