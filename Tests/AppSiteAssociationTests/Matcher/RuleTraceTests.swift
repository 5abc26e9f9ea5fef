// Covers: LinkPriority.swift, MissExplainer.swift

import AppSiteAssociation
import Testing

@Suite struct RuleTraceTests {
    private func association(_ details: String, _ more: String = "") throws -> CompiledAssociation {
        CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(
                    text: #"{"applinks":{\#(more)"details":\#(details)}}"#)))
    }

    private func trace(
        _ url: String, _ details: String, _ more: String = "", domain: String? = nil
    ) throws -> [RuleTrace] {
        try association(details, more).trace(
            try #require(URLParts(url)), app: "A.a", domain: domain)
    }

    @Test func endsWithTheRuleThatDecides() throws {
        let traces = try trace(
            "/b?q=1#f",
            #"[{"appID":"A.a","components":[{"/":"/a"},{"/":"/B","?":{"q":"1","r":"x"},"#
                + ##""#":"g","exclude":true},{"/":"/b"},{}]}]"##,
            #""defaults":{"caseSensitive":false},"#)
        #expect(traces.map(\.isMatch) == [false, false, true])
        #expect(traces.map(\.excludes) == [false, true, false])
        #expect(traces.allSatisfy { !$0.caseSensitive && $0.percentEncoded })
        #expect(
            traces[1].parts.map { "\($0.part.name) \($0.isMatch)" } == [
                "path true", "query item q true", "query item r false", "fragment false",
            ])
        #expect(traces[1].parts[2].hint?.contains("counts as empty") == true)
    }

    @Test func knowsEveryForm() throws {
        #expect(try trace("/x", #"{"A.a":{"paths":["NOT /x","*"]}}"#).map(\.excludes) == [true])
        let everything = try trace("/x", #"[{"appID":"A.a"}]"#)
        #expect(everything.map(\.isMatch) == [true])
        #expect(everything.first?.parts.isEmpty == true)
        #expect(
            try trace("https://b.example/x", #"[{"appID":"A.a"}]"#, domain: "a.example").isEmpty)
    }

    @Test func saysWhoIsFirstAndWhatIsNotKnown() throws {
        func priority(_ details: String) throws -> LinkPriority? {
            let association = try association(details)
            return association.priority(among: association.decide(url: "/x") ?? [])
        }
        let a = #"{"appIDs":["A.a"],"components":[{}]}"#
        let b = #"{"appIDs":["A.b"],"components":[{}]}"#
        #expect(try priority("[\(a)]") == nil)
        #expect(try priority("[\(b),\(a)]")?.app == "A.b")
        #expect(try priority("[\(b),\(a)]")?.isKnown == true)
        #expect(try priority(#"[{"appIDs":["A.a","A.b"],"components":[{}]}]"#)?.isKnown == false)
        #expect(
            try priority(#"{"A.a":{"paths":["*"]},"A.b":{"paths":["*"]}}"#)?.isKnown == false)
    }

    @Test func aMissIsASentence() throws {
        let association = try association(
            #"[{"appID":"A.a","components":[{"/":"/$(l)/x"}]}]"#,
            #""substitutionVariables":{"l":["de","en"]},"#)
        let miss = association.decide(url: "/$(l)/x", explain: true)?.first?.nearestMiss
        let other = association.decide(url: "/fr/x", explain: true)?.first?.nearestMiss
        for text in [miss, other].compactMap({ $0?.description }) {
            #expect(text.hasPrefix("path \""), "\(text)")
            #expect(text.contains("the variable $(l) has no value"), "\(text)")
        }
    }

    /// Two thousand apps of one entry were two thousand walks over its rules.
    @Test func anEntryThatAppsShareIsTriedOnce() throws {
        let association = try association(
            #"[{"appIDs":["A.a","A.b"],"components":[{"/":"/x"},{"/":"/y"}]},"#
                + #"{"appIDs":["A.b"],"components":[{"/":"/z"}]},{"appID":"A.c"}]"#)
        let url = try #require(URLParts("/z"))
        let traces = association.traces(url, apps: ["A.a", "A.b", "A.c", "A.d"])
        #expect(traces.map { $0.map(\.detail) } == [[0], [0, 1], [2], []])
        #expect(traces[0][0] == traces[1][0])
        #expect(traces[1].map(\.decides) == [false, true])
        #expect(traces[0][0].rules.map(\.isMatch) == [false, false])
    }

    /// Each hint compiled all values of its pattern's variables: rules times values.
    @Test func hintsAreBounded() throws {
        let values = (0..<2000).map { "\"value\($0)\"" }.joined(separator: ",")
        let rules = (0..<500).map { #"{"/":"/\#($0)/$(v)"}"# }.joined(separator: ",")
        let association = try association(
            #"[{"appID":"A.a","components":[\#(rules)]}]"#,
            #""substitutionVariables":{"v":[\#(values)]},"#)
        let url = try #require(URLParts("/0/value"))
        let traces = association.trace(url, app: "A.a")
        #expect(traces.count == 500)
        #expect(traces.allSatisfy { !$0.isMatch && $0.parts.count == 1 })
        #expect(traces[0].parts[0].hint?.contains("has no value") == true)
        let hints = traces.filter { $0.parts[0].hint != nil }.count
        #expect((1..<50).contains(hints), "\(hints)")
    }

    /// What is said of a part is what the matcher decided, hints or not.
    @Test func aTraceSaysWhatTheDecisionSays() throws {
        let association = try association(
            #"[{"appID":"A.a","components":[{"/":"/a/$(digit)"},{"?":{"q":"1","r":"?*"}},"#
                + ##"{"#":"$(l)"},{"?":"x=?"},{"/":"/A*","caseSensitive":false}]}]"##,
            #""substitutionVariables":{"l":["de","en"]},"#)
        for url in ["/a/1", "/a/x", "/b?q=1&r=2", "/b?q=1", "/b#en", "/b#EN", "/b?x=y", "/b"] {
            let trace = association.trace(try #require(URLParts(url)), app: "A.a")
            let decision = try #require(association.decide(url: url)?.first)
            #expect(trace.last?.isMatch == (decision.decision == .match), "\(url)")
            #expect(trace.dropLast().allSatisfy { !$0.isMatch }, "\(url)")
        }
    }
}
