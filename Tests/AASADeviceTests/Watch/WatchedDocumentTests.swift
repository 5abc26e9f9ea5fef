import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct WatchedDocumentTests {
    private static func document(_ text: String) throws -> WatchedDocument {
        try #require(WatchedDocument(Array(text.utf8)))
    }

    @Test func tellsDocumentsApartByMeaning() throws {
        let one = try Self.document(
            "{\"webcredentials\":{\"apps\":[\"T.a\",\"T.b\"]},\"applinks\":{\"details\":[]}}")
        let same = try Self.document(
            "{ \"applinks\": {\"details\": []}, \"webcredentials\": {\"apps\": [\"T.a\", \"T.b\"]}}"
        )
        let fewer = try Self.document("{\"webcredentials\":{\"apps\":[\"T.b\"]}}")
        expectEqual(one, same)
        expectEqual(one.apps, ["webcredentials T.a", "webcredentials T.b"])
        #expect(one.digest != fewer.digest)
        expectEqual(one.difference(to: fewer), "gone: webcredentials T.a")
        #expect(WatchedDocument(Array("<html>".utf8)) == nil)
        #expect(WatchedDocument([]) == nil)
    }

    /// The order of members means nothing, that of a list does: rules are tried in their order.
    @Test func sortsMembersAndNotLists() throws {
        func links(_ rules: String) throws -> WatchedDocument {
            try Self.document(
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"T.a\"],\"components\":[\(rules)]}]}}")
        }
        let one = try links("{\"/\":\"/a\",\"exclude\":true},{\"/\":\"/b\"}")
        try expectEqual(links("{\"exclude\":true,\"/\":\"/a\"},{\"/\":\"/b\"}"), one)
        let turned = try links("{\"/\":\"/b\"},{\"/\":\"/a\",\"exclude\":true}")
        #expect(turned.digest != one.digest)
        expectEqual(one.difference(to: turned), "rules or settings of the same apps")
    }

    @Test func keepsAppsOfEveryServiceOnce() throws {
        let all = try Self.document(
            """
            {"activitycontinuation":{"apps":["T.d"]},"appclips":{"apps":["T.c"]},
             "applinks":{"details":[{"appIDs":["T.b","T.a"]},{"appIDs":["T.a"]}]},
             "own":{"apps":["T.e"]}}
            """)
        expectEqual(
            all.apps,
            [
                "activitycontinuation T.d", "appclips T.c", "applinks T.a", "applinks T.b",
                "own T.e",
            ])
    }

    @Test func boundsWhatItRemembers() throws {
        for (count, kept) in [(4000, 4000), (4001, 4000)] {
            let apps = (0..<count).map { "\"T.a\($0)\"" }.joined(separator: ",")
            try expectEqual(
                Self.document("{\"webcredentials\":{\"apps\":[\(apps)]}}").apps.count, kept)
        }
    }

    /// Five names of each, the rest counted.
    @Test func namesTheFirstAndCountsTheRest() {
        func apps(_ range: Range<Int>) -> WatchedDocument {
            WatchedDocument(digest: "\(range)", apps: range.map { "s A\($0)" })
        }
        expectEqual(apps(0..<0).difference(to: apps(0..<5)), "new: s A0, s A1, s A2, s A3, s A4")
        expectEqual(
            apps(0..<0).difference(to: apps(0..<6)),
            "new: s A0, s A1, s A2, s A3, s A4 and 1 more")
        expectEqual(apps(0..<2).difference(to: apps(1..<3)), "new: s A2; gone: s A0")
    }
}
