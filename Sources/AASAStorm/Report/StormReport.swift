package import AASADevice

/// The result of a storm: the sum of all generator threads.
package struct StormReport: Sendable {
    package var host = ""
    package var address = ""
    /// Empty: each era's own paths.
    package var path = ""
    /// The mix of eras as written on the command line.
    package var eraText = ""
    package var shape = ""
    package var devices = 0
    /// The number of the whole storm, of which this may be a part.
    package var stormDevices = 0
    package var part = StormPart.whole
    package var seed: UInt64 = 1
    /// Inconsistencies found in merging parts: a missing one, clocks that differ.
    package var partNotes: [String] = []
    package var surgeSeconds = 0.0
    package var patience: [Double] = []
    package var protocolName = ""
    /// The peak arrival rate per second.
    package var peakRate = 0.0
    package var threads = 1
    package var triesMaximum = 1
    package var checksCertificate = false
    /// The start by this machine's clock, in milliseconds since 1970; 0: unknown.
    package var startedAtMilliseconds: Int64 = 0
    package var seconds = 0.0

    /// How each device ended (its last try).
    package var outcomes: [DeviceOutcome: Int] = [:]
    /// How the devices of each era ended.
    package var eras: [Era: DeviceCount] = [:]
    /// Tries started, first ones and retries.
    package var tries = 0
    package var handshakes = 0
    package var resumed = 0
    package var bytesReceived: UInt64 = 0
    /// Status codes as received, of all tries.
    package var statuses: [Int: Int] = [:]
    package var timeline = StormTimeline()
    /// Latency of the answers with 200.
    package var associatedLatency = LatencyRecorder()
    /// Latency of the answers with 500–599.
    package var unavailableLatency = LatencyRecorder()
    /// How late the generator was with each try: in starting it or in handling its events.
    package var lag = LatencyRecorder()
    /// CPU seconds of the generator.
    package var generatorCPU = 0.0
    package var interrupted = false

    package init() {}

    /// Counts a device that ended.
    mutating func ended(_ outcome: DeviceOutcome, _ era: Era) {
        outcomes[outcome, default: 0] += 1
        eras[era, default: DeviceCount()].ended(outcome)
    }

    /// The eras that took part, oldest first.
    package var erasInOrder: [(era: Era, count: DeviceCount)] {
        Era.allCases.compactMap { era in eras[era].map { (era, $0) } }
    }

    package func count(_ outcome: DeviceOutcome) -> Int { outcomes[outcome] ?? 0 }
    package var associated: Int { count(.associated) }
    package var willRetry: Int { count(.willRetry) }
    package var denied: Int { denials.reduce(0) { $0 + $1.count } }
    package var failed: Int {
        outcomes.reduce(0) { sum, entry in
            if case .failed = entry.key { return sum + entry.value }
            return sum
        }
    }
    package var ended: Int { associated + willRetry + denied + failed }

    /// Denials by kind, the most frequent first.
    package var denials: [(kind: Denial, count: Int)] {
        Denial.allCases
            .map { ($0, count(.denied($0))) }
            .filter { $0.1 > 0 }
            .sorted { $0.1 > $1.1 }
    }

    /// Failures by reason, the most frequent first.
    package var failures: [(reason: FailureReason, count: Int)] {
        FailureReason.allCases
            .map { ($0, count(.failed($0))) }
            .filter { $0.1 > 0 }
            .sorted { $0.1 > $1.1 }
    }

    /// Whether the generator was the limit: over 100 ms late for one try in a hundred, or unable to
    /// start some. Then the figures say more about the generator than about the server.
    package var generatorWasTheLimit: Bool {
        lag.seconds(atPercentile: 99) > 0.1 || count(.failed(.generator)) > 0
    }

    /// The rating of a result.
    package enum Mood: String, Sendable { case good, mixed, bad }

    /// Good: every device is associated. Mixed: every device was answered, some must retry. Bad: a
    /// device was not answered, or was denied.
    package var mood: Mood {
        everyDeviceWasAnswered ? (willRetry == 0 ? .good : .mixed) : .bad
    }

    /// Whether every device was associated or told to retry.
    package var everyDeviceWasAnswered: Bool {
        denied == 0 && failed == 0 && ended == devices && partNotes.isEmpty
    }

    /// The first sentence.
    package var verdict: String {
        func share(_ part: Int) -> String { Percent.text(part, of: devices) }
        if let note = partNotes.first { return note }
        if interrupted {
            return "Interrupted after \(Decimal.count(ended)) of \(Decimal.count(devices)) devices."
        }
        if everyDeviceWasAnswered && willRetry == 0 {
            return "All \(Decimal.count(devices)) devices were associated."
        }
        if everyDeviceWasAnswered {
            return
                "Every device was answered: \(share(associated)) associated, \(share(willRetry)) will ask again (503)."
        }
        // What befell more of them comes first.
        let associated = "\(share(associated)) were associated."
        let failures =
            "\(Decimal.count(failed)) of \(Decimal.count(devices)) devices (\(share(failed))) failed; "
        guard let first = denials.first else { return failures + associated }
        let more = denials.count > 1 ? " (\(Decimal.count(first.count)) of them)" : ""
        let reason = "denied: \(first.kind.explanation)\(more)"
        guard failed > denied else {
            return "\(Decimal.count(denied)) devices (\(share(denied))) were \(reason)"
                + (failed > 0 ? "; \(Decimal.count(failed)) failed." : ".")
        }
        return failures + "\(Decimal.count(denied)) were \(reason); " + associated
    }

    var patienceText: String {
        patience.map { "\(Decimal.text($0, $0 == $0.rounded() ? 0 : 1)) s" }
            .joined(separator: ", ")
    }

    /// What was verified of the server's certificate, in words.
    package var checkText: String {
        if !checksCertificate { return "not checked (no --cacert)" }
        return "checked in every handshake"
    }

    /// Adds the report of another generator thread.
    package mutating func merge(_ other: StormReport) {
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        eras.merge(other.eras, uniquingKeysWith: +)
        tries += other.tries
        handshakes += other.handshakes
        resumed += other.resumed
        bytesReceived += other.bytesReceived
        statuses.merge(other.statuses, uniquingKeysWith: +)
        timeline.merge(other.timeline)
        associatedLatency.merge(other.associatedLatency)
        unavailableLatency.merge(other.unavailableLatency)
        lag.merge(other.lag)
        generatorCPU += other.generatorCPU
        interrupted = interrupted || other.interrupted
        seconds = max(seconds, other.seconds)
    }
}

/// Formats percentages.
package enum Percent {
    /// `part` of `whole` with two decimals; never rounds up to 100.
    package static func text(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let hundredths = part * 10_000 / whole
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) %"
    }
}
