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

    @Test func knowsMembersByTheirKeysAndWhatStandsBeside() throws {
        let places = try places()
        let place = try #require(places.member(range(##""b""##)))
        #expect(place.value.members?.first?.key == "c")
        #expect(!places.takes("b2", beside: place))
        #expect(places.takes("c", beside: place))
        #expect(!places.takes("c", beside: place))
        #expect(try places.member(range("[2]")) == nil)
        #expect(places.value(try range(##""x""##))?.string == "x")
        #expect(places.value(try range("1")) == nil)
    }
}
