import AASAClient
import AASADevice
import AASAServer
import OpenSSL
import Reactor

/// The wiring of `aasa check --watch`.
struct WatchCommand {
    let options: WatchOptions
    let targets: [CheckTarget]
    let check: CheckSettings
    /// Hosts looked at at once.
    let parallel: Int

    /// Watches until TERM or INT.
    /// - Throws: ``CommandError`` for what keeps it from beginning.
    func run(every seconds: Int) throws {
        if seconds < WatchOptions.secondsMinimum,
            let other = targets.first(where: {
                !self.check.resolver.isOverridden($0.host, $0.port)
            })
        {
            throw CommandError(
                "\(other.name) every \(seconds) s would be an attack", place: "--watch",
                remedy: "use \(WatchOptions.secondsMinimum) seconds or more; less is for hosts "
                    + "named by --resolve", status: .usage)
        }
        // Before the first thread: threads inherit the mask.
        let signals: Signals
        do {
            signals = try Signals(blocking: Signals.ending)
        } catch {
            throw CommandError(error.description)
        }
        let stop = try makeStop()
        let folder = try options.state.map { try WatchFolder($0) }
        var check = check
        check.probesAtOnce = WatchRun.probesAtOnce
        var sender: WebhookSender?
        if let url = options.receiver {
            sender = WebhookSender(url, try options.template(), check, folder, stop)
        }
        let run = WatchRun(
            targets, settings: WatchSettings(interval: Int64(seconds)), check: check,
            folder: folder, sender: sender, stop: stop, published: try publication())
        let admin = try listener(run)
        var threads = try start(run, sender)
        let text =
            "watching \(targets.count) host\(targets.count == 1 ? "" : "s"), each every "
            + "\(seconds) s"
        Terminal.note("aasa: " + text + (admin.map { "; http://\($0.address)/" } ?? ""))
        let notifier = ServiceNotifier(
            environment: CurrentProcess.environment, process: CurrentProcess.id)
        notifier.ready(status: text)
        Self.wait(for: signals, telling: notifier, of: run)
        notifier.stopping()
        stop.raise()
        admin?.stop()
        while let thread = threads.popLast() { thread.join() }
    }

    private func makeStop() throws -> WatchStop {
        do {
            return try WatchStop()
        } catch {
            throw CommandError(error.description)
        }
    }

    private func start(_ run: WatchRun, _ sender: WebhookSender?) throws -> [WorkerThread] {
        var threads: [WorkerThread] = []
        do throws(SystemError) {
            for number in 0..<min(parallel, targets.count) {
                threads.append(try WorkerThread(name: "watch-\(number)") { run.turn() })
            }
            if let sender { threads.append(try WorkerThread(name: "webhook") { sender.run() }) }
        } catch {
            throw CommandError(
                error.description, remedy: "watch fewer hosts at once with --parallel")
        }
        return threads
    }

    private func listener(_ run: WatchRun) throws -> AdminServer? {
        guard let text = options.admin, let address = SocketAddress(parsing: text) else {
            return nil
        }
        var token: AdminTokenFile?
        if let file = options.adminTokenFile {
            token = try AdminTokenFile(path: file)
        }
        if !address.isLoopback, !address.isUnix, token == nil {
            throw CommandError(
                "other machines reach this address", place: "--admin \(text)",
                remedy: "use a loopback address, or set --admin-token-file", status: .usage)
        }
        do {
            return try AdminServer(on: address, answers: WatchAnswers(run: run), tokenFile: token)
        } catch {
            throw CommandError(
                error.description, place: "--admin \(text)", remedy: "choose another address")
        }
    }

    /// What the site's folder publishes for a host, its aliases included, read anew at each look.
    private func publication() throws -> @Sendable (String) -> [UInt8]? {
        guard let site = options.site else { return { _ in nil } }
        var names: [String: String] = [:]
        for host in try SiteFolder.read(site).hosts {
            names[host.name] = host.name
            for alias in host.settings.aliases { names[alias.name] = host.name }
        }
        let folders = names
        let unknown = targets.map(\.host).filter { folders[$0] == nil }
        if !unknown.isEmpty {
            Terminal.note(
                "aasa: \(site) has no folder for \(unknown.prefix(5).joined(separator: ", "))"
                    + (unknown.count > 5 ? " and \(unknown.count - 5) more" : "")
                    + ": nobody knows what is published there")
        }
        return { host in
            guard let folder = folders[host] else { return nil }
            return HostInput("\(site)/\(folder)")?.build().document?.json
        }
    }

    private static func wait(
        for signals: borrowing Signals, telling notifier: ServiceNotifier, of run: WatchRun
    ) {
        while true {
            let end = notifier.watchdogInterval.map { MonotonicInstant.now() + $0 }
            _ = Waiting.wait([.init(signals.descriptor)], until: end ?? .distantFuture)
            if signals.next() != nil { return }
            // Whoever hangs with the lock of all looks keeps this from being said.
            if run.state.withLock({ !$0.hosts.isEmpty }) { notifier.watchdog() }
        }
    }
}
