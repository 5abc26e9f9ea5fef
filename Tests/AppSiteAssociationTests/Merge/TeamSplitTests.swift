import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct TeamSplitTests {
    private func file(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "document", text: text))
    }

    /// The document that merging the parts gives again.
    private func again(_ split: TeamSplit) throws -> MergeResult {
        Merge.merge(
            try split.parts.map { part in
                let text = String(decoding: JSONWriter.indented(part.root), as: UTF8.self)
                return Fragment(team: part.team, file: try file(text))
            })
    }

    private func expectParts(_ text: String, teams: [String]) throws {
        let original = try file(text)
        let split = TeamSplit(original)
        expectEqual(split.parts.map(\.team), teams)
        #expect(split.homeless.isEmpty)
        let merged = try again(split)
        let bytes = try #require(merged.bytes, "\(merged.diagnostics)")
        let changes = AssociationDiff.diff(
            original, try file(String(decoding: bytes, as: UTF8.self)))
        #expect(changes.isEmpty, "\(changes)")
    }

    @Test func divides() throws {
        try expectParts(
            """
            {"applinks": {"apps": [], "defaults": {"caseSensitive": false},
              "substitutionVariables": {"shop": ["a", "b"], "user": ["c"]},
              "details": [
                {"appIDs": ["BBBB222222.b", "AAAA111111.a"], "components": [{"/": "/$(shop)/*"}]},
                {"appID": "AAAA111111.c", "paths": ["/u/*"]},
                {"appIDs": ["AAAA111111.d"], "components": [{"/": "/$(user)"}]}]},
             "webcredentials": {"apps": ["AAAA111111.a", "BBBB222222.b"]},
             "appclips": {"apps": ["BBBB222222.b.Clip"]}, "authsrv": {"apps": []}}
            """, teams: ["BBBB222222", "AAAA111111"])
    }

    @Test func dividesTheDictionaryOf2015() throws {
        try expectParts(
            """
            {"applinks": {"apps": [], "details": {
              "AAAA111111.a": {"paths": ["/a"]}, "BBBB222222.b": {"paths": ["/b"]}}}}
            """, teams: ["AAAA111111", "BBBB222222"])
    }

    /// The key counts: another name beside it is read by no system, and makes nobody a team.
    @Test func namesUnderAKeyGoToNobody() throws {
        try expectParts(
            """
            {"applinks": {"details": {
              "AAAA111111.a": {"appID": "CCCC333333.c", "paths": ["/a"]},
              "BBBB222222.b": {"appIDs": ["AAAA111111.a", "x"], "paths": ["/b"]}}}}
            """, teams: ["AAAA111111", "BBBB222222"])
    }

    @Test func namesAppsOfNoTeam() throws {
        let split = TeamSplit(
            try file(#"{"webcredentials": {"apps": ["com.example.app", "AAAA111111.a"]}}"#))
        expectEqual(split.homeless, ["com.example.app"])
        expectEqual(split.parts.map(\.team), ["AAAA111111"])
    }

    @Test func givesEachTeamOnlyItsVariables() throws {
        let split = TeamSplit(
            try file(
                """
                {"applinks": {"substitutionVariables": {"a": ["1"], "b": ["2"]}, "details": [
                  {"appIDs": ["AAAA111111.a"], "components": [{"/": "/$(a)"}]},
                  {"appIDs": ["BBBB222222.b"], "components": [{"?": {"q": "$(b)"}}]}]}}
                """))
        let variables = split.parts.map { part in
            part.root["applinks"]?["substitutionVariables"]?.members?.map(\.key) ?? []
        }
        expectEqual(variables, [["a"], ["b"]])
    }

    /// Every real file whose app IDs all have a team comes through equal in meaning, or its teams
    /// alternate (and then the caller is told by the difference).
    @Test func bringsRealFilesThrough() throws {
        var equal = 0
        var alternating: [String] = []
        for url in Corpus.files(in: "aasa") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)))
            guard let original = try? AssociationFile(reading: source), original.problems.isEmpty
            else { continue }
            let split = TeamSplit(original)
            guard split.homeless.isEmpty, !split.parts.isEmpty else { continue }
            guard let bytes = try again(split).bytes else { continue }
            let merged = try AssociationFile(reading: SourceText(name: "merged", bytes: bytes))
            let changes = AssociationDiff.diff(original, merged)
            if changes.isEmpty {
                equal += 1
            } else {
                alternating.append("\(source.name): \(changes)")
            }
        }
        if Corpus.root == nil { return }
        #expect(equal > 80)
        #expect(alternating.isEmpty, "\(alternating.joined(separator: "\n"))")
    }
}
