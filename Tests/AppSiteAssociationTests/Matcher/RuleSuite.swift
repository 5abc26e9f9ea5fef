import Testing

@testable import AppSiteAssociation

/// Reads the rules of documents that are written as texts.
protocol RuleSuite {}

extension RuleSuite {
    /// The entries of `details`.
    func entries(_ details: String, applinks: String = "") throws -> [LinkEntry] {
        let text = "{\"applinks\": {\(applinks)\"details\": [\(details)]}}"
        return LinkEntry.all(
            of:
                try AssociationFile(reading: SourceText(name: "f", text: text)).applinks)
    }

    /// The rules of one entry of A.a.
    func rules(_ components: String, applinks: String = "") throws -> [Rule] {
        let entry = "{\"appIDs\": [\"A.a\"], \"components\": [\(components)]}"
        return try #require(try entries(entry, applinks: applinks).first).rules
    }
}
