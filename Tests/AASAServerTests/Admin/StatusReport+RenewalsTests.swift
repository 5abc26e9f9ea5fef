import Testing

@testable import AASAServer

@Suite struct StatusReportRenewalsTests {
    private func report() -> StatusReport {
        typealias Entry = StatusReport.Renewals.Entry
        var renewals = StatusReport.Renewals()
        var due = Entry(host: "shop.test", key: "ecdsa", state: "waiting", note: "none yet")
        due.next = SampleReports.now + 600
        due.tries = 3
        let foreign = Entry(host: "old.test", key: "rsa", state: "foreign", note: "another's")
        renewals.entries = [due, foreign]
        renewals.budgets = [
            .init(authority: "ca.test", ordersLeft: 7, orders: 240),
            .init(authority: "other.test", ordersLeft: 0, orders: 10),
        ]
        renewals.succeeded = 5
        renewals.failed = 2
        var report = SampleReports.serving()
        report.renewals = renewals
        return report
    }

    private func samples(_ name: String) -> [[String]: Double] {
        let family = ServerMetrics.renewals(report()).first { $0.name == name }
        let pairs = (family?.samples ?? []).map { ($0.labels.map(\.value), $0.value) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `A certificate that another program renews has no time, but its failures count`() {
        #expect(
            samples("aasa_acme_next_timestamp_seconds")
                == [["shop.test", "ecdsa"]: Double(SampleReports.now + 600)])
        #expect(
            samples("aasa_acme_failures") == [["shop.test", "ecdsa"]: 3, ["old.test", "rsa"]: 0])
    }

    @Test func `Orders are told by their result, and what the authorities still allow`() {
        #expect(samples("aasa_acme_orders_total") == [["ok"]: 5, ["failed"]: 2])
        #expect(samples("aasa_acme_orders_left") == [["ca.test"]: 7, ["other.test"]: 0])
    }

    @Test func `A server that renews nothing has no metrics of it`() {
        #expect(ServerMetrics.renewals(SampleReports.serving()).isEmpty)
        // One that renews, and has not begun, has the counters.
        var report = SampleReports.serving()
        report.renewals = StatusReport.Renewals()
        let orders = ServerMetrics.renewals(report).first { $0.name == "aasa_acme_orders_total" }
        #expect(orders?.samples.map(\.value) == [0, 0])
    }
}
