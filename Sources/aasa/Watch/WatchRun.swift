import AASAClient
import AASADevice
import AppSiteAssociation
import Reactor

/// The effects of watching: threads take the host that is due, look at it, and give what they saw
/// to its ``HostWatch``; what is news goes to the disk, to stdout and to the webhook.
///
/// Bounded by the number of threads: each looks at one host with ``probesAtOnce`` requests, and
/// every look ends by its deadline.
final class WatchRun: Sendable {
    /// Requests to one host at once: the document over two paths, or Apple's copy beside it.
    static let probesAtOnce = 2

    struct Host: Sendable {
        let target: CheckTarget
        var watch: HostWatch
        /// The last look at everything: what a brief look repeats as long as it sees the same.
        var full: (signature: String, observation: WatchObservation, at: Int64)?
        var summary = "not looked at yet"
    }

    struct State {
        var schedule: WatchSchedule
        var hosts: [Host]
        var reach: WatcherConnectivity
        var fullLooks = 0
        var briefLooks = 0
        var changes: [WatchChange.Kind: Int] = [:]
        /// The newest last.
        var latest: [WatchChange] = []
        var stateFailures = 0
        /// Hosts whose newest state is not on the disk.
        var unsaved: Set<String> = []
    }

    /// Shown on the status page.
    private static let latestMaximum = 50

    let settings: WatchSettings
    private let check: CheckSettings
    private let pool: ClientPool
    private let folder: WatchFolder?
    private let published: @Sendable (String) -> [UInt8]?
    let sender: WebhookSender?
    private let stop: WatchStop
    let started: Int64
    let state: Lock<State>

    init(
        _ targets: [CheckTarget], settings: WatchSettings, check: CheckSettings,
        folder: WatchFolder?, sender: WebhookSender?, stop: WatchStop,
        published: @escaping @Sendable (String) -> [UInt8]?
    ) {
        self.settings = settings
        self.check = check
        self.folder = folder
        self.sender = sender
        self.stop = stop
        self.published = published
        pool = ClientPool(resolver: check.resolver, stop: stop.wakeup)
        started = ClientOptions.now
        let hosts = targets.map { target in
            Host(
                target: target,
                watch: folder?.host(target.name) ?? HostWatch(host: target.name))
        }
        state = Lock(
            State(
                schedule: WatchSchedule(
                    count: hosts.count, interval: settings.interval * 1000,
                    now: Self.milliseconds()),
                hosts: hosts, reach: WatcherConnectivity(hosts: hosts.count)))
    }

    /// Of a clock that never goes back.
    static func milliseconds() -> Int64 { MonotonicInstant.now().nanoseconds / 1_000_000 }

    /// Looks until it is stopped. Called by each of the threads.
    func turn() {
        while true {
            let now = Self.milliseconds()
            let (index, due) = state.withLock { state in
                (state.schedule.next(now: now), state.schedule.nextDue)
            }
            if let index {
                look(index)
                if stop.isRaised { return }
                continue
            }
            // At least every second: another thread may have put something forward.
            let wait = min(1000, max(20, (due ?? now + 1000) - now))
            if stop.wait(milliseconds: wait) { return }
        }
    }

    // MARK: - One look

    private func look(_ index: Int) {
        let (target, known, isUnsure) = state.withLock { state in
            let host = state.hosts[index]
            return (host.target, host.full, host.watch.wantsConfirmation(settings))
        }
        var report: CheckReport?
        var observation: WatchObservation?
        let now = ClientOptions.now
        if let known, !isUnsure, now - known.at < settings.fullLook, now >= known.at {
            let brief = probe(target, isBrief: true)
            if stop.isRaised { return }
            if brief.briefSignature == known.signature {
                observation = known.observation
                report = brief
                // What was seen of the rest is as old as the last full look.
            }
        }
        let isBrief = observation != nil
        var signature: String?
        if observation == nil {
            let full = probe(target, isBrief: false)
            if stop.isRaised { return }
            observation = WatchObservation(full)
            signature = CheckReport(full.evidence.briefPart, check(now)).briefSignature
            report = full
        }
        guard var seen = observation, let report else { return }
        seen.published = published(target.host).flatMap { WatchedDocument($0) }
        take(index, seen, report.summary, signature, isBrief: isBrief)
    }

    private func check(_ now: Int64) -> CheckSettings {
        var settings = check
        settings.now = now
        return settings
    }

    private func probe(_ target: CheckTarget, isBrief: Bool) -> CheckReport {
        var settings = check(ClientOptions.now)
        settings.isBrief = isBrief
        var prober = HostProber(
            host: target.host, port: target.port, settings: settings, pool: pool,
            progress: { _ in })
        return CheckReport(prober.run(), settings)
    }

    private func take(
        _ index: Int, _ observation: WatchObservation, _ summary: String, _ signature: String?,
        isBrief: Bool
    ) {
        let now = ClientOptions.now
        let (changes, changed) = state.withLock { state -> ([WatchChange], HostWatch?) in
            if isBrief { state.briefLooks += 1 } else { state.fullLooks += 1 }
            let before = state.hosts[index].watch
            var changes: [WatchChange] = []
            let (news, counts) = state.reach.take(before.host, observation.depth, now: now)
            if let news { changes.append(news) }
            if counts {
                changes += state.hosts[index].watch.take(observation, now: now, settings)
            }
            if let signature {
                state.hosts[index].summary = summary
                state.hosts[index].full = (signature, observation, now)
            }
            for change in changes {
                state.changes[change.kind, default: 0] += 1
                state.latest.append(change)
            }
            state.latest.removeFirst(max(0, state.latest.count - Self.latestMaximum))
            // Told in the order in which it was found.
            for change in changes { Terminal.write(change.line) }
            var compared = before
            compared.lastLook = state.hosts[index].watch.lastLook
            let isSame =
                compared == state.hosts[index].watch && !state.unsaved.contains(before.host)
            return (changes, isSame ? nil : state.hosts[index].watch)
        }
        sender?.add(changes)
        if let changed { save(changed) }
        let soon = settings.confirmAfter * 1000
        state.withLock { state in
            let isUnsure = state.hosts[index].watch.wantsConfirmation(settings)
            state.schedule.finish(
                index, now: Self.milliseconds(), soon: isUnsure ? soon : nil)
        }
    }

    private func save(_ host: HostWatch) {
        guard let folder else { return }
        do {
            try folder.save(host)
            state.withLock { _ = $0.unsaved.remove(host.host) }
        } catch {
            let isFirst = state.withLock { state in
                state.stateFailures += 1
                return state.unsaved.insert(host.host).inserted && state.unsaved.count == 1
            }
            if isFirst {
                Terminal.note("aasa: \(error): what is known would be lost with the process")
            }
        }
    }
}
