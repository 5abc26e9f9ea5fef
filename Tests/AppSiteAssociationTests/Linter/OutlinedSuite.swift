import Testing

@testable import AppSiteAssociation

/// Outlines the rules of documents that are written as texts.
protocol OutlinedSuite {}

extension OutlinedSuite {
    func links(_ text: String) throws -> (AppLinks, SourceText) {
        let file = try AssociationFile(reading: SourceText(name: "f", text: text))
        return (try #require(file.applinks), file.document.source)
    }

    /// The entries of `details`.
    func entries(_ details: String, applinks: String = "") throws -> [OutlinedEntry] {
        let (links, source) = try links("{\"applinks\": {\(applinks)\"details\": [\(details)]}}")
        return OutlinedEntry.all(of: links, in: source).0
    }

    /// The rules of one entry of A.a.
    func rules(_ components: String, applinks: String = "") throws -> [OutlinedRule] {
        let entry = "{\"appIDs\": [\"A.a\"], \"components\": [\(components)]}"
        return try #require(try entries(entry, applinks: applinks).first).rules
    }
}
