import AppSiteAssociation
import TestSupport
import Testing

@Suite struct VariableRulesTests: LintSuite {
    private func found(
        _ variables: String, _ component: String = #"{"/": "/$(a)"}"#, more: String = ""
    ) -> [String] {
        codes(
            components(
                component, applinks: "\"substitutionVariables\": {\(variables)}, \(more)")
        ).filter { $0.hasPrefix("variable") || $0.hasPrefix("pattern") }
    }

    @Test(arguments: [
        (#""a": ["x"]"#, [String]()), (#""a": []"#, ["variable-empty"]),
        (#""a": [""]"#, ["variable-value-empty"]),
        (#""a": ["x", ""]"#, ["variable-value-empty"]),
        (#""a": ["x", "y", "x", "x"]"#, ["variable-value-twice", "variable-value-twice"]),
        ("\"a\": [\"caf\u{E9}\", \"cafe\u{301}\"]", ["pattern-not-ascii", "pattern-not-ascii"]),
        (#""a": ["x", "X"]"#, []), (#""a": ["$(lang)"]"#, ["variable-nested"]),
        (#""a": ["$("]"#, ["variable-nested"]), (#""a": ["$x", "(y)"]"#, []),
        (#""a": ["x"], "b": ["y"]"#, ["variable-unused"]),
        (#""a": ["x"], "A": ["y"]"#, ["variable-unused"]),
        (#""a": ["x"], "b$": ["y"]"#, ["variable-name"]),
        (#""a": ["x"], "b(": ["y"]"#, ["variable-name"]),
        (#""a": ["x"], "b)": ["y"]"#, ["variable-name"]),
        (#""a": ["x"], "": ["y"]"#, ["variable-name"]),
        (#""a": ["x"], "digit": ["y"]"#, ["variable-unused", "variable-built-in"]),
        (#""a": ["x"], "Digit": ["y"]"#, ["variable-unused"]),
        (#""a": ["c|d"]"#, ["pattern-not-encoded"]),
        (#""a": ["é"]"#, ["pattern-not-ascii"]), (#""a": ["%c3"]"#, ["pattern-lower-hex"]),
        // What no pattern uses is not compared with anything.
        (#""a": ["x"], "b": ["é"]"#, ["variable-unused"]),
    ]) func definitionsAreOfUse(_ variables: String, _ wanted: [String]) {
        expectEqual(found(variables), wanted)
    }

    @Test(
        arguments: [
            (#"{"/": "/$(b)"}"#, ["variable-undefined"]),
            (#"{"/": "/$(A)"}"#, ["variable-undefined"]),
            (#"{"/": "/$()"}"#, ["variable-undefined"]), (#"{"/": "/$(lang)"}"#, []),
            (#"{"/": "/$(Lang)"}"#, ["variable-undefined"]),
            (#"{"/": "/$(a"}"#, ["variable-unclosed"]),
            (#"{"/": "/$(a$(lang)"}"#, ["variable-unclosed"]), (#"{"/": "/$a"}"#, []),
            (#"{"/": "/$(b(c)"}"#, ["variable-unclosed"]),
            (#"{"/": "/$(b)$(c)"}"#, ["variable-undefined", "variable-undefined"]),
            // In every pattern of a component.
            (##"{"#": "$(b)"}"##, ["variable-undefined"]),
            (#"{"?": "$(b)"}"#, ["variable-undefined"]),
            (#"{"?": {"q": "$(b)"}}"#, ["variable-undefined"]),
            (#"{"comment": "$(b)", "/": "/a"}"#, []),
        ] as [(String, [String])])
    func usesAreDefined(_ component: String, _ wanted: [String]) {
        expectEqual(found(#""a": ["x"]"#, component).filter { $0 != "variable-unused" }, wanted)
        // Also in a document without definitions.
        expectEqual(
            codes(components(component)).filter { $0.hasPrefix("variable") },
            wanted)
    }

    /// A use anywhere is a use.
    @Test(arguments: [
        (##"{"#": "$(a)"}"##, ""), (#"{"?": "$(a)"}"#, ""), (#"{"?": {"q": "x$(a)"}}"#, ""),
        (#"{"/": "/x"}"#, ##""defaults": {"#": "$(a)"}, "##), (#"{"/": "/$(lang)$(a)"}"#, ""),
        (#"{"/": "/\u0024(a)"}"#, ""),
    ]) func usesAreFound(_ component: String, _ more: String) {
        expectEqual(found(#""a": ["x"]"#, component, more: more), [])
    }

    @Test func usesOfPathsAndDefaultsAreFound() {
        let variables = #""substitutionVariables": {"a": ["x"]}, "#
        let paths = "{\"appID\": \"\(Self.shop)\", \"paths\": [\"/$(a)\"]}"
        #expect(!codes(details(paths, applinks: variables)).contains("variable-unused"))
        let inner = entry(#"{"/": "/x"}"#, more: ##""defaults": {"#": "$(a)"}, "##)
        #expect(!codes(details(inner, applinks: variables)).contains("variable-unused"))
    }

    @Test(arguments: [
        ("digits", "Write $(digit)." as String?), ("pages", "Write $(page)."),
        ("somethingelse", nil),
    ]) func whatWasMeantIsNamed(_ name: String, _ remedy: String?) {
        let findings = lint(
            components(
                "{\"/\": \"/$(page)$(\(name))\"}",
                applinks: #""substitutionVariables": {"page": ["x"]}, "#))
        let finding = findings.first { $0.code == "variable-undefined" }
        expectEqual(finding?.message, "$(\(name)) is not defined")
        #expect(
            finding?.remedy == remedy ?? RuleCatalog.rule("variable-undefined")?.remedy)
    }

    /// Where some rule compares with the decoded URL, values may hold any character.
    @Test func valuesAreReadAsTheirPatternsAre() {
        let value = #""a": ["é"]"#
        let flag = #""defaults": {"percentEncoded": false}, "#
        expectEqual(found(value, #"{"/": "/$(a)", "percentEncoded": false}"#), [])
        expectEqual(found(value, #"{"/": "/$(a)", "percentEncoded": true}"#), ["pattern-not-ascii"])
        expectEqual(found(value, more: flag), [])
    }
}
