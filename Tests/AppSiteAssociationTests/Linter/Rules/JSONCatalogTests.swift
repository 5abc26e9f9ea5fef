import Testing

@testable import AppSiteAssociation

@Suite struct JSONCatalogTests {
    @Test func everyReasonHasOneRule() {
        #expect(JSONCatalog.rules.map(\.code) == JSONError.Reason.allCases.map(\.rawValue))
        #expect(
            JSONCatalog.rules.filter { $0.severity != .error }.map(\.code) == [
                "json-byte-order-mark"
            ])
    }

    /// The example shows this reason as the first, and not another one behind it.
    @Test(arguments: JSONError.Reason.allCases.filter { $0 != .byteOrderMark })
    func theExampleIsRefusedForItsReason(_ reason: JSONError.Reason) throws {
        let rule = try #require(JSONCatalog.rules.first { $0.code == reason.rawValue })
        let error = #expect(throws: JSONError.self) { try JSONReader.read(rule.bad.source) }
        #expect(error?.reason == reason)
        #expect(throws: Never.self) { try JSONReader.read(rule.good.source) }
    }

    /// Titles tell the rules of a list apart.
    @Test func titlesAreUnique() {
        #expect(Set(JSONCatalog.rules.map(\.title)).count == JSONCatalog.rules.count)
    }
}
