import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct RuleEvaluationTests {
    private func association(_ text: String) throws -> CompiledAssociation {
        CompiledAssociation(try AssociationFile(reading: SourceText(name: "test", text: text)))
    }

    @Test func pathsTakeCaseAndEncodingFromTheDefaults() throws {
        let association = try association(
            """
            {"applinks": {"defaults": {"caseSensitive": false, "exclude": true, "#": "never"},
              "details": [{"appID": "A.one", "paths": ["/Café"],
                           "defaults": {"percentEncoded": false}}]}}
            """)
        let answers = association.decide(url: "https://example.com/cAF%C3%89")
        expectEqual(answers?.first?.decision, .match)
    }

    @Test func namesOfQueryItemsAreNoPatterns() throws {
        let association = try association(
            """
            {"applinks": {"details": [{"appID": "A.one", "components": [{"?": {"a*": "1"}}]}]}}
            """)
        func decision(_ url: String) -> LinkDecision? {
            association.decide(url: url)?.first?.decision
        }
        expectEqual(decision("https://example.com/?a*=1"), .match)
        expectEqual(decision("https://example.com/?ab=1"), LinkDecision.none)
        expectEqual(decision("https://example.com/?&&a*=1&"), .match)
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
        expectEqual(decision("/a\(rest)#40"), .match)
        expectEqual(decision("/a\(rest)#41"), .match)
        expectEqual(decision("/a\(rest)#x"), LinkDecision.none)
        expectEqual(decision("/A\(rest)#40"), LinkDecision.none)
        expectEqual(decision("/A\(rest)#42"), .match)
        expectEqual(decision("/b#40"), LinkDecision.none)
        func steps(_ count: Int) throws -> Int {
            try spent(association(count, isMixed: false), "/a\(rest)#x")
        }
        // A rule more is a fragment more, and not the path's 400 letters again.
        #expect(try steps(2_000) - steps(20) < 1_980 * 10)
    }

    /// The steps to decide about a URL.
    private func spent(_ association: CompiledAssociation, _ url: String) throws -> Int {
        let steps = Steps(1 << 40)
        _ = association.decide(try #require(URLParts(url)), domain: nil, steps) { _, _ in true }
        return (1 << 40) - steps.left
    }

    /// The same of the other patterns of defaults, on a URL that is long there.
    @Test(arguments: [(##""#": "*@b""##, "#"), (##""?": "*@b""##, "?"), (##""/": "/*@b""##, "")])
    func comparesLongDefaultsOnce(key: String, mark: String) throws {
        let letters = String(repeating: "a", count: 500)
        func steps(_ count: Int) throws -> Int {
            let rules = Array(repeating: "{}", count: count).joined(separator: ",")
            let text =
                ##"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.a"], "defaults": {"##
                + key.replacing("@", with: letters) + ##"}, "components": ["## + rules + "]}]}}"
            return try spent(association(text), "/\(mark)\(letters)\(letters)")
        }
        #expect(try steps(400) - steps(10) < 390 * 10)
    }

    /// Items of defaults under many rules: each is compared once.
    @Test func comparesSharedItemsOnce() throws {
        func steps(_ count: Int) throws -> Int {
            let items = (0..<500).map { ##""q\##($0)": "*""## }.joined(separator: ",")
            let rules = (0..<count).map { ##"{"#": "\##($0)"}"## }.joined(separator: ",")
            return try spent(
                association(
                    ##"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.a"], "defaults": {"?": {"##
                        + items + "}}, \"components\": [\(rules)]}]}}"), "/a")
        }
        #expect(try steps(400) - steps(10) < 390 * 10)
    }

    /// Rules times items, where each item is looked for among all of the URL's.
    @Test func findsTheItemsOfALongQuery() throws {
        func association(_ count: Int) throws -> CompiledAssociation {
            let items = (0..<count).map { ##""q\##($0)": "v?""## }.joined(separator: ",")
            return CompiledAssociation(
                AssociationFile(
                    document: try JSONReader.read(
                        text: ##"{"applinks": {"details": [{"appIDs": ["9JA89QQLNQ.a"], "##
                            + ##""components": [{"?": {"## + items + "}}]}]}}")))
        }
        func url(_ count: Int, _ more: String = "") -> String {
            "/?" + (0..<count).map { "q\((($0 * 7) % count))=v1" }.joined(separator: "&") + more
        }
        func steps(_ count: Int) throws -> Int {
            let association = try association(count)
            expectEqual(association.decide(url: url(count))?.first?.decision, .match)
            return try spent(association, url(count))
        }
        #expect(try steps(800) < 800 * 30)
        let rules = try association(40)
        // Every occurrence of a name has to match, wherever it stands.
        expectEqual(rules.decide(url: url(40, "&q3=v22"))?.first?.decision, LinkDecision.none)
        expectEqual(rules.decide(url: url(40, "&q3=v2&q39=v9&z"))?.first?.decision, .match)
        expectEqual(rules.decide(url: url(39))?.first?.decision, LinkDecision.none)
        expectEqual(rules.decide(url: url(40, "&q3"))?.first?.decision, LinkDecision.none)
        let misses = try #require(
            rules.decide(url: url(40, "&q3=no&q3=v2"), explain: true)?.first?.nearestMiss)
        expectEqual(misses.misses.map(\.part), [.queryItem("q3")])
        expectEqual(misses.misses.first?.value, "no")
    }
}
