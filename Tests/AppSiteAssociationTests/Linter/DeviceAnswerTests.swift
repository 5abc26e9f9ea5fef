import AppSiteAssociation
import Testing

@Suite struct DeviceAnswerTests {
    /// No error without an answer to what a device does.
    @Test func everyErrorHasAnAnswer() {
        for rule in RuleCatalog.all where rule.severity == .error {
            #expect(DeviceAnswer.of(rule.code) != nil, "\(rule.code)")
        }
    }

    @Test func everyAnswerIsGiven() {
        let given = Set(
            RuleCatalog.all.filter { $0.severity == .error }.compactMap {
                DeviceAnswer.of($0.code)
            })
        #expect(given == Set(DeviceAnswer.allCases))
        #expect(DeviceAnswer.of("catch-all") == nil)
    }

    /// What does nothing keeps no host from being served.
    @Test(arguments: [
        ##"{"applinks":{},"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"appclips":{}}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"activitycontinuation":{}}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a"]},"appclips":null}"##,
        ##"{"webcredentials":{"apps":["D3KQX62K1A.com.a", ""]},"appclips":[]}"##,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT /#","*"]}]}}"##,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.a","paths":["NOT /a?b=1","https://a.de/","/a"]}]}}"##,
        ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/a#b","exclude":true},{"?":"?a=1"},{"/":"/b"}]}]}}"##,
        ##"{"applinks":{"substitutionVariables":{"a":[]},"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":[{"/":"/b"}]}]}}"##,
        "\u{FEFF}{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.a\"]}}",
    ])
    func whatDoesNothingIsNoError(_ text: String) {
        let found = Linter.lint(SourceText(name: "f", text: text), as: .association)
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        #expect(found.contains { $0.severity == .warning }, "\(found)")
    }
}
