import TestSupport
import Testing

@testable import AASAStorm

// Covers: StormReport+Parts.swift
@Suite struct StormReportPartsTests {
    private func part(_ text: String, started: Int64 = 1_000_000) throws -> StormReport {
        var report = StormReportTests.sample()
        report.part = try #require(StormPart(parsing: text, jobIndex: nil))
        report.stormDevices = 2000
        report.startedAtMilliseconds = started
        report.threads = 1
        return report
    }

    private func again(_ report: StormReport) throws -> StormReport {
        try StormReport(partJSON: Array(report.json.utf8), name: "part.json")
    }

    @Test func readsWhatItWrote() throws {
        let report = try part("1/2")
        let copy = try again(report)
        expectEqual(copy.outcomes, report.outcomes)
        expectEqual(copy.eras, report.eras)
        expectEqual(copy.statuses, report.statuses)
        expectEqual(copy.timeline, report.timeline)
        // Latencies to the histogram's precision: a value becomes its bucket's, and stays that.
        let second = try again(copy)
        expectEqual(second.json, copy.json, "\(second.json)\n\(copy.json)")
    }

    @Test func addsUp() throws {
        let sum = StormReport.merged([try again(part("1/2")), try again(part("2/2"))])
        expectEqual(sum.partNotes, [])
        expectEqual(sum.devices, 2000)
        expectEqual(sum.associated, 1800)
        expectEqual(sum.failed, 80)
        expectEqual(sum.tries, 2000)
        expectEqual(sum.statuses, [200: 1800, 503: 120])
        expectEqual(sum.associatedLatency.count, 2)
        expectEqual(sum.timeline.seconds.reduce(0) { $0 + $1.count.devices }, 20)
        expectEqual(sum.part, .whole)
    }

    @Test func percentilesComeFromTheSum() throws {
        var fast = try part("1/2")
        var slow = try part("2/2")
        for _ in 0..<98 { fast.associatedLatency.record(nanoseconds: 1_000_000) }
        for _ in 0..<900 { slow.associatedLatency.record(nanoseconds: 1_000_000_000) }
        var all = fast.associatedLatency
        all.merge(slow.associatedLatency)
        let sum = StormReport.merged([try again(fast), try again(slow)])
        for percentile in [1.0, 50, 90, 99, 99.9, 100] {
            expectEqual(
                sum.associatedLatency.seconds(atPercentile: percentile),
                all.seconds(atPercentile: percentile))
        }
    }

    @Test func saysWhatKeepsItFromBeingOneStorm() throws {
        let missing = StormReport.merged([try part("1/3"), try part("3/3")])
        expectEqual(missing.verdict, "Of 3 parts, these are missing: 2.")
        #expect(!missing.everyDeviceWasAnswered)
        expectEqual(missing.devices, 2000)

        let late = StormReport.merged([try part("1/2"), try part("2/2", started: 1_002_500)])
        #expect(late.verdict.hasPrefix("The parts started 2.500 s apart"))

        let twice = StormReport.merged([try part("1/2"), try part("1/2")])
        #expect(twice.partNotes.contains { $0.contains("twice") })

        var other = try part("2/2")
        other.seed = 77
        expectEqual(
            StormReport.merged([try part("1/2"), other]).partNotes.first?.contains("different"),
            true)

        var limited = try part("2/2")
        limited.lag.record(nanoseconds: 5_000_000_000)
        expectEqual(
            StormReport.merged([try part("1/2"), limited]).partNotes,
            ["The generator was the limit in part 2/2."])
    }

    /// The page of the whole tells what each part was told.
    @Test func keepsTheConditions() throws {
        var first = try part("1/2")
        first.triesMaximum = 8
        var second = first
        second.part = try #require(StormPart(parsing: "2/2", jobIndex: nil))
        let sum = StormReport.merged([try again(first), try again(second)])
        expectEqual(sum.partNotes, [])
        #expect(sum.html.contains("up to 8 tries, each three hours taking one second"))
        second.triesMaximum = 1
        expectEqual(
            StormReport.merged([first, second]).partNotes.first?.contains("different"), true)
    }
}
