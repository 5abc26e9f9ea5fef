import AppSiteAssociation
import TestSupport
import Testing

@Suite struct VariableNamesTests: MergeSuite {
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

    /// Decoded URLs in the other form match the other team's value alone.
    @Test func composedAndDecomposedLettersDiffer() throws {
        func fragment(_ team: String, _ value: String) -> String {
            #"{"applinks": {"substitutionVariables": {"x": ["\#(value)"]}, "details": [{"appIDs": "#
                + #"["\#(team).a"], "components": [{"/": "/$(x)"}]}]}}"#
        }
        let merged = try text(
            try merge(
                fragment("AAAA111111", "caf\u{E9}"), fragment("BBBB222222", "cafe\u{301}")))
        #expect(merged.contains("x-BBBB222222"))
    }

    /// A rename of one form leaves the other: each `$(name)` keeps the values of its team.
    @Test func composedAndDecomposedNamesDiffer() throws {
        let a =
            "{\"applinks\": {\"substitutionVariables\": {\"\u{E9}\": [\"1\"]}, \"details\": "
            + "[{\"appIDs\": [\"AAAA111111.a\"], \"components\": [{\"/\": \"/$(\u{E9})\"}]}]}}"
        let b =
            "{\"applinks\": {\"substitutionVariables\": {\"\u{E9}\": [\"2\"], \"e\u{301}\": "
            + "[\"3\"]}, \"details\": [{\"appIDs\": [\"BBBB222222.b\"], \"components\": "
            + "[{\"/\": \"/$(\u{E9})/$(e\u{301})\"}]}]}}"
        let result = try merge(a, b)
        let file = try AssociationFile(
            reading: SourceText(name: "merged", bytes: try #require(result.bytes)))
        let association = CompiledAssociation(file)
        func decisions(_ path: String) -> [LinkDecision]? {
            association.decide(url: "https://e.com\(path)")?.map(\.decision)
        }
        expectEqual(decisions("/1"), [.match, .none])
        expectEqual(decisions("/2/3"), [.none, .match])
        expectEqual(decisions("/2/2"), [.none, .none])
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
        expectEqual(result.diagnostics.map(\.code), ["merge-variable-renamed"])
        let file = try AssociationFile(
            reading: SourceText(name: "merged", bytes: try #require(result.bytes)))
        let decisions = CompiledAssociation(file).decide(url: "https://e.com/en")
        expectEqual(decisions?.map(\.decision), [.none, .match])
    }

    @Test func refusesVariablesThatCannotBeRenamed() throws {
        let a = #"{"applinks": {"substitutionVariables": {"a(b": ["1"]}, "details": []}}"#
        let result = try merge(a, a.replacing("\"1\"", with: "\"2\""))
        expectEqual(result.diagnostics.map(\.code), ["merge-variable-conflict"])
        expectEqual(result.diagnostics.first?.related.count, 1)
    }
}
