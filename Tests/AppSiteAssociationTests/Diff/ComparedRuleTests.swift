import AppSiteAssociation
import TestSupport
import Testing

@Suite struct ComparedRuleTests: DiffSuite {
    @Test func findsNothingInOtherWordsForTheSame() throws {
        let component = #"{"/": "/x", "caseSensitive": false}"#
        let plain = rules(component)
        try expectEqual(
            diff(
                plain,
                rules(
                    #"{"comment": "c", "caseSensitive": false, "/": "/x", "?": "*", "exclude": "#
                        + #"false}"#
                )), [])
        try expectEqual(
            diff(plain, rules(#"{"/": "/x"}"#, #""defaults": {"caseSensitive": false},"#)), []
        )
        try expectEqual(
            diff(
                plain,
                links(
                    #"{"appID": "A.a", "defaults": {"caseSensitive": false}, "components": "#
                        + #"[{"/": "/x"}]}"#
                )), [])
        let x = rules(#"{"/": "/$(x)"}"#, #""substitutionVariables": {"x": ["1", "2"]},"#)
        let y = rules(#"{"/": "/$(y)"}"#, #""substitutionVariables": {"y": ["2", "1"], "z": []},"#)
        try expectEqual(diff(x, y), [])
    }

    /// Patterns that match the same are no change, and each is listed as it is written.
    @Test func patternsCountByWhatTheyMatch() throws {
        try expectEqual(diff(rules(#"{"/": "/a/"}"#), rules(#"{"/": "a"}"#)), [])
        try expectEqual(diff(rules(#"{"/": "/**"}"#), rules("{}")), [])
        try expectEqual(
            diff(rules(""), rules(#"{"/": "/*", "?": "a"}, {"/": "//**", "?": "b"}"#)),
            [
                #"+ rule {"/":"/*","?":"a"} of A.a"#, #"+ rule {"/":"//**","?":"b"} of A.a"#,
            ])
    }

    /// A URL has either form of a letter, and each is another one.
    @Test func composedAndDecomposedLettersDiffer() throws {
        let variables = #""substitutionVariables": {"\#u{E9}": ["x"], "e\#u{301}": ["y"]},"#
        let composed = rules("{\"/\": \"/$(\u{E9})\"}", variables)
        let decomposed = rules("{\"/\": \"/$(e\u{301})\"}", variables)
        try expectEqual(diff(composed, decomposed).count, 1)
        try expectEqual(diff(composed, composed), [])
        // The values of the one that the rule uses.
        let other = variables.replacing("[\"y\"]", with: "[\"z\"]")
        try expectEqual(diff(composed, rules("{\"/\": \"/$(\u{E9})\"}", other)), [])
        try expectEqual(
            diff(decomposed, rules("{\"/\": \"/$(e\u{301})\"}", other)).count, 1)
        // The order of items has no meaning, in whichever form their names are.
        let items = ["\"\u{E9}\": \"1\"", "\"e\u{301}\": \"2\""]
        let forth = rules("{\"?\": {\(items[0]), \(items[1])}}")
        try expectEqual(diff(forth, rules("{\"?\": {\(items[1]), \(items[0])}}")), [])
        try expectEqual(diff(forth, rules("{\"?\": {\(items[0])}}")).count, 1)
    }

    /// In the names of query items `$(a)` has no special meaning.
    @Test func variablesAreNotReadInNames() throws {
        let variables = #""substitutionVariables": {"a": ["x"], "b": ["x"]},"#
        func items(_ name: String, _ value: String) -> String {
            rules(#"{"?": {"\#(name)": "\#(value)"}}"#, variables)
        }
        try expectEqual(diff(items("$(a)", "1"), items("$(b)", "1")).count, 1)
        try expectEqual(diff(items("n", "$(a)"), items("n", "$(b)")), [])
    }

    /// Long defaults under many rules: 1,000 rules of 60,000 bytes each, if each were written out.
    @Test func comparesInheritedPatternsWithoutWritingThemOut() throws {
        let long = String(repeating: "a", count: 60_000)
        func document(_ last: String) -> String {
            let list = (0..<1_000).map { ##"{"#": "\##($0)"}"## } + [last]
            return rules(list.joined(separator: ","), #""defaults": {"/": "/\#(long)"},"#)
        }
        let changes = AssociationDiff.diff(
            try file(document(##"{"#": "x"}"##)), try file(document(##"{"#": "y"}"##)))
        expectEqual(changes.map(\.kind), [.ruleChanged])
        #expect((changes.first?.after?.text.utf8.count ?? 0) < 2_000)
    }

    /// The same long pattern in thousands of rules is said in thousands of changes, but not beyond
    /// what anybody would read.
    @Test func listsNoMoreTextThanSomebodyReads() throws {
        let list = (0..<3_000).map { ##"{"#": "\##($0)"}"## }.joined(separator: ",")
        let long = #""defaults": {"/": "/\#(String(repeating: "a", count: 20_000))"},"#
        let changes = AssociationDiff.diff(try file(rules("")), try file(rules(list, long)))
        let shown = changes.reduce(0) { $0 + ($1.after?.text.utf8.count ?? 0) }
        #expect(shown <= 1_050_576)
        expectEqual(changes.last?.kind, .changesOmitted)
        let listed = changes.count { $0.kind == .ruleAdded }
        expectEqual(changes.last?.subject, "\(3_000 - listed) more changes of rules")
    }
}
