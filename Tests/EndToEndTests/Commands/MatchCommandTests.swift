import TestSupport
import Testing

@Suite struct MatchCommandTests {
    private static let document = """
        {"applinks": {"details": [{"appIDs": ["D3KQX62K1A.com.example.app"],
         "components": [{"/": "/buy/*"}, {"/": "/help/*", "exclude": true}]}]}}
        """

    @Test func namesTheRuleThatDecided() throws {
        let folder = try TemporaryFolder("match")
        let file = try folder.write("file.json", Self.document)
        let good = try Tool.aasa(["match", file, "https://example.com/buy/1"])
        expectEqual(good.status, 0, "\(good)")
        #expect(
            good.stdout.contains(
                "opens      D3KQX62K1A.com.example.app  by {\"/\": "
                    + "\"/buy/*\"}"))
        let excluded = try Tool.aasa(["match", file, "/help/1"])
        expectEqual(excluded.status, 1)
        #expect(excluded.stdout.contains("excluded"))
        let near = try Tool.aasa(["match", file, "/buy/1", "--app", "9QXW7P2LZT.com.example.app"])
        #expect(near.stderr.contains("with the prefix D3KQX62K1A"), "\(near)")
        let wrong = try Tool.aasa(["match", file, "example.com/buy"])
        expectEqual(wrong.status, 2)
        let missing = try Tool.aasa(["match", folder.path("none.json"), "/buy"])
        expectEqual(missing.status, 3)
    }

    /// A live answer is judged as `check` judges it, before its rules are.
    @Test func anAnswerThatNobodyReadsHasNoRules() throws {
        let hosts = try WatchedHosts([
            "a.example": .brokenCoding, "b.example": .cut, "c.example": .status("404 Not Found"),
        ])
        for (name, cause) in zip(hosts.names, ["gzip", "closed", "404"]) {
            let result = try Tool.aasa(["match", "https://\(name)", "/x"] + hosts.options)
            #expect(result.status == 3 && result.stdout.isEmpty, "\(result)")
            #expect(result.stderr.contains("no document: "), "\(result)")
            #expect(result.stderr.contains(cause), "\(result)")
        }
        let large = try WatchedHosts(["a.example": .large])
        let result = try Tool.aasa(["match", "https://a.example", "/x"] + large.options)
        #expect(result.stderr.contains("refuse more than 131072"), "\(result)")
    }

    @Test func readsAWholeSite() throws {
        let site = try SampleSite()
        let team = SampleSite.teams[0]
        let good = try Tool.aasa([
            "match", site.site, "https://example.com/x", "--app", "\(team).com.example.app",
        ])
        expectEqual(good.status, 0, "\(good)")
        let unknown = try Tool.aasa(["match", site.site, "https://nowhere.example/x"])
        #expect(unknown.status == 1 && unknown.stderr.contains("example.com"), "\(unknown)")
    }

    @Test func answersForAliasesOfTheHost() throws {
        let folder = try TemporaryFolder("match-alias")
        try folder.write("example.com/host.json", #"{"aliases": ["www.example.com"]}"#)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.document)
        let host = folder.path("example.com")
        let alias = try Tool.aasa(["match", host, "https://www.example.com/buy/1"])
        expectEqual(alias.status, 0, "\(alias)")
        let site = try Tool.aasa(["match", folder.path, "https://www.example.com/buy/1"])
        expectEqual(site.status, 0, "\(site)")
        try expectEqual(Tool.aasa(["match", host, "https://m.example.com/buy/1"]).status, 1)
    }
}
