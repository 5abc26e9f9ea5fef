import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostDocumentTests {
    private func document(_ json: String, teamBytes: [String: Int] = [:]) throws -> HostDocument {
        let source = SourceText(name: "f", text: json)
        return HostDocument(
            json: source.bytes, file: try AssociationFile(reading: source),
            teamBytes: teamBytes)
    }

    /// An app that uses several services is one app.
    @Test func appsAreCountedOnceOverAllServices() throws {
        let document = try document(
            """
            {"applinks":{"details":[{"appIDs":["B.one","A.two"],"components":[]},
                                    {"appID":"B.old","paths":[]}]},
             "webcredentials":{"apps":["B.one","A.three"]},
             "appclips":{"apps":["B.one.Clip"]},
             "activitycontinuation":{"apps":["C.hand","A.two"]}}
            """)
        expectEqual(
            HostDocument.applicationIdentifiers(in: document.file),
            [
                "B.one", "A.two", "B.old", "A.three", "B.one.Clip", "C.hand",
            ])
        expectEqual(document.apps, 6)
        expectEqual(document.teams.map(\.identifier), ["A", "B", "C"])
        expectEqual(document.teams.map(\.apps), [2, 3, 1])
        expectEqual(document.teams.map(\.bytes), [0, 0, 0], "not known")
    }

    /// A team whose file names no app is there, with its share.
    @Test func sharesAreThoseOfTheTeams() throws {
        let document = try document(
            "{\"webcredentials\":{\"apps\":[\"B.one\"]}}", teamBytes: ["B": 30, "A": 20])
        expectEqual(
            document.teams,
            [
                HostFacts.Team(identifier: "A", apps: 0, bytes: 20),
                HostFacts.Team(identifier: "B", apps: 1, bytes: 30),
            ])
        expectEqual(document.apps, 1)
    }

    @Test func anEmptyDocumentHasNoApps() throws {
        let document = try document("{}")
        #expect(document.apps == 0 && document.teams.isEmpty)
    }

    /// Without origins a place is one of the document itself.
    @Test func withoutOriginsAPlaceIsItsOwn() throws {
        let document = try document("{}")
        let place = document.place(of: 0..<2)
        #expect(place.source === document.file.source && place.range == 0..<2)
    }
}
