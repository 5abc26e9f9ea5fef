import Testing

@testable import AASADevice

@Suite struct WatchCatalogTests: CatalogSuite {
    @Test func hasWhatOnlyAWatcherTells() {
        expectWords(CheckCatalog.watching)
        let codes: [CheckCode] = [.documentChanged, .certificateRenewed]
        #expect(CheckCatalog.watching.map(\.code) == codes.map(\.rawValue))
        #expect(CheckCatalog.watching.map(\.severity) == [.warning, .note])
    }

    /// People are told for how long a change is not seen.
    @Test func saysWhenAppleAsksAgain() {
        let change = CheckCatalog.entry(.documentChanged).why
        #expect(change.contains("within 24 hours") && change.contains("about once a week"))
    }
}
