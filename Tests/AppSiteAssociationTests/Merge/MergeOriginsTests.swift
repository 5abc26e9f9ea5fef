import AppSiteAssociation
import TestSupport
import Testing

@Suite struct MergeOriginsTests {
    private let texts = [
        """
        { "applinks": {
            "substitutionVariables": { "v": ["one"] },
            "details": [
              { "appIDs": ["AAAAAAAAA1.com.a"], "components": [{ "/": "/$(v)" }] }
            ] } }
        """,
        """
        {
          "applinks": {
            "defaults": { "caseSensitive": false },
            "substitutionVariables": { "v": ["two"] },
            "details": [{ "appIDs": ["BBBBBBBBB1.com.b"], "components": [{ "/": "/$(v)/x" }, { "/": "/y" }] }]
          },
          "webcredentials": { "apps": ["BBBBBBBBB1.com.b"] }
        }
        """,
    ]

    /// The text in the fragments from which a text of the merged document comes.
    private func origin(_ text: String) throws -> String? {
        let fragments = try zip(["AAAAAAAAA1", "BBBBBBBBB1"], texts).map { team, text in
            Fragment(
                team: team,
                file: AssociationFile(document: try JSONReader.read(text: text, name: team)))
        }
        let result = Merge.merge(fragments, keepsOrigins: true)
        let merged = String(decoding: try #require(result.bytes), as: UTF8.self)
        let range = try #require(merged.range(of: text), "\(merged)")
        let start = merged.utf8.distance(from: merged.startIndex, to: range.lowerBound)
        let place = result.origins?.place(of: start..<start + text.utf8.count)
        return place.map { $0.source.name + ": " + $0.source.text(in: $0.range) }
    }

    @Test(arguments: [
        (#"{"/":"/y"}"#, #"BBBBBBBBB1: { "/": "/y" }"#),
        // A renamed variable: the pattern as the team wrote it.
        (#"{"/":"/$(v-BBBBBBBBB1)/x"}"#, #"BBBBBBBBB1: { "/": "/$(v)/x" }"#),
        (#""AAAAAAAAA1.com.a""#, #"AAAAAAAAA1: "AAAAAAAAA1.com.a""#),
        (#""two""#, #"BBBBBBBBB1: "two""#),
        (#"["BBBBBBBBB1.com.b"]}}"#, nil), (#""applinks""#, nil),
    ]) func pointsToTheTeamsFile(_ text: String, _ expected: String?) throws {
        try expectEqual(origin(text), expected)
    }

    @Test func costsNothingUnlessAskedFor() {
        #expect(Merge.merge([]).origins == nil)
    }
}
