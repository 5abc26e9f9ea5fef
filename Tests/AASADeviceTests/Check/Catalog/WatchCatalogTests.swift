import TestSupport
import Testing

@testable import AASADevice

@Suite struct WatchCatalogTests: CatalogSuite {
    @Test func hasWhatOnlyAWatcherTells() {
        expectWords(family("watching"))
        expectEqual(family("watching").map(\.code), ["document-changed", "certificate-renewed"])
        expectEqual(family("watching").map(\.severity), [.warning, .note])
    }

    /// People are told for how long a change is not seen.
    @Test func saysWhenAppleAsksAgain() {
        let change = CheckCatalog.entry("document-changed")?.why ?? ""
        #expect(change.contains("within 24 hours") && change.contains("about once a week"))
    }
}
