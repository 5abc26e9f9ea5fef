import AppSiteAssociation
import TestSupport
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
        expectEqual("\(rule)", path)
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
        expectEqual(miss.misses.map(\.part.name), ["path", "query item q", "fragment"])
        expectEqual(miss.misses.map(\.value), ["/buyer", "2", "end"])
        expectEqual(miss.misses.map(\.pattern), ["/buy/*", "1", "top"])
        let whole = try decision(
            "/a?x", #"[{"appID":"A.a","components":[{"?":"y"}]}]"#, explain: true)
        expectEqual(whole.nearestMiss?.misses.map(\.part), [.query])
    }

    @Test func aMissHasItsHint() throws {
        let miss = try decision("/a", #"[{"appID":"A.a","paths":["/A"]}]"#, explain: true)
        expectEqual(
            miss.nearestMiss?.misses.first?.hint,
            #"only the case differs: "caseSensitive": false would match"#)
    }

    /// The words that programs read.
    @Test func decisionsHaveTheirNames() {
        expectEqual(LinkDecision.allCases.map(\.rawValue), ["match", "exclude", "none"])
    }
}
