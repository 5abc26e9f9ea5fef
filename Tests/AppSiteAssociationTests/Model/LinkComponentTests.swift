import AppSiteAssociation
import TestSupport
import Testing

// Covers: Located.swift

@Suite struct LinkComponentTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    @Test func readsComponents() throws {
        let file = try read(
            ##"""
            {"applinks": {"defaults": {"caseSensitive": false, "z": 0},
              "substitutionVariables": {"v": ["a", "b"]},
              "details": [{"appIDs": ["A.a", "A.b"], "defaults": {"/": "/d"}, "other": {},
                "components": [
                  {"/": "/p", "?": "q", "#": "f", "exclude": true, "caseSensitive": true,
                   "percentEncoded": false, "comment": "c", "path": "/typo"},
                  {"?": {"a": "1", "b": "*"}}]}]}}
            """##)
        let links = try #require(file.applinks)
        expectEqual(links.defaults.caseSensitive, false)
        expectEqual(links.substitutionVariables.map(\.name.value), ["v"])
        expectEqual(links.substitutionVariables.first?.values.map(\.value), ["a", "b"])
        let detail = try #require(links.details.first)
        expectEqual(detail.appIDs.map(\.value), ["A.a", "A.b"])
        expectEqual(detail.appIDForm, .appIDs)
        expectEqual(detail.defaults.path?.value, "/d")
        #expect(detail.paths == nil)
        let first = try #require(detail.components?.first)
        expectEqual(first.path?.value, "/p")
        expectEqual(first.query?.string, "q")
        expectEqual(first.fragment?.value, "f")
        expectEqual(first.exclude, true)
        expectEqual(first.caseSensitive, true)
        expectEqual(first.percentEncoded, false)
        let second = try #require(detail.components?.last)
        expectEqual(second.index, 1)
        expectEqual(second.query?.members?.map(\.key), ["a", "b"])
        #expect(file.problems.isEmpty)
    }
}
