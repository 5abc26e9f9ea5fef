import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer
@testable import ACME
@testable import aasa

@Suite struct RenewalStatusSectionTests {
    private let now: Int64 = 1_800_000_000

    private func entry(
        _ folder: String, isRSA: Bool = false, names: [String]? = nil, state: String,
        note: String = "none yet", next: Int64? = nil, tries: Int = 0, lastError: String? = nil,
        remedy: String? = nil
    ) -> RenewalStatus.Entry {
        RenewalStatus.Entry(
            folder: folder, isRSA: isRSA, names: names ?? [folder], state: state, note: note,
            notAfter: nil, next: next, tries: tries, lastError: lastError, remedy: remedy,
            authority: "ca.test")
    }

    private var status: RenewalStatus {
        var status = RenewalStatus()
        status.entries = [
            entry("shop.test", state: "waiting", next: now + 600, tries: 3),
            entry("old.test", isRSA: true, state: "foreign", note: "another's"),
        ]
        status.succeeded = 5
        status.failed = 2
        return status
    }

    private func samples(_ name: String) -> [[String]: Double] {
        let family = status.metrics.first { $0.name == name }
        let pairs = (family?.samples ?? []).map { ($0.labels.map(\.value), $0.value) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `A certificate that another program renews has no time, but its failures count`() {
        expectEqual(
            samples("aasa_acme_next_timestamp_seconds"),
            [["shop.test", "ecdsa"]: Double(now + 600)])
        expectEqual(
            samples("aasa_acme_failures"), [["shop.test", "ecdsa"]: 3, ["old.test", "rsa"]: 0])
    }

    @Test func `Orders are told by their result`() {
        expectEqual(samples("aasa_acme_orders_total"), [["ok"]: 5, ["failed"]: 2])
        // One that has not begun has the counters.
        let orders = RenewalStatus().metrics.first { $0.name == "aasa_acme_orders_total" }
        expectEqual(orders?.samples.map(\.value), [0, 0])
    }

    @Test func `The JSON has what the page shows`() throws {
        let json = status.json
        let entry = try #require(json["entries"]?.array?.first)
        #expect(entry["host"]?.string == "shop.test" && entry["key"]?.string == "ecdsa")
        #expect(entry["state"]?.string == "waiting" && entry["note"]?.string == "none yet")
        expectEqual(entry["names"]?.array?.map(\.string), ["shop.test"])
        guard case .number("5")? = json["succeeded"]?.kind, case .null? = json["storeError"]?.kind
        else {
            Issue.record("\(json)")
            return
        }
    }

    @Test func `What has no certificate comes with cause and remedy`() {
        var status = RenewalStatus()
        status.entries = [
            entry(
                "blog.test", isRSA: true, state: "good", note: "will be renewed in time",
                next: now + 864_000),
            entry(
                "shop.test", state: "waiting", note: "there is none yet", next: now + 600, tries: 3,
                lastError: "ca.test could not validate www.shop.test",
                remedy: "See the AAAA record."),
        ]
        expectEqual(
            status.lines(now: now),
            [
                "  certificate of shop.test (ecdsa): there is none yet; next try in 10 min, "
                    + "3 failed tries",
                "    ca.test could not validate www.shop.test", "    See the AAAA record.",
                "  1 certificate good (ACME); the next is renewed in 10 days",
            ])
        let report = StatusReport(version: "1", now: now, started: now)
        let reason = status.problems(in: report).first
        expectEqual(
            reason?.text,
            "no new certificate for shop.test: ca.test could not validate www.shop.test")
        #expect(reason?.fix == "See the AAAA record." && reason?.level == .attention)
    }

    @Test func `The alias that no certificate covers yet is named`() {
        var report = StatusReport(version: "1", now: now, started: now)
        report.certificates = [
            ServedCertificate(
                folder: "example.com", file: "f", names: ["example.com", "*.example.com"],
                keyType: "ECDSA P-256", issuer: "Test CA", notBefore: now, notAfter: now + 1,
                problems: [])
        ]
        func reasons(_ state: String, _ names: [String]) -> [String] {
            var status = RenewalStatus()
            status.entries = [entry("example.com", names: names, state: state)]
            return status.problems(in: report).map(\.text)
        }
        let names = ["example.com", "w.example.org"]
        #expect(reasons("waiting", ["example.com"]).isEmpty)
        expectEqual(
            reasons("waiting", names),
            [
                "example.com waits for an ECDSA certificate that covers w.example.org"
            ])
        report.certificates = []
        expectEqual(reasons("waiting", names), ["example.com waits for its ECDSA certificate"])
        #expect(reasons("good", names).isEmpty)
    }
}
