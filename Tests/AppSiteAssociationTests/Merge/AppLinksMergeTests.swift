import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AppLinksMergeTests: MergeSuite {
    /// Defaults that differ between teams go into each entry: what that would make is refused
    /// before it is made.
    @Test func refusesDefaultsThatWouldMultiply() throws {
        let long = String(repeating: "a", count: 60_000)
        let entries = (0..<2_000).map { #"{"appIDs": ["AAAA111111.e\#($0)"], "components": []}"# }
        let details = entries.joined(separator: ",")
        let result = try merge(
            #"{"applinks": {"defaults": {"/": "/\#(long)"}, "details": [\#(details)]}}"#,
            #"{"applinks": {"details": [{"appIDs": ["BBBB222222.b"], "components": [{"/": "/b"}]}]}}"#
        )
        #expect(result.bytes == nil)
        let finding = try #require(result.diagnostics.first { $0.code == "merge-too-large" })
        #expect(finding.file == "AAAA111111.json" && finding.message.contains("2000 entries"))
        #expect(result.size < 1 << 20)
    }

    @Test func keepsTheOrderOfTeamsAndEntries() throws {
        let result = try merge(
            #"{"applinks": {"apps": [], "details": [{"appID": "AAAA111111.a", "paths": ["/a"]}, "#
                + #"{"appIDs": ["AAAA111111.c"], "components": [{"/": "/c"}]}]}}"#,
            #"{"applinks": {"apps": [], "details": [{"appID": "BBBB222222.b", "paths": ["NOT /b","#
                + #" "*"], "x": 1}]}}"#
        )
        try expectEqual(
            text(result),
            #"{"applinks":{"apps":[],"details":[{"appID":"AAAA111111.a","paths":["/a"]},"#
                + #"{"appIDs":["AAAA111111.c"],"components":[{"/":"/c"}]},"#
                + #"{"appID":"BBBB222222.b","paths":["NOT /b","*"],"x":1}]}}"#)
    }

    @Test func keepsDetailsOf2015WhereAllUseThem() throws {
        let a = #"{"applinks": {"details": {"AAAA111111.a": {"paths": ["/a"]}}}}"#
        let old = try merge(a, #"{"applinks": {"details": {"BBBB222222.b": {"paths": ["/b"]}}}}"#)
        try expectEqual(
            text(old),
            #"{"applinks":{"details":{"AAAA111111.a":{"paths":["/a"]},"#
                + #""BBBB222222.b":{"paths":["/b"]}}}}"#
        )
        let mixed = try merge(
            a, #"{"applinks": {"details": [{"appID": "BBBB222222.b", "paths": ["/b"]}]}}"#)
        try expectEqual(
            text(mixed),
            #"{"applinks":{"details":[{"appID":"AAAA111111.a","paths":["/a"]},"#
                + #"{"appID":"BBBB222222.b","paths":["/b"]}]}}"#)
    }

    @Test func movesDefaultsIntoDetails() throws {
        let result = try merge(
            #"{"applinks": {"defaults": {"caseSensitive": false, "exclude": true}, "details": "#
                + #"[{"appIDs": ["AAAA111111.a"], "defaults": {"exclude": false}, "components": "#
                + #"[]}, {"appIDs": ["AAAA111111.b"], "components": []}]}}"#,
            #"{"applinks": {"details": [{"appIDs": ["BBBB222222.b"], "components": []}]}}"#)
        try expectEqual(
            text(result),
            #"{"applinks":{"details":[{"appIDs":["AAAA111111.a"],"#
                + #""defaults":{"exclude":false,"caseSensitive":false},"components":[]},"#
                + #"{"appIDs":["AAAA111111.b"],"components":[],"defaults":{"caseSensitive":false,"#
                + #""exclude":true}},"#
                + #"{"appIDs":["BBBB222222.b"],"components":[]}]}}"#)
    }

    @Test func leavesDefaultsThatAllHave() throws {
        let a =
            #"{"applinks": {"defaults": {"caseSensitive": false}, "details": [{"appIDs": "#
            + #"["AAAA111111.a"], "components": []}]}}"#
        let result = try merge(a, a.replacing("AAAA111111", with: "BBBB222222"))
        #expect(try text(result).hasPrefix(#"{"applinks":{"defaults":{"caseSensitive":false},"#))
        try expectEqual(text(result).components(separatedBy: "defaults").count, 2)
    }
}
