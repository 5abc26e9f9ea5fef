import TestSupport
import Testing

@testable import AASAServer

@Suite struct StatusReportTests {
    private let now = SampleReports.now

    private func left(begins: Int64, ends: Int64) -> Double {
        SampleReports.certificate(begins: now + begins, ends: now + ends).shareLeft(now: now)
    }

    @Test func `The share of a certificate's life goes from one to nothing`() {
        expectEqual(left(begins: 0, ends: 400), 1)
        expectEqual(left(begins: -100, ends: 300), 0.75)
        expectEqual(left(begins: -300, ends: 100), 0.25)
        expectEqual(left(begins: -400, ends: 0), 0)
    }

    @Test func `Before its life all is left, after it nothing, and no life is none`() {
        expectEqual(left(begins: 100, ends: 500), 1)
        expectEqual(left(begins: -500, ends: -100), 0)
        expectEqual(left(begins: 100, ends: 100), 0)
        expectEqual(left(begins: 200, ends: 100), 0)
    }

    /// A server that has said nothing yet is not taken for one that serves.
    @Test func `A report begins with a server that does not serve yet`() {
        let report = StatusReport(version: "1", now: now, started: now)
        let health = Health(report)
        #expect(!health.isReady && health.level == .failing)
        // A host is served unless the snapshot says otherwise.
        var serving = report
        serving.phase = .serving
        serving.hosts = [StatusReport.Host(name: "a.example", facts: HostFacts())]
        expectEqual(Health(serving).level, .well)
    }
}
