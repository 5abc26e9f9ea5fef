// Covers: VariableNames.swift
// Covers: AppLinksMerge.swift, GenericMerge.swift, PatternRewrite.swift, TeamCheck.swift,
// VariableNames.swift

import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct MergeTests {
    private static let teamA = "AAAA111111"
    private static let teamB = "BBBB222222"

    private func fragment(_ team: String, _ text: String) throws -> Fragment {
        let source = SourceText(name: "\(team).json", text: text)
        return Fragment(team: team, file: try AssociationFile(reading: source))
    }

    private func merge(_ a: String, _ b: String? = nil) throws -> MergeResult {
        var fragments = [try fragment(Self.teamA, a)]
        if let b { fragments.append(try fragment(Self.teamB, b)) }
        return Merge.merge(fragments)
    }

    private func text(_ result: MergeResult) throws -> String {
        let bytes = try #require(result.bytes, "\(result.diagnostics)")
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Large parts

    /// Defaults that differ between teams go into each entry: what that would make is refused
    /// before it is made.
    @Test func refusesDefaultsThatWouldMultiply() throws {
        let long = String(repeating: "a", count: 60_000)
        let entries = (0..<2_000).map { #"{"appIDs": ["AAAA111111.e\#($0)"], "components": []}"# }
        let details = entries.joined(separator: ",")
        let result = try merge(
            #"{"applinks": {"defaults": {"/": "/\#(long)"}, "details": [\#(details)]}}"#,
            #"{"applinks": {"details": [{"appIDs": ["BBBB222222.b"], "components": [{"/": "/b"}]}]}}"#
        )
        #expect(result.bytes == nil)
        let finding = try #require(result.diagnostics.first { $0.code == "merge-too-large" })
        #expect(finding.file == "AAAA111111.json" && finding.message.contains("2000 entries"))
        #expect(result.size < 1 << 20)
    }

    // MARK: What the document looks like

    @Test func putsListsBehindOneAnother() throws {
        let result = try merge(
            #"{"webcredentials": {"apps": ["AAAA111111.a", "AAAA111111.a"]}, "appclips": "#
                + #"{"apps": []}}"#,
            #"{"activitycontinuation": {"apps": ["BBBB222222.b"]}, "webcredentials": {"apps": "#
                + #"["BBBB222222.b"]}}"#
        )
        #expect(
            try text(result)
                == #"{"webcredentials":{"apps":["AAAA111111.a","BBBB222222.b"]},"#
                + #""appclips":{"apps":[]},"#
                + #""activitycontinuation":{"apps":["BBBB222222.b"]}}"#)
    }

    @Test func keepsWhatItDoesNotKnow() throws {
        let result = try merge(
            #"{"authsrv": {"apps": ["AAAA111111.a"], "v": 1}, "applinks": {"details": [], "#
                + #""relativeOrder": 1}}"#,
            #"{"authsrv": {"apps": ["BBBB222222.b"], "v": 1, "w": {}}}"#)
        #expect(
            try text(result)
                == #"{"applinks":{"details":[],"relativeOrder":1},"#
                + #""authsrv":{"apps":["AAAA111111.a","BBBB222222.b"],"v":1,"w":{}}}"#)
    }

    @Test func keepsTheOrderOfTeamsAndEntries() throws {
        let result = try merge(
            #"{"applinks": {"apps": [], "details": [{"appID": "AAAA111111.a", "paths": ["/a"]}, "#
                + #"{"appIDs": ["AAAA111111.c"], "components": [{"/": "/c"}]}]}}"#,
            #"{"applinks": {"apps": [], "details": [{"appID": "BBBB222222.b", "paths": ["NOT /b","#
                + #" "*"], "x": 1}]}}"#
        )
        #expect(
            try text(result)
                == #"{"applinks":{"apps":[],"details":[{"appID":"AAAA111111.a","paths":["/a"]},"#
                + #"{"appIDs":["AAAA111111.c"],"components":[{"/":"/c"}]},"#
                + #"{"appID":"BBBB222222.b","paths":["NOT /b","*"],"x":1}]}}"#)
    }

    @Test func keepsDetailsOf2015WhereAllUseThem() throws {
        let a = #"{"applinks": {"details": {"AAAA111111.a": {"paths": ["/a"]}}}}"#
        let old = try merge(a, #"{"applinks": {"details": {"BBBB222222.b": {"paths": ["/b"]}}}}"#)
        #expect(
            try text(old)
                == #"{"applinks":{"details":{"AAAA111111.a":{"paths":["/a"]},"#
                + #""BBBB222222.b":{"paths":["/b"]}}}}"#
        )
        let mixed = try merge(
            a, #"{"applinks": {"details": [{"appID": "BBBB222222.b", "paths": ["/b"]}]}}"#)
        #expect(
            try text(mixed)
                == #"{"applinks":{"details":[{"appID":"AAAA111111.a","paths":["/a"]},"#
                + #"{"appID":"BBBB222222.b","paths":["/b"]}]}}"#)
    }

    @Test func leavesOneFragmentAsItIs() throws {
        let result = try merge(
            #"{"applinks": {"defaults": {"caseSensitive": false}, "substitutionVariables": {"x": "#
                + #"["1"]}, "details": [{"appIDs": ["AAAA111111.a"], "components": [{"/": "#
                + #""/$(x)", "comment": "c"}]}]}}"#
        )
        #expect(
            try text(result)
                == #"{"applinks":{"defaults":{"caseSensitive":false},"#
                + #""substitutionVariables":{"x":["1"]},"#
                + #""details":[{"appIDs":["AAAA111111.a"],"components":[{"/":"/$(x)","#
                + #""comment":"c"}]}]}}"#
        )
        #expect(result.diagnostics.isEmpty)
    }

    // MARK: Defaults and variables

    @Test func movesDefaultsIntoDetails() throws {
        let result = try merge(
            #"{"applinks": {"defaults": {"caseSensitive": false, "exclude": true}, "details": "#
                + #"[{"appIDs": ["AAAA111111.a"], "defaults": {"exclude": false}, "components": "#
                + #"[]}, {"appIDs": ["AAAA111111.b"], "components": []}]}}"#,
            #"{"applinks": {"details": [{"appIDs": ["BBBB222222.b"], "components": []}]}}"#)
        #expect(
            try text(result)
                == #"{"applinks":{"details":[{"appIDs":["AAAA111111.a"],"#
                + #""defaults":{"exclude":false,"caseSensitive":false},"components":[]},"#
                + #"{"appIDs":["AAAA111111.b"],"components":[],"defaults":{"caseSensitive":false,"#
                + #""exclude":true}},"#
                + #"{"appIDs":["BBBB222222.b"],"components":[]}]}}"#)
    }

    @Test func leavesDefaultsThatAllHave() throws {
        let a =
            #"{"applinks": {"defaults": {"caseSensitive": false}, "details": [{"appIDs": "#
            + #"["AAAA111111.a"], "components": []}]}}"#
        let result = try merge(a, a.replacing("AAAA111111", with: "BBBB222222"))
        #expect(try text(result).hasPrefix(#"{"applinks":{"defaults":{"caseSensitive":false},"#))
        #expect(try text(result).components(separatedBy: "defaults").count == 2)
    }

    @Test func sharesVariablesThatMeanTheSame() throws {
        let a =
            #"{"applinks": {"substitutionVariables": {"x": ["1", "2"]}, "details": [{"appIDs": "#
            + #"["AAAA111111.a"], "components": [{"/": "/$(x)"}]}]}}"#
        let b = a.replacing("AAAA111111", with: "BBBB222222")
            .replacing(#"["1", "2"]"#, with: #"["2", "1"]"#)
        let result = try merge(a, b)
        #expect(try text(result).contains(#""substitutionVariables":{"x":["1","2"]}"#))
        #expect(result.diagnostics.isEmpty)
    }

    @Test func renamesVariablesThatDiffer() throws {
        let a =
            #"{"applinks": {"substitutionVariables": {"x": ["1"]}, "details": [{"appIDs": "#
            + #"["AAAA111111.a"], "components": [{"/": "/$(x)"}]}]}}"#
        let b =
            ##"{"applinks": {"substitutionVariables": {"x": ["9"]}, "defaults": {"#": "$(x)"}, "##
            + ##""details": [{"appIDs": ["BBBB222222.b"], "components": [{"/": "##
            + ##""/$(x)$($(x))$(x", "?": {"$(x)": "$(x)"}, "comment": "$(x)"}]}]}}"##
        let merged = try text(try merge(a, b))
        #expect(merged.contains(#""substitutionVariables":{"x":["1"],"x-BBBB222222":["9"]}"#))
        #expect(merged.contains(##"{"#":"$(x-BBBB222222)"}"##))
        #expect(
            merged.contains(
                #"{"/":"/$(x-BBBB222222)$($(x-BBBB222222))$(x","?":{"$(x)":"$(x-BBBB222222)"},"#
                    + #""comment":"$(x)"}"#
            ))
        #expect(merged.contains(#"{"/":"/$(x)"}"#))
    }

    @Test func neverGivesAForeignNameAMeaning() throws {
        // Team A shadows a built-in variable that team B uses.
        let a =
            #"{"applinks": {"substitutionVariables": {"lang": ["klingon"]}, "details": "#
            + #"[{"appIDs": ["AAAA111111.a"], "components": [{"/": "/$(lang)"}]}]}}"#
        let b =
            #"{"applinks": {"details": [{"appIDs": ["BBBB222222.b"], "components": [{"/": "#
            + #""/$(lang)"}]}]}}"#
        let result = try merge(a, b)
        #expect(try text(result).contains(#"{"lang-AAAA111111":["klingon"]}"#))
        #expect(result.diagnostics.map(\.code) == ["merge-variable-renamed"])
        let file = try AssociationFile(
            reading: SourceText(name: "merged", bytes: try #require(result.bytes)))
        let decisions = CompiledAssociation(file).decide(url: "https://e.com/en")
        #expect(decisions?.map(\.decision) == [.none, .match])
    }

    // MARK: Conflicts

    @Test func refusesAppsOfOtherTeams() throws {
        let result = try merge(
            #"{"webcredentials": {"apps": ["BBBB222222.b"]}}"#,
            #"{"webcredentials": {"apps": ["BBBB222222.a", "BBBB222222.b"]}}"#)
        #expect(result.bytes == nil)
        let conflict = try #require(result.diagnostics.first)
        #expect(conflict.code == "merge-foreign-app")
        #expect(conflict.file == "AAAA111111.json")
        #expect(conflict.start?.column == 30)
        #expect(conflict.related.map(\.file) == ["BBBB222222.json"])
        #expect(conflict.related.first?.start?.column == 46)
    }

    @Test(arguments: [
        #"{"applinks": {"details": [{"appID": "CCCC333333.x", "paths": []}]}}"#,
        #"{"applinks": {"details": [{"appIDs": ["AAAA111111.x", "CCCC333333.x"], "paths": []}]}}"#,
        #"{"applinks": {"details": [{"appIDs": ["AAAA111111.x"], "appID": "CCCC333333.x", "#
            + #""paths": []}]}}"#,
        #"{"applinks": {"details": {"CCCC333333.x": {"paths": []}}}}"#,
        #"{"applinks": {"apps": ["CCCC333333.x"], "details": []}}"#,
        #"{"appclips": {"apps": ["CCCC333333.x"]}}"#,
        #"{"authsrv": {"apps": ["CCCC333333.x"]}}"#,
        #"{"webcredentials": {"apps": ["com.example.app"]}}"#,
        #"{"webcredentials": {"apps": ["AAAA111111X.app"]}}"#,
    ]) func findsForeignAppsInEveryForm(_ text: String) throws {
        let result = try merge(text)
        #expect(result.bytes == nil)
        #expect(result.diagnostics.map(\.code) == ["merge-foreign-app"])
        #expect(result.diagnostics.first?.start != nil)
    }

    @Test func refusesValuesThatDiffer() throws {
        let result = try merge(#"{"x": {"n": 1}}"#, #"{"x": {"n": 2}}"#)
        #expect(result.bytes == nil)
        #expect(result.diagnostics.map(\.code) == ["merge-conflict"])
        #expect(result.diagnostics.first?.message.hasPrefix("x.n has another value") == true)
        #expect(result.diagnostics.first?.file == "BBBB222222.json")
        #expect(result.diagnostics.first?.related.map(\.file) == ["AAAA111111.json"])
    }

    @Test func refusesVariablesThatCannotBeRenamed() throws {
        let a = #"{"applinks": {"substitutionVariables": {"a(b": ["1"]}, "details": []}}"#
        let result = try merge(a, a.replacing("\"1\"", with: "\"2\""))
        #expect(result.diagnostics.map(\.code) == ["merge-variable-conflict"])
        #expect(result.diagnostics.first?.related.count == 1)
    }

    @Test func refusesBrokenFragments() throws {
        let result = try merge(#"{"webcredentials": {"apps": "AAAA111111.a"}}"#)
        #expect(result.bytes == nil)
        #expect(result.diagnostics.contains { $0.code == "apps-not-array" })
        #expect(try merge(#"{"x": 1, "x": 1}"#).diagnostics.map(\.code) == ["duplicate-key"])
    }

    @Test func refusesTwoFragmentsOfOneTeam() throws {
        let fragments = [try fragment(Self.teamA, "{}"), try fragment(Self.teamA, "{}")]
        #expect(Merge.merge(fragments).diagnostics.map(\.code) == ["merge-team-twice"])
    }

    @Test func countsBytesPerTeamUpToApplesLimit() throws {
        // {"x":{"a":"…"}} has 14 bytes around the text.
        let fits = String(repeating: "f", count: AssociationFile.bytesMaximum - 14)
        let result = try merge("{\"x\": {\"a\": \"\(fits)\"}}")
        #expect(result.size == AssociationFile.bytesMaximum)
        #expect(result.bytes?.count == AssociationFile.bytesMaximum)

        let over = try merge("{\"x\": {\"a\": \"\(fits)\"}}", #"{"x": {"b": "1"}}"#)
        #expect(over.bytes == nil)
        #expect(over.size == AssociationFile.bytesMaximum + 8)
        #expect(over.teamSizes.map(\.bytes) == [AssociationFile.bytesMaximum - 8, 8])
        #expect(over.sharedBytes == 8)
        #expect(over.diagnostics.map(\.code) == ["merge-too-large"])
        #expect(
            over.diagnostics.first?.related.map(\.file) == ["AAAA111111.json", "BBBB222222.json"])
    }

    @Test func mergesNothing() throws {
        #expect(try text(Merge.merge([])) == "{}")
        #expect(try text(try merge("{}", "{}")) == "{}")
    }
}
