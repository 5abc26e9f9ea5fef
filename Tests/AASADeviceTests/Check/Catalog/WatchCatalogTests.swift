import Testing

@testable import AASADevice

@Suite struct WatchCatalogTests: CatalogSuite {
    @Test func hasWhatOnlyAWatcherTells() {
        expectWords(family("watching"))
        let codes: [CheckCode] = [.documentChanged, .certificateRenewed]
        #expect(family("watching").map(\.code) == codes.map(\.rawValue))
        #expect(family("watching").map(\.severity) == [.warning, .note])
    }

    /// People are told for how long a change is not seen.
    @Test func saysWhenAppleAsksAgain() {
        let change = CheckCatalog.entry(.documentChanged).why
        #expect(change.contains("within 24 hours") && change.contains("about once a week"))
    }
}
