import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AssociationDiffTests: DiffSuite {
    // MARK: No change

    @Test func findsNothingInFormatting() throws {
        for url in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: [UInt8](try Data(contentsOf: url)))
            guard let before = try? AssociationFile(reading: source) else { continue }
            for bytes in [
                JSONWriter.minified(before.document.root),
                JSONWriter.indented(before.document.root, by: 7),
            ] {
                let after = try AssociationFile(reading: SourceText(name: "x", bytes: bytes))
                #expect(AssociationDiff.diff(before, after).isEmpty, "\(source.name)")
            }
        }
    }

    // MARK: Apps

    @Test func findsApps() throws {
        try expectEqual(
            diff(
                #"{"webcredentials": {"apps": ["A.a", "A.b"]}}"#,
                #"{"webcredentials": {"apps": ["A.c", "A.b"]}, "appclips": {"apps": ["A.x"]}}"#),
            ["- app A.a", "+ app A.c", "+ app A.x"])
        try expectEqual(
            diff(rules("{}"), #"{"applinks": {"details": {"A.b": {"paths": ["*"]}}}}"#),
            ["- app A.a", "+ app A.b", "+ rule {} (takes EVERY URL) of A.b"])
    }

    // MARK: Rules

    @Test func findsMembersItDoesNotKnow() throws {
        try expectEqual(
            diff(#"{"a": 1, "b": {"x": 1, "y": 2}}"#, #"{"b": {"y": 2, "x": 1}, "c": []}"#),
            ["- a: 1", "+ c: []"])
        try expectEqual(
            diff(
                #"{"applinks": {"details": [], "o": 1}}"#, #"{"applinks": {"details": [], "o": 2}}"#
            ),
            ["~ applinks.o: 1 -> 2"])
    }
}
