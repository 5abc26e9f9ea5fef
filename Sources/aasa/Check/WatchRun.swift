import AASAClient
import AASADevice
import AASAServer
import AppSiteAssociation
import Reactor

/// The effects of watching: threads take the host that is due, check it, and give what they saw to
/// its ``HostWatch``; changes go to stdout.
///
/// Bounded by the number of threads: each checks one host with ``probesAtOnce`` requests, and every
/// check ends by its deadline.
final class WatchRun: Sendable {
    /// Requests to one host at once: the document over two paths, or Apple's copy beside it.
    static let probesAtOnce = 2

    struct State {
        var schedule: WatchSchedule
        var hosts: [HostWatch]
        var looks = 0
        var changes: [WatchChange.Kind: Int] = [:]
    }

    private let targets: [CheckTarget]
    private let check: CheckSettings
    private let format: OutputFormat
    private let client: HTTPClient
    private let threads: StoppableThreads
    let state: Lock<State>

    /// - Parameter interval: seconds between two checks of a host.
    init(
        _ targets: [CheckTarget], interval: Int64, check: CheckSettings,
        format: OutputFormat, threads: StoppableThreads
    ) throws {
        self.targets = targets
        self.check = check
        self.format = format
        self.threads = threads
        client = try HTTPClient(resolver: check.phone.resolver, stop: threads.wakeup)
        state = Lock(
            State(
                schedule: WatchSchedule(
                    count: targets.count, interval: interval * 1000, now: Self.milliseconds()),
                hosts: targets.map { HostWatch(host: $0.name) }))
    }

    /// Of a clock that never goes back.
    static func milliseconds() -> Int64 { MonotonicInstant.now().nanoseconds / 1_000_000 }

    /// Checks until it is stopped. Called by each of the threads.
    func turn() {
        while true {
            let now = Self.milliseconds()
            let (index, due) = state.withLock { state in
                (state.schedule.next(now: now), state.schedule.nextDue)
            }
            if let index {
                look(index)
                if threads.isStopping { return }
                continue
            }
            // At least every second: another thread may have finished a check.
            let wait = min(1000, max(20, (due ?? now + 1000) - now))
            threads.wait(within: .milliseconds(wait))
            if threads.isStopping { return }
        }
    }

    private func look(_ index: Int) {
        var settings = check
        settings.now = WallClock.seconds
        let report = targets[index].report(settings, client) { _ in }
        // What was cut off by the end says nothing about the host.
        if threads.isStopping { return }
        let observation = WatchObservation(report)
        state.withLock { state in
            state.looks += 1
            // Printed in the order in which they were found.
            for change in state.hosts[index].take(observation, now: WallClock.seconds) {
                state.changes[change.kind, default: 0] += 1
                switch format {
                case .text: Terminal.print(lines: change.text)
                case .json: Terminal.write(JSONWriter.minified(change.json) + [0x0A])
                }
            }
            state.schedule.finish(index, now: Self.milliseconds())
        }
    }
}
