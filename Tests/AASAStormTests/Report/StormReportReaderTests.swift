import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormReportReaderTests {
    private func read(_ text: String) throws -> StormReport {
        try StormReport(partJSON: Array(text.utf8), name: "x.json")
    }

    @Test func refusesWhatIsNoReport() {
        for text in ["", "{}", "[]", #"{"part": "1/2"}"#, "{\"part\": "] {
            #expect(throws: StormProblem.self) { try read(text) }
        }
    }

    /// Damaged, or written by hand: sums and shares of what no storm has are no numbers.
    @Test(arguments: [
        ("\"tries\":1000", "\"tries\":-1"), ("\"tries\":1000", "\"tries\":9223372036854775807"),
        ("\"tries\":1000", "\"tries\":1.5"), ("\"tries\":1000", "\"tries\":\"1000\""),
        ("\"devices\":1000,", "\"devices\":5000001,"),
        ("\"associated\":900,", "\"associated\":922337203685477580,"),
        ("\"timed-out\":30", "\"timed-out\":-30"), ("\"503\":60", "\"503\":1e400"),
        ("\"bytesReceived\":0", "\"bytesReceived\":-5"),
        ("\"surgeSeconds\":10.0", "\"surgeSeconds\":1e300"),
        ("\"peakRate\":0.0", "\"peakRate\":1e300"), ("\"threads\":1", "\"threads\":-1"),
        ("\"triesMaximum\":1", "\"triesMaximum\":null"),
        ("\"lag\":[0.0", "\"lag\":[1e300"),
        ("\"arrivals\":[1", "\"arrivals\":[9223372036854775807"),
        ("\"generatorLag\":[[100,1]]", "\"generatorLag\":[[100,9223372036854775807]]"),
        ("\"generatorLag\":[[100,1]]", "\"generatorLag\":[100]"),
        ("\"patienceSeconds\":[10.0", "\"patienceSeconds\":[-10"),
    ]) func namesWhatIsNoNumberOfAStorm(_ old: String, _ new: String) throws {
        let whole = StormReportTests.sample().json
        let parts = whole.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2, "\(old) in \(whole)")
        let problem = #expect(throws: StormProblem.self) {
            try read(parts.joined(separator: new))
        }
        let name = try #require(new.split(separator: "\"").first)
        let description = problem?.description ?? ""
        #expect(description.hasPrefix("x.json: \"\(name)\" is not a "), "\(description)")
    }

    /// What earlier versions did not write is read as nothing.
    @Test func readsReportsOfEarlierVersions() throws {
        let members = "\"triesMaximum\":1,"
        let parts = StormReportTests.sample().json.split(separator: members)
        try #require(parts.count == 2, "\(parts)")
        let report = try read(parts.joined())
        expectEqual(report.triesMaximum, 1)
        expectEqual(report.tries, 1000)
    }
}
