import AASADevice
import AppSiteAssociation

/// Merges the reports of several generators.
///
/// Counts are added, histograms are added bucket by bucket, and percentiles are computed once from
/// the sum: an average of percentiles is meaningless. Inconsistent parts (missing or duplicate,
/// with another seed, or clocks that differ) are reported in ``StormReport/partNotes``, with which
/// the verdict begins.
extension StormReport {
    /// The largest difference between the starts of parts of one storm: a tenth of the timeline's
    /// second.
    static let startTolerance: Int64 = 100

    /// Parses the format of ``json``.
    package init(partJSON bytes: [UInt8], name: String) throws(StormProblem) {
        let root: JSONValue
        do {
            root = try JSONReader.read(SourceText(name: name, bytes: bytes)).root
        } catch {
            throw StormProblem(description: "\(name):\(error.position): \(error.message)")
        }
        do {
            self = try StormReportReader(root).report
        } catch {
            throw StormProblem(description: "\(name): \(error.description)")
        }
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
                && $0.patience == first.patience && $0.triesMaximum == first.triesMaximum
        }
        if !alike {
            notes.append("These parts belong to different storms, so their sums mean nothing.")
        }
        let indices = parts.map(\.part.index)
        let missing = Set(0..<count).subtracting(indices).sorted().map { "\($0 + 1)" }
        if !missing.isEmpty {
            notes.append(
                "Of \(count) parts, these are missing: \(missing.joined(separator: ", ")).")
        }
        if Set(indices).count < indices.count {
            notes.append("One part is listed twice, so its devices are counted twice.")
        }
        let starts = parts.map(\.startedAtMilliseconds).filter { $0 > 0 }
        if let earliest = starts.min(), let latest = starts.max(),
            latest - earliest > startTolerance
        {
            notes.append(
                "The parts started \(Decimal.text(Double(latest - earliest) / 1000, 3)) s apart by their clocks, so together they are not the planned storm."
            )
        }
        let limited = parts.filter(\.generatorWasTheLimit).map(\.part.text)
        if !limited.isEmpty {
            notes.append(
                "The generator was the limit in part \(limited.joined(separator: ", ")).")
        }
        return notes
    }
}
