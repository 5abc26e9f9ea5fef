import AppSiteAssociation
import Testing

@Suite struct PositionSetsTests {
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
        #expect(pattern.matches(text) == isMatch)
    }

    @Test(arguments: [
        ("haw-x", "$(lang)-x", true), ("en", "$(lang)", true), ("EN", "$(lang)", false),
        ("eN", "$(lang)", false), ("den", "$(lang)n", true), ("de", "$(lang)n", false),
        ("e", "$(lang)", false), ("", "$(lang)", false), ("enx", "$(lang)", false),
        ("xx", "$(lang)", false), ("qqq", "$(lang)", false), ("haw", "$(lang)", true),
        ("ha", "$(lang)", true), ("haw", "$(lang)w", true), ("hawen", "$(lang)$(lang)", true),
        ("h{w", "$(lang)", false), ("`aa", "$(lang)", false), ("zh-zza", "$(lang)-$(lang)", true),
    ]) func languagesHaveTwoLettersOrThree(_ text: String, _ pattern: String, _ isMatch: Bool) {
        #expect(Pattern(pattern, place: .text).matches(text) == isMatch)
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
}
