import AppSiteAssociation
import Testing

@Suite struct AppLinksTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    @Test func readsTheOldForms() throws {
        let dictionary = try read(
            #"{"applinks": {"details": {"A.a": {"paths": ["*"]}, "A.b": {"paths": []}}}}"#)
        #expect(dictionary.applinks?.detailsForm == .dictionary)
        #expect(dictionary.applinks?.details.map { $0.appIDs.map(\.value) } == [["A.a"], ["A.b"]])
        #expect(dictionary.applinks?.details.first?.appIDForm == .key)

        let single = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "paths": ["NOT /x", "/y"]}]}}"#)
        #expect(single.applinks?.details.first?.appIDForm == .appID)
        #expect(single.applinks?.details.first?.paths?.map(\.value) == ["NOT /x", "/y"])
        #expect(single.applinks?.details.first?.components == nil)

        let both = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "appIDs": ["A.b"], "paths": []}]}}"#)
        #expect(both.applinks?.details.first?.appIDs.map(\.value) == ["A.b"])
        #expect(both.applinks?.details.first?.appIDMember?.value.string == "A.a")
    }
}
