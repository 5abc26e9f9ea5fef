import AppSiteAssociation
import TestSupport
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
        try association(details, more).traces(
            try #require(URLParts(url)), apps: ["A.a"], domain: domain)[0].flatMap(\.rules)
    }

    @Test func endsWithTheRuleThatDecides() throws {
        let traces = try trace(
            "/b?q=1#f",
            #"[{"appID":"A.a","components":[{"/":"/a"},{"/":"/B","?":{"q":"1","r":"x"},"#
                + ##""#":"g","exclude":true},{"/":"/b"},{}]}]"##,
            #""defaults":{"caseSensitive":false},"#)
        expectEqual(traces.map(\.isMatch), [false, false, true])
        expectEqual(traces.map(\.flags.excludes), [false, true, false])
        #expect(traces.allSatisfy { !$0.flags.caseSensitive && $0.flags.percentEncoded })
        expectEqual(
            traces[1].parts.map { "\($0.part.name) \($0.isMatch)" },
            [
                "path true", "query item q true", "query item r false", "fragment false",
            ])
        expectEqual(traces[1].parts[2].hint?.contains("counts as empty"), true)
    }

    @Test func knowsEveryForm() throws {
        try expectEqual(
            trace("/x", #"{"A.a":{"paths":["NOT /x","*"]}}"#).map(\.flags.excludes), [true])
        let everything = try trace("/x", #"[{"appID":"A.a"}]"#)
        expectEqual(everything.map(\.isMatch), [true])
        expectEqual(everything.first?.parts.isEmpty, true)
        #expect(
            try trace("https://b.example/x", #"[{"appID":"A.a"}]"#, domain: "a.example").isEmpty)
    }

    /// Two thousand apps of one entry were two thousand walks over its rules.
    @Test func anEntryThatAppsShareIsTriedOnce() throws {
        let association = try association(
            #"[{"appIDs":["A.a","A.b"],"components":[{"/":"/x"},{"/":"/y"}]},"#
                + #"{"appIDs":["A.b"],"components":[{"/":"/z"}]},{"appID":"A.c"}]"#)
        let url = try #require(URLParts("/z"))
        let traces = association.traces(url, apps: ["A.a", "A.b", "A.c", "A.d"])
        expectEqual(traces.map { $0.map(\.detail) }, [[0], [0, 1], [2], []])
        expectEqual(traces[0][0], traces[1][0])
        expectEqual(traces[1].map(\.decides), [false, true])
        expectEqual(traces[0][0].rules.map(\.isMatch), [false, false])
    }

    /// What is said of a part is what the matcher decided, hints or not.
    @Test func aTraceSaysWhatTheDecisionSays() throws {
        let association = try association(
            #"[{"appID":"A.a","components":[{"/":"/a/$(digit)"},{"?":{"q":"1","r":"?*"}},"#
                + ##"{"#":"$(l)"},{"?":"x=?"},{"/":"/A*","caseSensitive":false}]}]"##,
            #""substitutionVariables":{"l":["de","en"]},"#)
        for url in ["/a/1", "/a/x", "/b?q=1&r=2", "/b?q=1", "/b#en", "/b#EN", "/b?x=y", "/b"] {
            let parts = try #require(URLParts(url))
            let trace = association.traces(parts, apps: ["A.a"])[0].flatMap(\.rules)
            let decision = try #require(association.decide(url: url)?.first)
            expectEqual(trace.last?.isMatch, (decision.decision == .match), "\(url)")
            #expect(trace.dropLast().allSatisfy { !$0.isMatch }, "\(url)")
        }
    }
}
