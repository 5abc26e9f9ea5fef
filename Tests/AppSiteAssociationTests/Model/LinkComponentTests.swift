import AppSiteAssociation
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
        #expect(links.defaults.caseSensitive == false)
        #expect(links.substitutionVariables.map(\.name.value) == ["v"])
        #expect(links.substitutionVariables.first?.values.map(\.value) == ["a", "b"])
        let detail = try #require(links.details.first)
        #expect(detail.appIDs.map(\.value) == ["A.a", "A.b"])
        #expect(detail.appIDForm == .appIDs)
        #expect(detail.defaults.path?.value == "/d")
        #expect(detail.paths == nil)
        let first = try #require(detail.components?.first)
        #expect(first.path?.value == "/p")
        #expect(first.query?.string == "q")
        #expect(first.fragment?.value == "f")
        #expect(first.exclude == true)
        #expect(first.caseSensitive == true)
        #expect(first.percentEncoded == false)
        let second = try #require(detail.components?.last)
        #expect(second.index == 1)
        #expect(second.query?.members?.map(\.key) == ["a", "b"])
        #expect(file.problems.isEmpty)
    }
}
