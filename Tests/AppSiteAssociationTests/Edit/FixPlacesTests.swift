import Foundation
import Testing

@testable import AppSiteAssociation

@Suite struct FixPlacesTests {
    private let text = ##"{"a": [1, [2], 3], "b": {"c": "x"}, "b2": [4]}"##

    private func places() throws -> FixPlaces {
        FixPlaces(try JSONReader.read(text: text).root)
    }

    private func range(_ part: String) throws -> Range<Int> {
        let found = try #require(text.range(of: part))
        let start = text.utf8.distance(from: text.startIndex, to: found.lowerBound)
        return start..<start + part.utf8.count
    }

    private func without(_ part: String, byValue: Bool = false) throws -> String? {
        let edits = try places().removal(of: range(part), byValue: byValue)
        return edits.flatMap { TextEdit.apply($0, to: Array(text.utf8)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func takesElementsOutWithTheirCommas() throws {
        #expect(try without("1") == ##"{"a": [[2], 3], "b": {"c": "x"}, "b2": [4]}"##)
        #expect(try without("[2]") == ##"{"a": [1, 3], "b": {"c": "x"}, "b2": [4]}"##)
        #expect(try without("3") == ##"{"a": [1, [2]], "b": {"c": "x"}, "b2": [4]}"##)
    }

    @Test func takesMembersOutByKeyOrWhole() throws {
        let left = ##"{"a": [1, [2], 3], "b2": [4]}"##
        #expect(try without(##""b""##) == left)
        #expect(try without(##""b": {"c": "x"}"##) == left)
    }

    /// A value is no member: what a finding says of `"appID": "…"` must not take the key away.
    @Test func takesValuesOutOnlyWhereTheyAreMeant() throws {
        #expect(try without(##"{"c": "x"}"##) == nil)
        #expect(
            try without(##"{"c": "x"}"##, byValue: true) == ##"{"a": [1, [2], 3], "b2": [4]}"##)
        #expect(try without("3", byValue: true) == nil)
    }

    @Test func leavesTheLastOfAContainer() throws {
        #expect(try without("4") == nil)
        #expect(try without(##""c""##) == nil)
    }

    @Test func knowsMembersByTheirKeysAndWhatStandsBeside() throws {
        let places = try places()
        let place = try #require(places.member(range(##""b""##)))
        #expect(place.value.members?.first?.key == "c")
        #expect(places.has("b2", beside: place))
        #expect(!places.has("c", beside: place))
        #expect(try places.member(range("[2]")) == nil)
        #expect(places.value(try range(##""x""##))?.string == "x")
        #expect(places.value(try range("1")) == nil)
    }

    @Test(arguments: [
        (##"{"applinks": {"defaults": {"?": "a"}}}"##, true),
        (##"{"applinks": {"details": [{}, {"defaults": {"?": {}}}]}}"##, true),
        (##"{"applinks": {"details": {"A.a": {}, "A.b": {"defaults": {"?": {}}}}}}"##, true),
        (##"{"applinks": {"defaults": {"/": "a"}, "details": [{"?": "b"}]}}"##, false),
    ]) func seesQueriesOfDefaults(text: String, holds: Bool) throws {
        #expect(FixPlaces(try JSONReader.read(text: text).root).defaultsHoldQuery == holds)
    }
}
