import Testing

@testable import AASADevice

@Suite struct BuildCatalogTests {
    @Test("each code stands once, with all its texts")
    func texts() {
        #expect(
            Set(BuildCatalog.table.entries.map(\.code)).count == BuildCatalog.table.entries.count)
        #expect(BuildCatalog.table.families.flatMap(\.problems) == [])
        for entry in BuildCatalog.table.entries {
            #expect(CheckCatalog.entry(entry.code) == nil, "\(entry.code)")
            for text in [entry.title, entry.why, entry.remedy] {
                #expect(!text.isEmpty, "\(entry.code)")
            }
            #expect(!entry.title.hasSuffix("."), "\(entry.code)")
            #expect(entry.why.hasSuffix(".") && entry.remedy.hasSuffix("."), "\(entry.code)")
        }
        #expect(BuildCatalog.entry("build-unsigned") != nil)
        #expect(BuildCatalog.entry("build-nothing") == nil)
    }
}
