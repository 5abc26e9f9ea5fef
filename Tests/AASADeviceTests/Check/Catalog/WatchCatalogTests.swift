import Testing

@testable import AASADevice

@Suite struct WatchCatalogTests: CatalogSuite {
    @Test func hasWhatOnlyAWatcherTells() {
        expectWords(CheckCatalog.watching)
        let codes: [CheckCode] = [.documentChanged, .certificateRenewed]
        #expect(CheckCatalog.watching.map(\.code) == codes.map(\.rawValue))
        #expect(CheckCatalog.watching.map(\.severity) == [.warning, .note])
    }
}
