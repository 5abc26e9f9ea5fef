import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct VariableRenamingTests {
    /// The value of `applinks` before and after.
    private func renamed(_ details: String) throws -> [JSONValue] {
        let text = "{\"applinks\":{\"details\":[\(details)]}}"
        let file = AssociationFile(document: try JSONReader.read(text: text))
        let before = try #require(file.document.root["applinks"])
        return [before, VariableRenaming(file.applinks, ["v": "w"]).renamed(before)]
    }

    private func texts(_ details: String) throws -> [String] {
        try renamed(details).map { String(decoding: JSONWriter.minified($0), as: UTF8.self) }
    }

    @Test(arguments: [
        // Patterns of a component, and nothing else.
        (##"{"/":"$(v)","#":"$(v)","?":"$(v)"}"##, ##"{"/":"$(w)","#":"$(w)","?":"$(w)"}"##),
        (#"{"?":{"$(v)":"$(v)","a":1}}"#, #"{"?":{"$(v)":"$(w)","a":1}}"#),
        (#"{"comment":"$(v)","x":"$(v)","?":["$(v)"]}"#, nil as String?),
        (#"{"/":["$(v)"],"exclude":true}"#, nil),
    ]) func patternsOfComponentsAreRewritten(_ before: String, _ after: String?) throws {
        let found = try texts("{\"components\":[\(before)]}")
        expectEqual(found[1], found[0].replacing(before, with: after ?? before))
    }

    @Test(arguments: [
        (
            #"{"paths":["$(v)","NOT $(v)",1],"components":[{"/":"$(v)"},"$(v)",{"?":{"a":"$(v)"}}]}"#,
            #"{"paths":["$(w)","NOT $(w)",1],"components":[{"/":"$(w)"},"$(v)",{"?":{"a":"$(w)"}}]}"#
                as String?
        ),
        (#"{"defaults":{"/":"$(v)"}}"#, #"{"defaults":{"/":"$(w)"}}"#),
        (#"{"appIDs":["$(v)"],"x":{"/":"$(v)"},"paths":"$(v)","defaults":"$(v)"}"#, nil),
    ]) func patternsOfEntriesAreRewritten(_ before: String, _ after: String?) throws {
        let found = try texts(before)
        expectEqual(found[1], found[0].replacing(before, with: after ?? before))
    }

    /// Findings of a merge point into the fragments: what is rewritten keeps its place.
    @Test func placesAreKept() throws {
        let found = try renamed(#"{"paths":["$(v)"],"components":[{"/":"$(v)"}]}"#)
        var places: [[Range<Int>]] = [[], []]
        for (index, value) in found.enumerated() {
            value.forEachValue { places[index].append($0.range) }
        }
        #expect(places[0] == places[1] && places[0].count == 8)
    }
}
