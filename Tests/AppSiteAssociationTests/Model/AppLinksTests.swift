import AppSiteAssociation
import TestSupport
import Testing

@Suite struct AppLinksTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    @Test func readsTheOldForms() throws {
        let dictionary = try read(
            #"{"applinks": {"details": {"A.a": {"paths": ["*"]}, "A.b": {"paths": []}}}}"#)
        expectEqual(dictionary.applinks?.detailsForm, .dictionary)
        expectEqual(
            dictionary.applinks?.details.map { $0.appIDs.map(\.value) }, [["A.a"], ["A.b"]])
        expectEqual(dictionary.applinks?.details.first?.appIDForm, .key)

        let single = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "paths": ["NOT /x", "/y"]}]}}"#)
        expectEqual(single.applinks?.details.first?.appIDForm, .appID)
        expectEqual(single.applinks?.details.first?.paths?.map(\.value), ["NOT /x", "/y"])
        #expect(single.applinks?.details.first?.components == nil)

        let both = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "appIDs": ["A.b"], "paths": []}]}}"#)
        expectEqual(both.applinks?.details.first?.appIDs.map(\.value), ["A.b"])
        expectEqual(both.applinks?.details.first?.appIDMember?.value.string, "A.a")
    }
}
