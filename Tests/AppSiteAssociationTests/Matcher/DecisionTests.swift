import AppSiteAssociation
import Testing

@Suite struct DecisionTests {
    private func decision(_ url: String, _ details: String, explain: Bool = false) throws
        -> AppDecision
    {
        let association = CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(text: #"{"applinks":{"details":\#(details)}}"#)))
        return try #require(association.decide(url: url, explain: explain)?.first)
    }

    /// A rule is named as a path into the document, as written there.
    @Test(arguments: [
        (#"[{"appID":"A.a"}]"#, "details[0]"),
        (#"[{"appID":"A.a","paths":["/x","*"]}]"#, "details[0].paths[1]"),
        (#"[1,{"appID":"A.a","components":[{"/":"/x"},2,{}]}]"#, "details[1].components[2]"),
    ]) func aRuleIsAPathIntoTheDocument(_ details: String, _ path: String) throws {
        let rule = try #require(try decision("/a", details).rule)
        #expect("\(rule)" == path)
        let place = #"{"applinks":{"details":"#.utf8.count
        let text = String(
            decoding: Array(details.utf8)[
                (rule.range.lowerBound - place)..<(rule.range.upperBound - place)],
            as: UTF8.self)
        #expect([#"{"appID":"A.a"}"#, #""*""#, "{}"].contains(text))
    }

    @Test func aMissNamesEveryPart() throws {
        let details =
            #"[{"appID":"A.a","components":[{"/":"/buy/*","?":{"q":"1"},"#
            + ##""#":"top"}]}]"##
        let miss = try #require(
            try decision("/buyer?q=2#end", details, explain: true).nearestMiss)
        #expect(
            miss.description
                == #"path "/buyer" is not covered by "/buy/*"; "#
                + #"query item q "2" is not covered by "1"; "#
                + #"fragment "end" is not covered by "top""#)
        let whole = try decision(
            "/a?x", #"[{"appID":"A.a","components":[{"?":"y"}]}]"#, explain: true)
        #expect(whole.nearestMiss?.description == #"query "x" is not covered by "y""#)
    }

    @Test func aHintStandsBehindTheSentence() throws {
        let miss = try decision("/a", #"[{"appID":"A.a","paths":["/A"]}]"#, explain: true)
        #expect(
            miss.nearestMiss?.description
                == #"path "/a" is not covered by "/A": only the case differs: "caseSensitive": "#
                + "false would match")
    }

    /// The words that programs read.
    @Test func decisionsHaveTheirNames() {
        #expect(LinkDecision.allCases.map(\.rawValue) == ["match", "exclude", "none"])
    }
}
