import AppSiteAssociation
import TestSupport
import Testing

@Suite struct NearestMissTests {
    private func association(_ text: String) throws -> CompiledAssociation {
        CompiledAssociation(try AssociationFile(reading: SourceText(name: "test", text: text)))
    }

    struct Miss: Sendable {
        var rule: String
        var url: String
        var part: RuleTrace.Place
        var hint: String?
    }

    @Test(arguments: [
        Miss(
            rule: #"{"/": "/Buy/*"}"#, url: "/buy/1", part: .path,
            hint: "only the case differs: \"caseSensitive\": false would match"),
        Miss(
            rule: #"{"/": "/buy/?*"}"#, url: "/buy/", part: .path,
            hint: "the pattern wants something behind this path"),
        Miss(
            rule: #"{"/": "/x#top"}"#, url: "/x#top", part: .path,
            hint: "a path never holds \"#\": the fragment has a pattern of its own, \"#\""),
        Miss(
            rule: #"{"/": "/a b"}"#, url: "/a%20b", part: .path,
            hint: "the pattern holds characters that a URL has only percent-encoded: "
                + "\"percentEncoded\": false compares with the decoded URL"),
        Miss(
            rule: #"{"/": "/x/$(nope)"}"#, url: "/x/1", part: .path,
            hint: "a variable of the pattern is not defined"),
        Miss(
            rule: #"{"/": "/x", "?": {"n": "?*"}}"#, url: "/x?m=1", part: .queryItem("n"),
            hint: "the URL has no item \"n\", which counts as empty"),
        Miss(
            rule: #"{"/": "/x", "?": {"n": "1"}}"#, url: "/x?n=1&n=2", part: .queryItem("n"),
            hint: "every occurrence of a repeated item has to match"),
        Miss(rule: #"{"/": "/x", "?": "a=1"}"#, url: "/x?a=2", part: .query, hint: nil),
        Miss(rule: ##"{"/": "/x", "#": "top"}"##, url: "/x", part: .fragment, hint: nil),
    ])
    func namesTheNearestMissAndWhy(_ miss: Miss) throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one", "components": [
              {"/": "/quite/different", "exclude": true}, \(miss.rule)]}]}}
            """)
        let answer = try #require(association.decide(url: miss.url, explain: true)?.first)
        let nearest = try #require(answer.nearestMiss)
        expectEqual(nearest.rule.description, "details[0].components[1]")
        expectEqual(nearest.misses.map(\.part), [miss.part])
        expectEqual(nearest.misses.first?.hint, miss.hint)
    }
}
