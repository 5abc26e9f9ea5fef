import AppSiteAssociation
import TestSupport
import Testing

@Suite struct RuleMatchingTests {
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
