import AppSiteAssociation
import Testing

@Suite struct EffectiveRuleTests: DiffSuite {
    @Test func findsNothingInOtherWordsForTheSame() throws {
        let component = #"{"/": "/x", "caseSensitive": false}"#
        let plain = rules(component)
        #expect(
            try diff(
                plain,
                rules(
                    #"{"comment": "c", "caseSensitive": false, "/": "/x", "?": "*", "exclude": "#
                        + #"false}"#
                )) == [])
        #expect(
            try diff(plain, rules(#"{"/": "/x"}"#, #""defaults": {"caseSensitive": false},"#)) == []
        )
        #expect(
            try diff(
                plain,
                links(
                    #"{"appID": "A.a", "defaults": {"caseSensitive": false}, "components": "#
                        + #"[{"/": "/x"}]}"#
                )) == [])
        let x = rules(#"{"/": "/$(x)"}"#, #""substitutionVariables": {"x": ["1", "2"]},"#)
        let y = rules(#"{"/": "/$(y)"}"#, #""substitutionVariables": {"y": ["2", "1"], "z": []},"#)
        #expect(try diff(x, y) == [])
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
        #expect(changes.map(\.kind) == [.ruleChanged])
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
        #expect(changes.last?.kind == .changesOmitted)
        let listed = changes.count { $0.kind == .ruleAdded }
        #expect(changes.last?.subject == "\(3_000 - listed) more changes of rules")
    }
}
