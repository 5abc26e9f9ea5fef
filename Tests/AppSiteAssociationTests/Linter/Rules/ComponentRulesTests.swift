import AppSiteAssociation
import TestSupport
import Testing

@Suite struct ComponentRulesTests: LintSuite {
    private func first(_ component: String) -> Diagnostic? {
        lint(components(component)).first { $0.code != "catch-all" }
    }

    @Test(arguments: [
        (#"{"path":"/a"}"#, #"Write "/"."#), (#"{"Query":"a"}"#, ##"Write "?"."##),
        (##"{"hash":"a"}"##, ##"Write "#"."##), (#"{"not":true,"/":"/a"}"#, #"Write "exclude"."#),
        (#"{"/":"/a","exlude":true}"#, #"Write "exclude"."#),
        (#"{"/":"/a","case-sensitive":true}"#, #"Write "caseSensitive"."#),
        // To write the member in its place would turn the rule round.
        (#"{"/":"/a","include":true}"#, #"Write "exclude": false."#),
        (#"{"/":"/a","Ignore_Case":true}"#, #"Write "caseSensitive": false."#),
        (#"{"/":"/a","decoded":false}"#, #"Write "percentEncoded": true."#),
        (#"{"/buy/*":""}"#, #"Write the pattern as the value of "/": { "/": "/buy/*" }."#),
    ]) func whatWasMeantIsNamed(_ component: String, _ remedy: String) {
        let found = first(component)
        expectEqual(found?.code, "component-key-misspelt")
        expectEqual(found?.remedy, remedy)
    }

    @Test(
        arguments: [
            (#"{"/":"/a","owner":"x"}"#, ["component-key-unknown"]),
            (#"{"/":"/a","comment":"x"}"#, []),
            (
                #"{"owner":"x"}"#,
                ["component-without-pattern", "component-key-unknown"]
            ),
            (#"{}"#, ["component-without-pattern"]),
            (
                #"{"exclude":false}"#,
                ["component-without-pattern"]
            ),
            (##"{"#":"a"}"##, []), (#"{"?":"a=1"}"#, []),
            // The misspelt key is the cause, and says so alone.
            (#"{"Path":"/a"}"#, ["component-key-misspelt"]),
            // A comment is one however it is spelt.
            (#"{"/":"/a","_comment":"x"}"#, ["component-key-unknown"]),
            // Longer than any slip.
            (#"{"/":"/a","exclude-exclude-exclude-e":1}"#, ["component-key-unknown"]),
        ] as [(String, [String])])
    func membersAreThoseOfApple(_ component: String, _ wanted: [String]) {
        let found = codes(components(component)).filter { $0.hasPrefix("component") }
        expectEqual(found.sorted(), wanted.sorted())
    }

    @Test(
        arguments: [
            (#""/":"/a""#, ["defaults-with-pattern"]), (##""#":"a""##, ["defaults-with-pattern"]),
            (#""?":{"a":"1"}"#, ["defaults-with-pattern"]),
            (#""exclude":true"#, ["defaults-with-pattern"]),
            (#""exclude":false"#, []), (#""caseSensitive":false,"percentEncoded":false"#, []),
            (#""comment":"x""#, []), (#""casesensitive":false"#, ["component-key-misspelt"]),
        ] as [(String, [String])])
    func defaultsAreForFlags(_ member: String, _ wanted: [String]) {
        let outer = components(#"{"/":"/a"}"#, applinks: "\"defaults\": {\(member)}, ")
        let inner = components(#"{"/":"/a"}"#, more: "\"defaults\": {\(member)}, ")
        for text in [outer, inner] {
            let kinds = codes(text).filter {
                $0.hasPrefix("defaults") || $0.hasPrefix("component")
            }
            expectEqual(kinds, wanted)
        }
    }

    /// What the defaults say is no longer missing, and patterns are read as they say.
    @Test func defaultsGoForTheirComponents() {
        let flag = "\"defaults\": {\"percentEncoded\": false}, "
        let back = "\"defaults\": {\"percentEncoded\": true}, "
        let path = "\"defaults\": {\"/\": \"/a\"}, "
        expectEqual(
            codes(components(#"{"exclude":false}"#, applinks: path)), ["defaults-with-pattern"])
        expectEqual(codes(components(#"{"exclude":false}"#, more: path)), ["defaults-with-pattern"])
        expectEqual(codes(components(#"{"/":"/é"}"#)), ["pattern-not-ascii"])
        expectEqual(codes(components(#"{"/":"/é"}"#, applinks: flag)), [])
        expectEqual(codes(components(#"{"/":"/é"}"#, more: flag)), [])
        expectEqual(
            codes(components(#"{"/":"/é"}"#, applinks: flag, more: back)), ["pattern-not-ascii"])
        expectEqual(
            codes(components(#"{"/":"/é","percentEncoded":true}"#, more: flag)),
            ["pattern-not-ascii"])
    }

    @Test(arguments: [
        ("NOT /a", true), ("NOT  /a", false), ("NOT ", false), ("NOT NOT /a", false),
        ("not /a", false), ("Not /a", false), ("NOT/a", false), ("!/a", false),
        ("EXCLUDE /a", false), ("exclude: /a", false), ("NOT", false),
        ("/NOT /a", true), ("NOTES/a", true), ("/a", true), ("!a", true), ("exclude/a", true),
        ("exclude", true), ("-a", true), ("-/a", true),
    ]) func exclusionsOfPathsHaveOneForm(_ path: String, _ isRight: Bool) {
        let text = details("{\"appID\": \"\(Self.shop)\", \"paths\": [\"*\", \"\(path)\"]}")
        #expect(codes(text).contains("path-not-prefix") != isRight)
    }

    @Test(
        arguments: [
            ("not  /x", "NOT /x"), ("!/x", "NOT /x"), ("NOT\\t/x", "NOT /x"),
            ("NOT: /x", "NOT /x"), ("NOT/x", "NOT /x"), ("not x", nil),
            ("Exclude /x", "NOT /x"), ("NOT\u{A0}/x", "NOT /x"), ("NOT", nil),
        ] as [(String, String?)])
    func writesTheExclusionThatWasMeant(_ path: String, _ fixed: String?) throws {
        let text = details("{\"appID\": \"\(Self.shop)\", \"paths\": [\"\(path)\"]}")
        let finding = try #require(lint(text).first { $0.code == "path-not-prefix" })
        expectEqual(
            finding.fix.map { String(decoding: $0[0].replacement, as: UTF8.self) },
            fixed.map { "\"\($0)\"" })
    }
}
