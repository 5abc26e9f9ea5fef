import AppSiteAssociation
import TestSupport
import Testing

@Suite struct LinkPriorityTests {
    private func priority(_ details: String) throws -> LinkPriority? {
        let association = CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(text: #"{"applinks":{"details":\#(details)}}"#)))
        return association.priority(among: association.decide(url: "/x") ?? [])
    }

    private func entry(_ apps: String..., paths: String = #""*""#) -> String {
        let names = apps.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"appIDs":[\#(names)],"paths":[\#(paths)]}"#
    }

    @Test func theFirstEntryWins() throws {
        let found = try #require(
            try priority("[\(entry("A.b")),\(entry("A.a")),\(entry("A.c"))]"))
        #expect(found.app == "A.b" && found.isKnown)
        #expect(found.description.hasPrefix("A.b: its entry stands first"))
    }

    @Test func oneAppNeedsNone() throws {
        #expect(try priority("[\(entry("A.a"))]") == nil)
        #expect(try priority("[]") == nil)
        // Apps that do not take the URL do not count.
        let excluded = entry("A.a", paths: #""NOT *""#)
        let other = entry("A.c", paths: #""/y""#)
        #expect(try priority("[\(excluded),\(other),\(entry("A.b"))]") == nil)
        let found = try priority("[\(excluded),\(entry("A.b")),\(entry("A.d"))]")
        expectEqual(found?.app, "A.b")
    }

    /// Apple documents the order of entries, not that of the names in one.
    @Test func withinOneEntryNothingIsKnown() throws {
        let both = try priority("[\(entry("A.a", "A.b"))]")
        #expect(both?.isKnown == false && both?.reason.contains("apps of one entry") == true)
        let mixed = try priority("[\(entry("A.a", "A.b")),\(entry("A.c"))]")
        expectEqual(mixed?.isKnown, false)
        // Who is first is known, whatever is not known of the others.
        let behind = try priority("[\(entry("A.a")),\(entry("A.b", "A.c"))]")
        #expect(behind?.isKnown == true && behind?.app == "A.a")
    }

    @Test func membersOfAnObjectHaveNoOrder() throws {
        let found = try priority(#"{"A.a":{"paths":["*"]},"A.b":{"paths":["*"]}}"#)
        #expect(found?.isKnown == false && found?.reason.contains("an object") == true)
    }

    @Test func theEntryThatMatchesCounts() throws {
        let early = entry("A.a", paths: #""/y""#)
        let found = try priority("[\(early),\(entry("A.b")),\(entry("A.a"))]")
        expectEqual(found?.app, "A.b")
    }
}
