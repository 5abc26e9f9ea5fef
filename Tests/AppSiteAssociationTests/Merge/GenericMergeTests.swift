import AppSiteAssociation
import TestSupport
import Testing

@Suite struct GenericMergeTests: MergeSuite {
    @Test func putsListsBehindOneAnother() throws {
        let result = try merge(
            #"{"webcredentials": {"apps": ["AAAA111111.a", "AAAA111111.a"]}, "appclips": "#
                + #"{"apps": []}}"#,
            #"{"activitycontinuation": {"apps": ["BBBB222222.b"]}, "webcredentials": {"apps": "#
                + #"["BBBB222222.b"]}}"#
        )
        try expectEqual(
            text(result),
            #"{"webcredentials":{"apps":["AAAA111111.a","BBBB222222.b"]},"#
                + #""appclips":{"apps":[]},"#
                + #""activitycontinuation":{"apps":["BBBB222222.b"]}}"#)
    }

    @Test func keepsWhatItDoesNotKnow() throws {
        let result = try merge(
            #"{"authsrv": {"apps": ["AAAA111111.a"], "v": 1}, "applinks": {"details": [], "#
                + #""relativeOrder": 1}}"#,
            #"{"authsrv": {"apps": ["BBBB222222.b"], "v": 1, "w": {}}}"#)
        try expectEqual(
            text(result),
            #"{"applinks":{"details":[],"relativeOrder":1},"#
                + #""authsrv":{"apps":["AAAA111111.a","BBBB222222.b"],"v":1,"w":{}}}"#)
    }

    @Test func refusesValuesThatDiffer() throws {
        let result = try merge(#"{"x": {"n": 1}}"#, #"{"x": {"n": 2}}"#)
        #expect(result.bytes == nil)
        expectEqual(result.diagnostics.map(\.code), ["merge-conflict"])
        expectEqual(result.diagnostics.first?.message.hasPrefix("x.n has a different value"), true)
        expectEqual(result.diagnostics.first?.file, "BBBB222222.json")
        expectEqual(result.diagnostics.first?.related.map(\.file), ["AAAA111111.json"])
    }
}
