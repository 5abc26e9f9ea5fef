import OpenSSL
import Reactor

/// Why a storm cannot run, or why what it was given is no part of one.
package struct StormProblem: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// Runs a storm: devices that arrive on schedule, simulated by a few generator threads.
package struct Storm: Sendable {
    package let configuration: StormConfiguration

    package init(_ configuration: StormConfiguration) {
        self.configuration = configuration
    }

    /// Runs the whole storm; returns when the last device has ended, or soon after
    /// ``StormProgress/stop()``.
    ///
    /// - Parameter everySecond: called about once per second with a progress line.
    /// - Throws: ``StormProblem`` if threads, pollers or TLS settings cannot be created.
    package func run(
        progress: StormProgress = StormProgress(), everySecond: (String) -> Void = { _ in }
    ) throws -> StormReport {
        // Threads start first, the storm a moment later, so that no thread starts late.
        let start = MonotonicInstant.now().advanced(byNanoseconds: 50_000_000)
        let results = (0..<configuration.threads).map { _ in ThreadResult() }
        var threads: [WorkerThread] = []
        do {
            for (number, result) in results.enumerated() {
                let configuration = configuration
                threads.append(
                    try WorkerThread(name: "storm-\(number)") {
                        result.fill {
                            let worker = try StormWorker(
                                number: number, configuration: configuration,
                                progress: progress, start: start)
                            try worker.run()
                            return worker.report
                        }
                    })
            }
        } catch {
            progress.stop()
            for thread in threads { thread.join() }
            throw StormProblem(description: "cannot start a generator thread: \(error)")
        }
        watch(results, progress, start, everySecond)
        for thread in threads { thread.join() }
        return try merge(results)
    }

    private func watch(
        _ results: [ThreadResult], _ progress: StormProgress, _ start: MonotonicInstant,
        _ everySecond: (String) -> Void
    ) {
        var next = start.advanced(byNanoseconds: 1_000_000_000)
        while results.contains(where: { !$0.isDone }) {
            CurrentProcess.sleep(.milliseconds(20))
            let now = MonotonicInstant.now()
            guard now >= next else { continue }
            next = next.advanced(byNanoseconds: 1_000_000_000)
            everySecond(
                progress.line(
                    devices: configuration.part.share(of: configuration.schedule.devices),
                    seconds: (now - start).inSeconds))
        }
    }

    private func merge(_ results: [ThreadResult]) throws -> StormReport {
        var report = StormReport()
        for result in results {
            switch result.value {
            case .success(let part): report.merge(part)
            case .failure(let error):
                throw StormProblem(description: "a generator thread failed: \(error)")
            case nil: throw StormProblem(description: "a generator thread ended without a report")
            }
        }
        report.host = configuration.target.host
        report.address = configuration.target.address.description
        report.path = configuration.target.path
        report.eraText = configuration.eras.text
        report.shape = configuration.schedule.name
        report.devices = configuration.part.share(of: configuration.schedule.devices)
        report.part = configuration.part
        report.seed = configuration.seed
        report.stormDevices = configuration.schedule.devices
        report.surgeSeconds = configuration.schedule.seconds
        report.patience = configuration.patience
        report.peakRate = configuration.schedule.peakRate
        report.threads = configuration.threads
        report.triesMaximum = configuration.tries
        report.checksCertificate = configuration.target.authorityFile != nil
        report.protocolName = configuration.http2 ? "HTTP/2" : "HTTP/1.1"
        return report
    }
}
