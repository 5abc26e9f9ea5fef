import AASADevice
import AppSiteAssociation

/// Merges the reports of several generators.
///
/// Counts are added, histograms are added bucket by bucket, and percentiles are computed once from
/// the sum: an average of percentiles is meaningless. Inconsistent parts (missing or duplicate,
/// with another seed, or clocks that differ) are reported in ``StormReport/partNotes``, with which
/// the verdict begins.
extension StormReport {
    /// Why a file is not a part of a storm.
    package struct PartProblem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The largest difference between the starts of parts of one storm: a tenth of the timeline's
    /// second.
    static let startTolerance: Int64 = 100

    /// Parses the format of ``json``.
    package init(partJSON bytes: [UInt8], name: String) throws(PartProblem) {
        let root: JSONValue
        do {
            root = try JSONReader.read(SourceText(name: name, bytes: bytes)).root
        } catch {
            throw PartProblem(description: "\(name):\(error.position): \(error.message)")
        }
        guard let reader = PartReader(root) else {
            throw PartProblem(
                description: "\(name): this is no report of `aasa storm --format json`")
        }
        self = reader.report
    }

    /// - Parameter parts: at least one.
    package static func merged(_ parts: [StormReport]) -> StormReport {
        guard var sum = parts.first else { return StormReport() }
        sum.partNotes = notes(parts)
        let whole = sum.stormDevices
        sum.devices = parts.reduce(0) { $0 + $1.devices }
        for part in parts.dropFirst() {
            sum.merge(part)
            sum.threads += part.threads
        }
        // The devices of a missing part count as never simulated.
        sum.devices = max(sum.devices, whole)
        sum.part = .whole
        sum.startedAtMilliseconds = parts.map(\.startedAtMilliseconds).min() ?? 0
        return sum
    }

    private static func notes(_ parts: [StormReport]) -> [String] {
        guard let first = parts.first else { return [] }
        var notes: [String] = []
        let count = first.part.count
        let alike = parts.allSatisfy {
            $0.part.count == count && $0.seed == first.seed && $0.host == first.host
                && $0.shape == first.shape && $0.stormDevices == first.stormDevices
                && $0.surgeSeconds == first.surgeSeconds && $0.eraText == first.eraText
                && $0.patience == first.patience
        }
        if !alike {
            notes.append("These are parts of different storms: their figures do not add up.")
        }
        let indices = parts.map(\.part.index)
        let missing = Set(0..<count).subtracting(indices).sorted().map { "\($0 + 1)" }
        if !missing.isEmpty {
            notes.append(
                "Of \(count) parts, these are missing: \(missing.joined(separator: ", ")).")
        }
        if Set(indices).count < indices.count {
            notes.append("A part is there twice: its devices are counted twice.")
        }
        let starts = parts.map(\.startedAtMilliseconds).filter { $0 > 0 }
        if let earliest = starts.min(), let latest = starts.max(),
            latest - earliest > startTolerance
        {
            notes.append(
                "The parts began \(Decimal.text(Double(latest - earliest) / 1000, 3)) s apart by "
                    + "their clocks: together they are not the storm that was planned.")
        }
        let limited = parts.filter(\.generatorWasTheLimit).map(\.part.text)
        if !limited.isEmpty {
            notes.append(
                "The generator was the limit in part \(limited.joined(separator: ", ")).")
        }
        return notes
    }
}

/// Parses a part's JSON.
private struct PartReader {
    var report = StormReport()

    init?(_ root: JSONValue) {
        guard let part = root["part"]?.string,
            let parsed = StormPart(parsing: part, jobIndex: nil),
            let histograms = root["histograms"], let timeline = root["timeline"],
            let devices = Self.integer(root["devices"])
        else { return nil }
        report.part = parsed
        report.devices = devices
        text(root)
        counts(root)
        report.associatedLatency = Self.recorder(histograms["latency200"])
        report.unavailableLatency = Self.recorder(histograms["latency503"])
        report.lag = Self.recorder(histograms["generatorLag"])
        report.timeline = Self.timeline(timeline)
        report.partNotes = root["partNotes"]?.array?.compactMap(\.string) ?? []
    }

    private mutating func text(_ root: JSONValue) {
        report.host = root["host"]?.string ?? ""
        report.address = root["address"]?.string ?? ""
        report.path = root["path"]?.string ?? ""
        report.protocolName = root["protocol"]?.string ?? ""
        report.shape = root["shape"]?.string ?? ""
        report.eraText = root["era"]?.string ?? ""
        report.seed = root["seed"]?.string.flatMap { UInt64($0) } ?? 0
        report.interrupted = root["interrupted"]?.bool ?? false
        report.usesLightClient = root["client"]?.string == "light"
        report.checksCertificate = root["certificateChecked"]?.bool ?? false
        report.patience = root["patienceSeconds"]?.array?.compactMap(Self.double) ?? []
    }

    private mutating func counts(_ root: JSONValue) {
        func integer(_ name: String) -> Int { Self.integer(root[name]) ?? 0 }
        report.stormDevices = integer("stormDevices")
        report.startedAtMilliseconds = Int64(integer("startedAtMilliseconds"))
        report.startedAt = report.startedAtMilliseconds / 1000
        report.surgeSeconds = Self.double(root["surgeSeconds"]) ?? 0
        report.peakRate = Self.double(root["peakRate"]) ?? 0
        report.seconds = Self.double(root["seconds"]) ?? 0
        report.generatorCPU = Self.double(root["generatorCPUSeconds"]) ?? 0
        report.threads = integer("threads")
        report.tries = integer("tries")
        report.handshakes = integer("handshakes")
        report.resumed = integer("resumed")
        report.bytesReceived = UInt64(max(0, integer("bytesReceived")))
        if let light = root["light"] {
            func count(_ name: String) -> Int { Self.integer(light[name]) ?? 0 }
            report.light.handshakes = count("handshakes")
            report.light.chainsChecked = count("chainsChecked")
            report.light.signaturesChecked = count("signaturesChecked")
            report.light.needsMore = count("needsMore")
        }
        for member in root["statuses"]?.members ?? [] {
            if let status = Int(member.key), let count = Self.integer(member.value) {
                report.statuses[status] = count
            }
        }
        report.outcomes = [
            .associated: integer("associated"), .willRetry: integer("willRetry"),
        ].filter { $0.value > 0 }
        for member in root["denials"]?.members ?? [] {
            if let kind = Denial(rawValue: member.key), let count = Self.integer(member.value) {
                report.outcomes[.denied(kind)] = count
            }
        }
        for member in root["failures"]?.members ?? [] {
            if let reason = FailureReason(rawValue: member.key),
                let count = Self.integer(member.value)
            {
                report.outcomes[.failed(reason)] = count
            }
        }
        for member in root["eras"]?.members ?? [] {
            guard let era = Era(rawValue: member.key) else { continue }
            var count = EraCount()
            count.devices = Self.integer(member.value["devices"]) ?? 0
            count.associated = Self.integer(member.value["associated"]) ?? 0
            count.willRetry = Self.integer(member.value["willRetry"]) ?? 0
            count.denied = Self.integer(member.value["denied"]) ?? 0
            count.failed = Self.integer(member.value["failed"]) ?? 0
            report.eras[era] = count
        }
    }

    private static func recorder(_ pairs: JSONValue?) -> LatencyRecorder {
        var recorder = LatencyRecorder()
        for pair in pairs?.array ?? [] {
            guard let values = pair.array, values.count == 2, let value = integer(values[0]),
                let count = integer(values[1]), value >= 0, count > 0
            else { continue }
            recorder.record(microseconds: UInt64(value), count: UInt64(count))
        }
        return recorder
    }

    private static func timeline(_ object: JSONValue) -> StormTimeline {
        func column(_ name: String) -> [Int] {
            object[name]?.array?.map { integer($0) ?? 0 } ?? []
        }
        let names = ["arrivals", "retries", "associated", "unavailable", "denied", "failed"]
        let columns = names.map(column)
        let lag = object["lag"]?.array?.map { double($0) ?? 0 } ?? []
        func at(_ list: Int, _ index: Int) -> Int {
            index < columns[list].count ? columns[list][index] : 0
        }
        return StormTimeline(
            seconds: columns[0].indices.map { index in
                var second = StormTimeline.Second()
                second.arrivals = at(0, index)
                second.retries = at(1, index)
                second.associated = at(2, index)
                second.unavailable = at(3, index)
                second.denied = at(4, index)
                second.failed = at(5, index)
                second.lag = index < lag.count ? Int64(lag[index] * 1e9) : 0
                return second
            })
    }

    private static func integer(_ value: JSONValue?) -> Int? {
        guard case .number(let text) = value?.kind else { return nil }
        return Int(text)
    }

    private static func double(_ value: JSONValue?) -> Double? {
        guard case .number(let text) = value?.kind else { return nil }
        return Double(text)
    }
}
