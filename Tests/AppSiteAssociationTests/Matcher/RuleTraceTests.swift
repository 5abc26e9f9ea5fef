// Covers: LinkPriority.swift

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
}
