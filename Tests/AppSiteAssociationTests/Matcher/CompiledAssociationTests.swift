// Covers: AssociationBuilder.swift, CompiledRule.swift, Decision.swift, NearestMiss.swift
// Covers: RuleMatching.swift, URLParts.swift, URLText.swift, URLTextWriter.swift
// Covers: JSONValue+Making.swift

import AppSiteAssociation
import TestSupport
import Testing

@Suite struct CompiledAssociationTests {
    /// Patterns of defaults are compiled once, and count for every rule that does not set its own.
    @Test func inheritedPatternsHoldForEveryRule() throws {
        let text = ##"""
            {"applinks": {"defaults": {"/": "/a/*", "?": {"q": "1"}}, "details": [
              {"appIDs": ["A.a"], "components": [{"#": "x"}, {"#": "y"}, {"/": "/b", "?": "*"}]},
              {"appIDs": ["A.b"], "defaults": {"/": "/c"}, "components": [
                {"#": "x"}, {"#": "Y", "caseSensitive": false}]}]}}
            """##
        let association = CompiledAssociation(
            AssociationFile(document: try JSONReader.read(text: text)))
        func opened(_ url: String) -> [String] {
            (association.decide(url: url) ?? []).filter { $0.decision == .match }.map(\.app)
        }
        #expect(opened("/a/1?q=1#x") == ["A.a"])
        #expect(opened("/a/1?q=1#y") == ["A.a"])
        #expect(opened("/a/1?q=2#y") == [])
        #expect(opened("/b") == ["A.a"])
        #expect(opened("/c?q=1#x") == ["A.b"])
        #expect(opened("/C?q=1#y") == ["A.b"])
        #expect(opened("/C?q=1#x") == [])
    }

    private func association(_ text: String) throws -> CompiledAssociation {
        CompiledAssociation(try AssociationFile(reading: SourceText(name: "test", text: text)))
    }

    @Test func answersForEveryAppInOrderOfPriority() throws {
        let association = try association(
            """
            {"applinks": {"details": [
              {"appIDs": ["A.one", "A.two"], "components": [{"/": "/buy/*"}]},
              {"appIDs": ["A.two"], "components": [{"/": "/sell/*", "exclude": true}]},
              {"appID": "A.three", "paths": ["NOT /sell/secret", "/sell/*"]}
            ]}}
            """)
        #expect(association.apps == ["A.one", "A.two", "A.three"])
        let buy = try #require(association.decide(url: "https://example.com/buy/1"))
        #expect(buy.map(\.decision) == [.match, .match, .none])
        #expect(buy.first?.rule?.description == "details[0].components[0]")
        let sell = try #require(association.decide(url: "https://example.com/sell/1"))
        #expect(sell.map(\.decision) == [.none, .exclude, .match])
        #expect(sell.last?.rule?.description == "details[2].paths[1]")
        let secret = try #require(association.decide(url: "/sell/secret", app: "A.three"))
        #expect(secret.map(\.decision) == [.exclude])
    }

    @Test func anEntryWithoutAnyListTakesEverything() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one"}, {"appID": "A.two", "components": []}]}}
            """)
        let answers = try #require(association.decide(url: "https://example.com/x"))
        #expect(answers.map(\.decision) == [.match, .none])
        #expect(answers.first?.rule?.rule == .everything)
    }

    @Test func onlyWebAddressesOfTheDomainCount() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one", "paths": ["*"]}]}}
            """)
        func decision(_ url: String, _ domain: String? = nil) -> LinkDecision? {
            association.decide(url: url, domain: domain)?.first?.decision
        }
        #expect(decision("https://example.com/x") == .match)
        #expect(decision("HTTP://example.com/x") == .match)
        #expect(decision("ftp://example.com/x") == LinkDecision.none)
        #expect(decision("https://user@Example.com:8443/x", "example.com") == .match)
        #expect(decision("https://www.example.com/x", "example.com") == LinkDecision.none)
        #expect(decision("/x", "example.com") == .match)
        #expect(decision("example.com/x") == nil)
        #expect(decision("https:///x") == nil)
    }

    @Test func pathsTakeCaseAndEncodingFromTheDefaults() throws {
        let association = try association(
            """
            {"applinks": {"defaults": {"caseSensitive": false, "exclude": true, "#": "never"},
              "details": [{"appID": "A.one", "paths": ["/Café"],
                           "defaults": {"percentEncoded": false}}]}}
            """)
        let answers = association.decide(url: "https://example.com/cAF%C3%89")
        #expect(answers?.first?.decision == .match)
    }

    @Test func namesOfQueryItemsAreNoPatterns() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one", "components": [{"?": {"a*": "1"}}]}]}}
            """)
        func decision(_ url: String) -> LinkDecision? {
            association.decide(url: url)?.first?.decision
        }
        #expect(decision("https://example.com/?a*=1") == .match)
        #expect(decision("https://example.com/?ab=1") == LinkDecision.none)
        #expect(decision("https://example.com/?&&a*=1&") == .match)
    }

    struct Miss: Sendable {
        var rule: String
        var url: String
        var part: PartFailure.Part
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
        #expect(nearest.rule.description == "details[0].components[1]")
        #expect(nearest.failures.map(\.part) == [miss.part])
        #expect(nearest.failures.first?.hint == miss.hint)
    }

    /// The compiled document against the words of the documentation: rule by rule, naive matching.
    @Test(arguments: [UInt64](100...107))
    func agreesWithANaiveReadingOfTheDocument(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let patterns = ["/a/*", "/a", "*b", "/?/b", "/A/*", "/", "*", "/a/b*", "NOT /a", ""]
        let urls = ["/a", "/a/", "/a/b", "/A/b", "/", "/b/a/b", "/x", "/a//b"]
        let scratch = MatchScratch()
        for _ in 0..<200 {
            var rules: [(pattern: String, excludes: Bool, caseSensitive: Bool)] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                rules.append(
                    (
                        patterns.randomElement(using: &random) ?? "",
                        Bool.random(using: &random), Bool.random(using: &random)
                    ))
            }
            let components = rules.map {
                """
                {"/": "\($0.pattern)", "exclude": \($0.excludes),
                 "caseSensitive": \($0.caseSensitive)}
                """
            }
            let association = try association(
                """
                {"applinks": {"details": [{"appID": "A.one",
                 "components": [\(components.joined(separator: ","))]}]}}
                """)
            for path in urls {
                let first = rules.first {
                    ReferenceMatcher(caseSensitive: $0.caseSensitive).matchesPath($0.pattern, path)
                }
                let expected = first.map { $0.excludes ? LinkDecision.exclude : .match } ?? .none
                let url = try #require(URLParts("https://example.com" + path))
                #expect(
                    association.decision(for: url, appAt: 0, scratch: scratch) == expected,
                    "seed \(seed): \(path) against \(components)")
                #expect(association.decide(url, scratch: scratch).first?.decision == expected)
            }
        }
    }

    /// Rules that take over one pattern of `defaults`, one behind the other: it is compared once
    /// for all of them, and what each adds is still its own.
    @Test func aSharedPatternIsComparedOnce() throws {
        func association(_ count: Int, isMixed: Bool) throws -> CompiledAssociation {
            let list = (0..<count).map { number in
                let folded = isMixed && number % 3 == 0 ? ##", "caseSensitive": false"## : ""
                return ##"{"#": "\##(number)"\##(folded)}"##
            }
            let stars = String(repeating: "a*", count: 200)
            let text =
                ##"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.a"], "defaults": {"/": "/"##
                + stars + ##""}, "components": ["## + list.joined(separator: ",") + "]}]}}"
            return CompiledAssociation(
                AssociationFile(document: try JSONReader.read(text: text)))
        }
        let rest = String(repeating: "a", count: 399)
        let mixed = try association(60, isMixed: true)
        func decision(_ url: String) -> LinkDecision? { mixed.decide(url: url)?.first?.decision }
        #expect(decision("/a\(rest)#40") == .match)
        #expect(decision("/a\(rest)#41") == .match)
        #expect(decision("/a\(rest)#x") == LinkDecision.none)
        #expect(decision("/A\(rest)#40") == LinkDecision.none)
        #expect(decision("/A\(rest)#42") == .match)
        #expect(decision("/b#40") == LinkDecision.none)
        func steps(_ count: Int) throws -> Int {
            let scratch = MatchScratch()
            let url = try #require(URLParts("/a\(rest)#x"))
            _ = try association(count, isMixed: false).decide(url, scratch: scratch)
            return scratch.steps
        }
        // A rule more is a fragment more, and not the path's 400 letters again.
        #expect(try steps(2_000) - steps(20) < 1_980 * 10)
    }
}
