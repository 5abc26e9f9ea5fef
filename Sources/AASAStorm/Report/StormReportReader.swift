import AASADevice
import AppSiteAssociation

/// Parses the format of ``StormReport/json``.
///
/// A report was on its way through other machines and hands: every number is checked against what
/// a storm can have, so that sums and percentages of many parts stay numbers.
struct StormReportReader {
    /// Devices times the tries of each: more events no storm has.
    private static let eventsMaximum = StormConfiguration.mostDevices * 8
    /// Events times the largest document that is served (16 MB, generously): 2^50 are enough.
    private static let bytesMaximum = 1 << 50
    /// The year 2286, in milliseconds.
    private static let momentMaximum = 10_000_000_000_000

    private(set) var report = StormReport()

    init(_ root: JSONValue) throws(StormProblem) {
        guard let part = root["part"]?.string,
            let parsed = StormPart(parsing: part, jobIndex: nil),
            let histograms = root["histograms"], let timeline = root["timeline"],
            root["devices"] != nil
        else {
            throw StormProblem(description: "this is not a report of `aasa storm --format json`")
        }
        report.part = parsed
        try readConditions(root)
        try readCounts(root)
        try readOutcomes(root)
        report.associatedLatency = try Self.recorder(histograms, "latency200")
        report.unavailableLatency = try Self.recorder(histograms, "latency503")
        report.lag = try Self.recorder(histograms, "generatorLag")
        report.timeline = try Self.timeline(timeline)
        report.partNotes = root["partNotes"]?.strings ?? []
    }

    private mutating func readConditions(_ root: JSONValue) throws(StormProblem) {
        report.host = root["host"]?.string ?? ""
        report.address = root["address"]?.string ?? ""
        report.path = root["path"]?.string ?? ""
        report.protocolName = root["protocol"]?.string ?? ""
        report.shape = root["shape"]?.string ?? ""
        report.eraText = root["era"]?.string ?? ""
        report.seed = root["seed"]?.string.flatMap { UInt64($0) } ?? 0
        report.interrupted = root["interrupted"]?.bool ?? false
        report.checksCertificate = root["certificateChecked"]?.bool ?? false
        for value in root["patienceSeconds"]?.array ?? [] {
            report.patience.append(try Self.double(value, "patienceSeconds"))
        }
        report.startedAtMilliseconds = Int64(
            try Self.integer(root, "startedAtMilliseconds", maximum: Self.momentMaximum))
        report.surgeSeconds = try Self.double(root["surgeSeconds"], "surgeSeconds")
        report.peakRate = try Self.double(
            root["peakRate"], "peakRate", maximum: Double(Self.eventsMaximum) * 1000)
        report.threads = try Self.integer(root, "threads", maximum: 64_000)
        // Reports of earlier versions do not have this.
        if root["triesMaximum"] != nil {
            report.triesMaximum = try Self.integer(root, "triesMaximum", maximum: 8)
        }
    }

    private mutating func readCounts(_ root: JSONValue) throws(StormProblem) {
        report.devices = try Self.integer(
            root, "devices", maximum: StormConfiguration.mostDevices)
        report.stormDevices = try Self.integer(
            root, "stormDevices", maximum: StormConfiguration.mostDevices)
        report.seconds = try Self.double(root["seconds"], "seconds")
        report.generatorCPU = try Self.double(
            root["generatorCPUSeconds"], "generatorCPUSeconds",
            maximum: StormConfiguration.longestStorm * 64_000)
        report.tries = try Self.integer(root, "tries")
        report.handshakes = try Self.integer(root, "handshakes")
        report.resumed = try Self.integer(root, "resumed")
        report.bytesReceived = UInt64(
            try Self.integer(root, "bytesReceived", maximum: Self.bytesMaximum))
        for member in root["statuses"]?.members ?? [] {
            guard let status = Int(member.key) else { continue }
            report.statuses[status] = try Self.integer(member.value, in: member.key)
        }
    }

    private mutating func readOutcomes(_ root: JSONValue) throws(StormProblem) {
        report.outcomes[.associated] = try Self.integer(root, "associated")
        report.outcomes[.willRetry] = try Self.integer(root, "willRetry")
        for member in root["denials"]?.members ?? [] {
            guard let kind = Denial(rawValue: member.key) else { continue }
            report.outcomes[.denied(kind)] = try Self.integer(member.value, in: member.key)
        }
        for member in root["failures"]?.members ?? [] {
            guard let reason = FailureReason(rawValue: member.key) else { continue }
            report.outcomes[.failed(reason)] = try Self.integer(member.value, in: member.key)
        }
        report.outcomes = report.outcomes.filter { $0.value > 0 }
        for member in root["eras"]?.members ?? [] {
            guard let era = Era(rawValue: member.key) else { continue }
            var count = DeviceCount()
            for (name, path) in DeviceCount.members {
                count[keyPath: path] = try Self.integer(member.value, name)
            }
            report.eras[era] = count
        }
    }

    private static func recorder(
        _ histograms: JSONValue, _ name: String
    ) throws(StormProblem) -> LatencyRecorder {
        var recorder = LatencyRecorder()
        for pair in histograms[name]?.array ?? [] {
            guard let values = pair.array, values.count == 2 else {
                throw StormProblem(
                    description: "\"\(name)\" is not a list of microseconds and counts")
            }
            let value = try integer(values[0], in: name, maximum: bytesMaximum)
            let count = try integer(values[1], in: name)
            guard count > 0 else { continue }
            recorder.record(microseconds: UInt64(value), count: UInt64(count))
        }
        return recorder
    }

    private static func timeline(_ object: JSONValue) throws(StormProblem) -> StormTimeline {
        var seconds: [StormTimeline.Second] = []
        func column(
            _ name: String,
            _ body: (inout StormTimeline.Second, JSONValue) throws(StormProblem) -> Void
        ) throws(StormProblem) {
            for (index, value) in (object[name]?.array ?? []).enumerated() {
                guard index < StormTimeline.mostSeconds else { break }
                if index == seconds.count { seconds.append(StormTimeline.Second()) }
                try body(&seconds[index], value)
            }
        }
        for (name, path) in StormTimeline.Second.members {
            try column(name) { second, value throws(StormProblem) in
                second[keyPath: path] = try integer(value, in: name)
            }
        }
        try column("lag") { second, value throws(StormProblem) in
            second.lag = Int64(try double(value, "lag") * 1e9)
        }
        return StormTimeline(seconds: seconds)
    }

    // MARK: Numbers

    /// A member that is absent counts as 0, as in reports of earlier versions.
    private static func integer(
        _ object: JSONValue, _ name: String, maximum: Int = eventsMaximum
    ) throws(StormProblem) -> Int {
        guard let value = object[name] else { return 0 }
        return try integer(value, in: name, maximum: maximum)
    }

    private static func integer(
        _ value: JSONValue, in name: String, maximum: Int = eventsMaximum
    ) throws(StormProblem) -> Int {
        guard let number = value.integer.map(Int.init), (0...maximum).contains(number) else {
            throw StormProblem(
                description: "\"\(name)\" is not a whole number from 0 to \(maximum)")
        }
        return number
    }

    /// Seconds, unless said otherwise; an absent value counts as 0.
    private static func double(
        _ value: JSONValue?, _ name: String,
        maximum: Double = StormConfiguration.longestStorm * 2
    ) throws(StormProblem) -> Double {
        guard let value else { return 0 }
        guard case .number(let text) = value.kind, let number = Double(text),
            (0...maximum).contains(number)
        else {
            throw StormProblem(
                description: "\"\(name)\" is not a number from 0 to \(Decimal.text(maximum, 0))")
        }
        return number
    }
}
