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
        #expect(links.defaults.caseSensitive?.value == false)
        #expect(links.substitutionVariables.map(\.name.value) == ["v"])
        #expect(links.substitutionVariables.first?.values.map(\.value) == ["a", "b"])
        let detail = try #require(links.details.first)
        #expect(detail.appIDs.map(\.value) == ["A.a", "A.b"])
        #expect(detail.appIDForm == .appIDs)
        #expect(detail.defaults.path?.value == "/d")
        #expect(detail.paths == nil)
        let first = try #require(detail.components?.first)
        #expect(first.path?.value == "/p")
        #expect(first.query?.value == .pattern("q"))
        #expect(first.fragment?.value == "f")
        #expect(first.exclude?.value == true)
        #expect(first.caseSensitive?.value == true)
        #expect(first.percentEncoded?.value == false)
        let second = try #require(detail.components?.last)
        #expect(second.index == 1)
        guard case .items(let items) = second.query?.value else {
            Issue.record("no items")
            return
        }
        #expect(items.map(\.name.value) == ["a", "b"])
        #expect(items.map(\.pattern.value) == ["1", "*"])
        #expect(file.problems.isEmpty)
    }

    @Test func keepsItemsWhoseNamesAreComposedOtherwise() throws {
        let query = "{\"\u{E9}\": \"1\", \"e\u{301}\": \"2\", \"\u{E9}\": \"3\"}"
        let file = try read(
            #"{"applinks": {"details": [{"appIDs": ["A.a"], "components": [{"?": \#(query)}]}]}}"#)
        guard
            case .items(let items) = file.applinks?.details.first?.components?.first?.query?.value
        else {
            Issue.record("no items")
            return
        }
        #expect(items.map(\.pattern.value) == ["3", "2"])
    }

    @Test func dropsAQueryWithAValueThatIsNoString() throws {
        for query in [#"{"a": "1", "b": true}"#, "5", "null", "[]"] {
            let file = try read(
                #"{"applinks": {"details": [{"appIDs": ["A.a"], "components": [{"?": "#
                    + #"\#(query)}]}]}}"#
            )
            #expect(file.applinks?.details.first?.components?.first?.query?.value == .dropped)
            #expect(file.problems.count == 1)
        }
    }
}
