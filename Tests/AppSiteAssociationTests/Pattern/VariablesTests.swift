import AppSiteAssociation
import TestSupport
import Testing

@Suite struct VariablesTests {
    @Test func variablesHoldWildcardsButNoVariables() {
        let variables = [
            (name: "kind", values: ["a*z", "b?", "$(digit)", ""]),
            (name: "Canadian food", values: ["poutine"]),
        ]
        func matches(_ pattern: String, _ text: String) -> Bool {
            Pattern(pattern, variables: variables).matches(text)
        }
        #expect(matches("/$(kind)/x", "/abcz/x"))
        #expect(matches("/$(kind)/x", "/b1/x"))
        #expect(!matches("/$(kind)/x", "/b/x"))
        #expect(!matches("/$(kind)/x", "/7/x"))
        #expect(matches("/$(kind)/x", "/$(digit)/x"))
        #expect(matches("/y$(kind)/x", "/y/x"))
        #expect(matches("/$(Canadian food)/", "/poutine"))
        #expect(!matches("/$(canadian food)/", "/poutine"))
        #expect(matches("*$(kind)*$(kind)!", "-abz-bc!"))
    }

    /// Positions are bits of words of 64: texts whose end falls on either side of a word.
    @Test(arguments: [0, 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 191, 192, 193])
    func textsOfEveryLength(_ count: Int) {
        func matches(_ pattern: String, _ text: String) -> Bool {
            Pattern(
                pattern, place: .text, variables: [(name: "v", values: ["b", "", "cd*e", "?f"])]
            ).matches(text)
        }
        let fill = String(repeating: "a", count: count)
        #expect(matches("*$(v)", fill) && matches("*$(v)x", fill + "bx"))
        #expect(matches("*$(v)x", fill + "x") && matches("*$(v)x", fill + "cdex"))
        #expect(matches("*$(v)x", fill + "cd" + fill + "ex") && matches("*$(v)x", fill + "?fx"))
        #expect(!matches("*$(v)y", fill + "bx"))
        #expect(matches("\(fill)$(v)", fill + "b") && matches("$(v)\(fill)", fill))
        #expect(!matches("\(fill)$(v)", fill + "a") && !matches("$(v)\(fill)!", fill))
        #expect(matches("\(fill)$(v)$(v)\(fill)", fill + "b" + fill))
        #expect(!matches("\(fill)$(v)$(v)\(fill)-", fill + "bbb" + fill + "-"))
    }

    /// All values are kept in mind: what fits first is not what has to fit in the end.
    @Test(arguments: [
        ("ab", false), ("aab", true), ("aaab", true), ("abab", true), ("abb", false), ("", false),
        ("aaaab", true), ("aaaaab", false), ("ababab", false), ("ababb", true), ("aabb", true),
        ("aaabb", true), ("b", false),
    ]) func noValueIsTakenForGood(_ text: String, _ isMatch: Bool) {
        let pattern = Pattern(
            "$(v)$(v)b", place: .text, variables: [(name: "v", values: ["a", "ab", "aa"])])
        expectEqual(pattern.matches(text), isMatch)
    }

    @Test(arguments: [
        ("haw-x", "$(lang)-x", true), ("en", "$(lang)", true), ("EN", "$(lang)", false),
        ("eN", "$(lang)", false), ("den", "$(lang)n", true), ("de", "$(lang)n", false),
        ("e", "$(lang)", false), ("", "$(lang)", false), ("enx", "$(lang)", false),
        ("xx", "$(lang)", false), ("qqq", "$(lang)", false), ("haw", "$(lang)", true),
        ("ha", "$(lang)", true), ("haw", "$(lang)w", true), ("hawen", "$(lang)$(lang)", true),
        ("h{w", "$(lang)", false), ("`aa", "$(lang)", false), ("zh-zza", "$(lang)-$(lang)", true),
    ]) func languagesHaveTwoLettersOrThree(_ text: String, _ pattern: String, _ isMatch: Bool) {
        expectEqual(Pattern(pattern, place: .text).matches(text), isMatch)
    }

    @Test func languagesAreFoldedWithTheText() {
        let folded = Pattern("/$(lang)", caseSensitive: false)
        #expect(folded.matches("/EN") && folded.matches("/Haw") && !folded.matches("/XX"))
    }

    /// A run begins between characters, not within one.
    @Test func runsKeepCharactersWhole() {
        func matches(_ pattern: String, _ text: String) -> Bool {
            Pattern(
                pattern, place: .text, variables: [(name: "v", values: ["?", "x*?"])]
            ).matches(text)
        }
        #expect(matches("*$(v)", "é") && matches("é*$(v)", "éé") && !matches("é*$(v)", "é"))
        #expect(matches("$(v)", "xé") && !matches("*é$(v)", "é") && !matches("$(v)$(v)", "é"))
    }

    /// Values stand behind the patterns, those of one variable behind those of another.
    @Test func severalVariablesKeepTheirValues() {
        let variables = [
            (name: "v", values: ["one", "t*o"]), (name: "w", values: ["", "x?"]),
            (name: "none", values: []),
        ]
        func matches(_ pattern: String, _ text: String, caseSensitive: Bool = true) -> Bool {
            Pattern(
                pattern, place: .text, caseSensitive: caseSensitive, variables: variables
            ).matches(text)
        }
        #expect(matches("$(w)-$(v)", "-one") && matches("$(w)-$(v)", "xy-too"))
        #expect(!matches("$(w)-$(v)", "one-") && !matches("$(w)-$(v)", "x-one"))
        #expect(matches("$(v)$(w)$(v)", "ONExyTO", caseSensitive: false))
        #expect(!matches("$(v)$(w)$(v)", "ONExyTO"))
        #expect(!matches("$(none)", "") && !matches("*$(none)*", "x"))
    }

    @Test func ownVariablesComeBeforeBuiltInOnes() {
        func matches(_ text: String, _ variables: [(name: String, values: [String])]) -> Bool {
            Pattern("$(digit)", place: .text, variables: variables).matches(text)
        }
        #expect(matches("5", []) && !matches("one", []))
        #expect(!matches("5", [("digit", ["one"])]) && matches("one", [("digit", ["one"])]))
        // Names are exact, and of a repeated one the first counts.
        #expect(matches("5", [("Digit", ["one"])]))
        #expect(!matches("2", [("digit", ["1"]), ("digit", ["2"])]))
    }

    /// A URL has either form, and so has a name.
    @Test func composedAndDecomposedNamesAreTwo() {
        let variables = [(name: "\u{E9}", values: ["x"]), (name: "e\u{301}", values: ["y"])]
        for (name, value, other) in [("\u{E9}", "x", "y"), ("e\u{301}", "y", "x")] {
            let pattern = Pattern("$(\(name))", place: .text, variables: variables)
            #expect(pattern.matches(value) && !pattern.matches(other))
        }
    }
}
