import TestSupport
import Testing

@testable import AASADevice

@Suite struct StatusCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfStatuses() {
        expectWhole(family("statuses"), of: ["status-"], harmless: [:])
    }

    /// A refusal is final for old devices, a failure of the server is not.
    @Test func saysWhetherDevicesAskAgain() {
        for entry in family("statuses") {
            let isTemporary = [
                "status-server-error", "status-gateway", "status-unavailable",
            ].contains(entry.code)
            expectEqual(entry.why.contains("ask again after three to four hours"), isTemporary)
        }
    }

    @Test func hasEveryCodeOfRedirects() {
        expectWhole(family("redirects"), of: ["redirect-"], harmless: [:])
        for entry in family("redirects") { #expect(entry.why.contains("TN3155")) }
    }

    @Test func hasEveryCodeOfTheCDN() {
        expectWhole(
            family("Apple's CDN"), of: ["cdn-"],
            harmless: [
                "cdn-unreachable": .warning, "cdn-negative-cached": .warning, "cdn-stale": .warning,
            ])
    }
}
