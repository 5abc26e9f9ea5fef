import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

/// What holds for every part of the catalogue.
protocol CatalogSuite {}

extension CatalogSuite {
    /// The entries of one file.
    func family(_ name: String) -> [CodeEntry] {
        CheckCatalog.table.families.first { $0.name == name }?.entries ?? []
    }

    /// - Parameters:
    ///   - groups: what the codes begin with; the part has all of them and no other.
    ///   - harmless: those that are no errors.
    func expectWhole(
        _ entries: [CodeEntry], of groups: [String], harmless: [String: Severity],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let codes = CheckCatalog.table.entries.map(\.code).filter { code in
            groups.contains { code.hasPrefix($0) }
        }
        expectEqual(
            entries.map(\.code).sorted(), codes.sorted(),
            sourceLocation: sourceLocation)
        let found = entries.filter { $0.severity != .error }.map { ($0.code, $0.severity) }
        let expected = harmless.map { ($0.key, $0.value) }
        expectEqual(
            Dictionary(found) { first, _ in first }, Dictionary(expected) { first, _ in first },
            sourceLocation: sourceLocation)
        expectWords(entries, sourceLocation: sourceLocation)
    }

    /// A title without a full stop that says one thing, a reason, and a remedy in sentences.
    func expectWords(
        _ entries: [CodeEntry], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectEqual(
            Set(entries.map(\.title)).count, entries.count, sourceLocation: sourceLocation)
        for entry in entries {
            let texts = [entry.title, entry.why, entry.remedy]
            #expect(!entry.title.isEmpty && entry.title.last != ".", sourceLocation: sourceLocation)
            expectEqual(entry.why.last, ".", "\(entry.code)", sourceLocation: sourceLocation)
            // What is good news needs no remedy.
            #expect(
                entry.remedy.last == "." || (entry.remedy.isEmpty && entry.severity == .note),
                "\(entry.code)", sourceLocation: sourceLocation)
            #expect(
                texts.allSatisfy { !$0.contains("  ") && !$0.hasPrefix(" ") }, "\(entry.code)",
                sourceLocation: sourceLocation)
            // Nobody has to look at one's own report with a page of text per finding.
            #expect(entry.title.count <= 80, "\(entry.code)", sourceLocation: sourceLocation)
        }
    }
}
