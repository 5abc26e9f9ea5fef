import Foundation
import TestSupport
import Testing

@Suite struct MatchReportTests {
    private static let document = """
        {"applinks": {"details": [{"appIDs": ["D3KQX62K1A.com.example.app"],
         "components": [{"/": "/buy/*"}, {"/": "/help/*", "exclude": true}]}]}}
        """

    @Test func answersInJSON() throws {
        let folder = try TemporaryFolder("match")
        let file = try folder.write("file.json", Self.document)
        let result = try Tool.aasa([
            "match", file, "/buy/1", "/other", "--format", "json", "--app",
            "D3KQX62K1A.com.example.app",
        ])
        let answers = try #require(
            JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [[String: Any]])
        expectEqual(answers.map { $0["url"] as? String }, ["/buy/1", "/other"])
        let apps = answers.compactMap { ($0["apps"] as? [[String: Any]])?.first }
        expectEqual(apps.map { $0["decision"] as? String }, ["match", "none"])
        #expect(apps.allSatisfy { $0["app"] as? String == "D3KQX62K1A.com.example.app" })
    }

    @Test func pointsToTheTeamsFileAndSaysWhoIsFirst() throws {
        let folder = try MatchSite.ofTwoTeams()
        let host = folder.path("example.com")
        let both = try Tool.aasa(["match", host, "https://example.com/de/x?q=1"])
        expectEqual(both.status, 0, "\(both)")
        #expect(both.stdout.contains("(\(host)/teams/D3KQX62K1A.json:3:5)"), "\(both)")
        #expect(both.stdout.contains("first      D3KQX62K1A.a: its entry stands first"), "\(both)")
        let json = try Tool.aasa(["match", host, "/de/x?q=1", "--format", "json", "--explain"])
        let answers = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        let first = try #require(answers.first?["first"] as? [String: Any])
        #expect(first["isKnown"] as? Bool == true)
        let rule = (answers.first?["apps"] as? [[String: Any]])?.first?["rule"] as? [String: Any]
        #expect(rule?["file"] as? String == "\(host)/teams/D3KQX62K1A.json")
        #expect(rule?["line"] as? Int == 3)
        expectEqual((answers.first?["traces"] as? [Any])?.count, 2)
    }

    @Test(arguments: [
        ("https://www.example.com/de/x?q=1", "www.example.com is another host"),
        ("https://m.example.com/", "applinks:*.example.com"),
        ("https://nowhere.example/", "this document is that of example.com"),
        ("ftp://example.com/", "are no universal links"),
        ("https://example.com:8443/de/x", "carry no port"),
        ("/fr/x?q=1", "$(lang) has no value"),
    ]) func givesReasons(_ url: String, _ reason: String) throws {
        let folder = try MatchSite.ofTwoTeams()
        let result = try Tool.aasa(["match", folder.path("example.com"), url, "--app", "a"])
        #expect(result.stdout.contains(reason), "\(result)")
        #expect(!result.stdout.contains("9JA89QQLNQ.b"), "\(result)")
    }
}
