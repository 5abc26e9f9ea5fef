import AppSiteAssociation
import TestSupport
import Testing

@Suite struct LinkSamplesTests {
    private func file(_ rules: String, app: String = "A.a") throws -> AssociationFile {
        AssociationFile(
            document: try JSONReader.read(
                text: #"{"applinks":{"substitutionVariables":{"v":["one"]},"details":"#
                    + #"[{"appIDs":["\#(app)"],"components":[\#(rules)]}]}}"#))
    }

    private func samples(_ old: String, _ new: String) throws -> [String] {
        let (before, after) = (try file(old), try file(new))
        return LinkSamples.changed(AssociationDiff.diff(before, after), before, after).map {
            "\($0.url) \($0.before ?? "-") \($0.after ?? "-")"
        }
    }

    @Test func showsOnlyWhatMoves() throws {
        try expectEqual(
            samples(#"{"/":"/a/*"}"#, ##"{"/":"/a/*"},{"/":"/$(v)?","?":{"q":"?*"},"#":"f"}"##),
            ["/onex?q=xx#f - A.a"])
        try expectEqual(samples(#"{"/":"/a"},{"/":"*"}"#, #"{"/":"*"}"#), [])
        try expectEqual(
            samples(#"{"/":"*"}"#, #"{"/":"/b/*","exclude":true},{"/":"*"}"#),
            ["/b/x A.a -"])
    }
}
