import AppSiteAssociation
import TestSupport
import Testing

@Suite struct MergeTests: MergeSuite {
    // MARK: What the document looks like

    @Test func leavesOneFragmentAsItIs() throws {
        let result = try merge(
            #"{"applinks": {"defaults": {"caseSensitive": false}, "substitutionVariables": {"x": "#
                + #"["1"]}, "details": [{"appIDs": ["AAAA111111.a"], "components": [{"/": "#
                + #""/$(x)", "comment": "c"}]}]}}"#
        )
        try expectEqual(
            text(result),
            #"{"applinks":{"defaults":{"caseSensitive":false},"#
                + #""substitutionVariables":{"x":["1"]},"#
                + #""details":[{"appIDs":["AAAA111111.a"],"components":[{"/":"/$(x)","#
                + #""comment":"c"}]}]}}"#
        )
        #expect(result.diagnostics.isEmpty)
    }

    // MARK: Conflicts

    @Test func refusesBrokenFragments() throws {
        let result = try merge(#"{"webcredentials": {"apps": "AAAA111111.a"}}"#)
        #expect(result.bytes == nil)
        #expect(result.diagnostics.contains { $0.code == "apps-not-array" })
        try expectEqual(merge(#"{"x": 1, "x": 1}"#).diagnostics.map(\.code), ["duplicate-key"])
    }

    @Test func refusesTwoFragmentsOfOneTeam() throws {
        let fragments = [try fragment(Self.teamA, "{}"), try fragment(Self.teamA, "{}")]
        expectEqual(Merge.merge(fragments).diagnostics.map(\.code), ["merge-team-twice"])
    }

    @Test func countsBytesPerTeamUpToApplesLimit() throws {
        // {"x":{"a":"…"}} has 14 bytes around the text.
        let fits = String(repeating: "f", count: AssociationFile.bytesMaximum - 14)
        let result = try merge("{\"x\": {\"a\": \"\(fits)\"}}")
        expectEqual(result.size, AssociationFile.bytesMaximum)
        expectEqual(result.bytes?.count, AssociationFile.bytesMaximum)

        let over = try merge("{\"x\": {\"a\": \"\(fits)\"}}", #"{"x": {"b": "1"}}"#)
        #expect(over.bytes == nil)
        expectEqual(over.size, AssociationFile.bytesMaximum + 8)
        expectEqual(over.teamSizes.map(\.bytes), [AssociationFile.bytesMaximum - 8, 8])
        expectEqual(over.diagnostics.map(\.code), ["merge-too-large"])
        expectEqual(
            over.diagnostics.first?.related.map(\.file), ["AAAA111111.json", "BBBB222222.json"])
    }

    @Test func mergesNothing() throws {
        try expectEqual(text(Merge.merge([])), "{}")
        try expectEqual(text(try merge("{}", "{}")), "{}")
    }
}
