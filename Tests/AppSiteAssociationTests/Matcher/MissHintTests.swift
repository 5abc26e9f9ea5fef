import AppSiteAssociation
import TestSupport
import Testing

@Suite struct MissHintTests {
    private func association(_ details: String, _ more: String = "") throws -> CompiledAssociation {
        CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(
                    text: #"{"applinks":{\#(more)"details":\#(details)}}"#)))
    }

    /// What a single rule does not cover of a URL.
    private func failures(
        _ url: String, _ rule: String, variables: String = "{}"
    ) throws -> [RuleTrace.Part] {
        let association = try association(
            #"[{"appID":"A.a","components":[\#(rule)]}]"#,
            #""substitutionVariables":\#(variables),"#)
        let parts = try #require(URLParts(url))
        let rules = association.traces(parts, apps: ["A.a"])[0].flatMap(\.rules)
        return try #require(rules.first).parts.filter { !$0.isMatch }
    }

    private func hint(_ url: String, _ rule: String, variables: String = "{}") throws -> String? {
        let found = try failures(url, rule, variables: variables)
        expectEqual(found.count, 1)
        return found.first?.hint
    }

    @Test func aMissNamesItsVariable() throws {
        let association = try association(
            #"[{"appID":"A.a","components":[{"/":"/$(l)/x"}]}]"#,
            #""substitutionVariables":{"l":["de","en"]},"#)
        let miss = association.decide(url: "/$(l)/x", explain: true)?.first?.nearestMiss
        let other = association.decide(url: "/fr/x", explain: true)?.first?.nearestMiss
        let hints = [miss, other].compactMap { $0?.misses.first?.hint }
        expectEqual(hints.count, 2)
        for hint in hints {
            #expect(hint.hasPrefix("the variable $(l) has no value"), "\(hint)")
        }
    }

    @Test func aVariableShowsFiveOfItsValues() throws {
        func said(_ count: Int) throws -> String? {
            let values = (1...count).map { "\"\($0)\"" }.joined(separator: ",")
            return try hint("/x", #"{"/":"/$(v)"}"#, variables: #"{"v":[\#(values)]}"#)
        }
        let start = "the variable $(v) has no value for what stands in its place: "
        try expectEqual(said(1), start + #""1""#)
        try expectEqual(said(5), start + #""1", "2", "3", "4", "5""#)
        try expectEqual(said(6), start + #""1", "2", "3", "4", "5" and 1 more"#)
    }

    /// Of several variables the first that stands in the way; of more than eight none.
    @Test func theVariableInTheWayIsNamed() throws {
        let variables = #"{"v":["a"],"w":["b"]}"#
        try expectEqual(
            hint("/a/x", #"{"/":"/$(v)/$(w)"}"#, variables: variables)?
                .contains("$(w) has no value"), true)
        #expect(try hint("/x/y", #"{"/":"/$(v)/$(w)"}"#, variables: variables) == nil)
        try expectEqual(
            hint("/x", #"{"/":"/$(digit)"}"#),
            "the built-in variable $(digit) does not cover what stands in its place")
        func many(_ count: Int) throws -> String? {
            let names = (0..<count).map { "$(v\($0))" }.joined() + "$(digit)"
            let values = (0..<count).map { #""v\#($0)":["a"]"# }.joined(separator: ",")
            let url = "/" + String(repeating: "a", count: count) + "x"
            return try hint(url, #"{"/":"/\#(names)"}"#, variables: "{\(values)}")
        }
        try expectEqual(many(7)?.contains("$(digit)"), true)
        #expect(try many(8) == nil)
    }

    @Test(arguments: [
        // Decoded already: there is nothing to be set.
        ("/x", #"{"/":"/a b","percentEncoded":false}"#, nil as String?),
        (
            "/x", #"{"/":"/a b"}"#,
            "the pattern holds characters that a URL has only percent-encoded: "
                + "\"percentEncoded\": false compares with the decoded URL"
        ),
        // Folded already: the case is not what differs.
        ("/b", #"{"/":"/A","caseSensitive":false}"#, nil),
        ("/a", #"{"/":"/A"}"#, "only the case differs: \"caseSensitive\": false would match"),
        ("/buy", #"{"/":"/buy/?*"}"#, "the pattern wants something behind this path"),
        ("/sell", #"{"/":"/buy/?*"}"#, nil),
        ("/x", #"{"/":"/$(nope)"}"#, "a variable of the pattern is not defined"),
        // Only a path has another pattern for what follows a "#".
        ("/#b", ##"{"#":"a#"}"##, nil),
    ]) func onlyWhatWouldHelpIsHinted(_ url: String, _ rule: String, _ wanted: String?) throws {
        try expectEqual(hint(url, rule), wanted)
    }

    @Test func partsThatAreCoveredAreNotTold() throws {
        let rule = ##"{"/":"/a","?":{"q":"1","r":"2","s":"3"},"#":"f"}"##
        try expectEqual(
            failures("/a?q=1&r=x&s=3#f", rule).map(\.part), [.queryItem("r")])
        try expectEqual(
            failures("/b?q=1&r=2&s=3#g", rule).map(\.part), [.path, .fragment])
        try expectEqual(failures("/a?q", #"{"/":"/b","?":"q"}"#).map(\.part), [.path])
    }

    /// What is shown is what was compared: decoded and folded as the rule is.
    @Test func valuesAreShownAsTheyWereCompared() throws {
        let folded = try failures(
            "/A%42?Q=%43#D",
            ##"{"/":"/x","?":{"q":"y"},"#":"z","caseSensitive":false,"percentEncoded":false}"##)
        expectEqual(folded.map(\.value), ["/ab", "c", "d"])
        expectEqual(folded.map(\.pattern), ["/x", "y", "z"])
        let exact = try failures("/A%42/?Q=%43", #"{"/":"/x","?":"y"}"#)
        expectEqual(exact.map(\.value), ["/A%42", "Q=%43"])
    }

    @Test func itemsAreFoundByTheirNames() throws {
        let missing = "the URL has no item \"N\", which counts as empty"
        let exact = #"{"?":{"N":"1"}}"#
        try expectEqual(hint("/?n=2", exact), missing)
        let folded = #"{"?":{"N":"1"},"caseSensitive":false}"#
        try expectEqual(failures("/?n=2", folded).map(\.value), ["2"])
        #expect(try hint("/?n=2", folded) == nil)
        try expectEqual(hint("/?m=2", folded), missing)
        // Of several the first that fails.
        let repeated = try failures("/?N=1&N=2&N=3", exact)
        expectEqual(repeated.map(\.value), ["2"])
        expectEqual(repeated.map(\.hint), ["every occurrence of a repeated item has to match"])
        try expectEqual(failures("/?N=2", exact).map(\.hint), [nil])
    }

    /// Each hint compiled all values of its pattern's variables: rules times values.
    @Test func hintsAreBounded() throws {
        let values = (0..<2000).map { "\"value\($0)\"" }.joined(separator: ",")
        let rules = (0..<500).map { #"{"/":"/\#($0)/$(v)"}"# }.joined(separator: ",")
        let association = try association(
            #"[{"appID":"A.a","components":[\#(rules)]}]"#,
            #""substitutionVariables":{"v":[\#(values)]},"#)
        let url = try #require(URLParts("/0/value"))
        let traces = association.traces(url, apps: ["A.a"])[0].flatMap(\.rules)
        expectEqual(traces.count, 500)
        #expect(traces.allSatisfy { !$0.isMatch && $0.parts.count == 1 })
        expectEqual(traces[0].parts[0].hint?.contains("has no value"), true)
        let hints = traces.filter { $0.parts[0].hint != nil }.count
        #expect((1..<50).contains(hints), "\(hints)")
    }
}
