import Testing

@testable import AASADevice

@Suite struct WatchCatalogTests: CatalogSuite {
    @Test func hasWhatOnlyAWatcherTells() {
        expectWords(CheckCatalog.watching)
        let codes: [CheckCode] = [
            .appLost, .documentUnpublished, .documentAlternates, .documentChanged,
            .certificateRenewed, .watchCutOff,
        ]
        #expect(CheckCatalog.watching.map(\.code) == codes.map(\.rawValue))
        // A change by itself may be meant; an app that is gone is broken for people.
        #expect(
            CheckCatalog.watching.map(\.severity) == [
                .error, .error, .warning, .warning, .info, .error,
            ])
    }
}
