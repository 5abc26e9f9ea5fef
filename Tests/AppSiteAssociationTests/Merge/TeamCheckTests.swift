import AppSiteAssociation
import TestSupport
import Testing

@Suite struct TeamCheckTests: MergeSuite {
    @Test func refusesAppsOfOtherTeams() throws {
        let result = try merge(
            #"{"webcredentials": {"apps": ["BBBB222222.b"]}}"#,
            #"{"webcredentials": {"apps": ["BBBB222222.a", "BBBB222222.b"]}}"#)
        #expect(result.bytes == nil)
        let conflict = try #require(result.diagnostics.first)
        expectEqual(conflict.code, "merge-foreign-app")
        expectEqual(conflict.file, "AAAA111111.json")
        expectEqual(conflict.start?.column, 30)
        expectEqual(conflict.related.map(\.file), ["BBBB222222.json"])
        expectEqual(conflict.related.first?.start?.column, 46)
    }

    @Test(arguments: [
        #"{"applinks": {"details": [{"appID": "CCCC333333.x", "paths": []}]}}"#,
        #"{"applinks": {"details": [{"appIDs": ["AAAA111111.x", "CCCC333333.x"], "paths": []}]}}"#,
        #"{"applinks": {"details": [{"appIDs": ["AAAA111111.x"], "appID": "CCCC333333.x", "#
            + #""paths": []}]}}"#,
        #"{"applinks": {"details": {"CCCC333333.x": {"paths": []}}}}"#,
        #"{"applinks": {"details": {"AAAA111111.x": {"paths": [], "appID": "CCCC333333.x"}}}}"#,
        #"{"applinks": {"details": {"AAAA111111.x": {"appIDs": ["CCCC333333.x"], "paths": []}}}}"#,
        #"{"applinks": {"apps": ["CCCC333333.x"], "details": []}}"#,
        #"{"appclips": {"apps": ["CCCC333333.x"]}}"#,
        #"{"authsrv": {"apps": ["CCCC333333.x"]}}"#,
        #"{"webcredentials": {"apps": ["com.example.app"]}}"#,
        #"{"webcredentials": {"apps": ["AAAA111111X.app"]}}"#,
    ]) func findsForeignAppsInEveryForm(_ text: String) throws {
        let result = try merge(text)
        #expect(result.bytes == nil)
        expectEqual(result.diagnostics.map(\.code), ["merge-foreign-app"])
        #expect(result.diagnostics.first?.start != nil)
    }
}
