import Testing

@testable import AppSiteAssociation

@Suite struct SchemaObjectTests {
    @Test func findsMembersByTheExactKey() {
        let entry = AssociationFormat.entry
        #expect(entry["appIDs"]?.text.hasSuffix(" Since iOS 13.") == true && entry["Paths"] == nil)
        #expect(entry.correction(of: "Paths") == "paths" && entry.correction(of: "x") == nil)
    }
}
