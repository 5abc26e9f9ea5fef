// Covers: JSONValue+Making.swift

import AppSiteAssociation
import TestSupport
import Testing

@Suite struct CompiledAssociationTests {
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
        expectEqual(association.apps, ["A.one", "A.two", "A.three"])
        let buy = try #require(association.decide(url: "https://example.com/buy/1"))
        expectEqual(buy.map(\.decision), [.match, .match, .none])
        expectEqual(buy.first?.rule?.description, "details[0].components[0]")
        let sell = try #require(association.decide(url: "https://example.com/sell/1"))
        expectEqual(sell.map(\.decision), [.none, .exclude, .match])
        expectEqual(sell.last?.rule?.description, "details[2].paths[1]")
        let secret = try #require(association.decide(url: "/sell/secret", app: "A.three"))
        expectEqual(secret.map(\.decision), [.exclude])
    }

    /// The compiled document against the words of the documentation: rule by rule, naive matching.
    @Test(arguments: [UInt64](100...107))
    func agreesWithANaiveReadingOfTheDocument(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let patterns = ["/a/*", "/a", "*b", "/?/b", "/A/*", "/", "*", "/a/b*", "NOT /a", ""]
        let urls = ["/a", "/a/", "/a/b", "/A/b", "/", "/b/a/b", "/x", "/a//b"]
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
                expectEqual(
                    association.decide(url).first?.decision, expected,
                    "seed \(seed): \(path) against \(components)")
            }
        }
    }
}
