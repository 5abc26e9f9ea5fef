// Covers: CaseFolding.swift, LocaleCodes.swift, MatchScratch.swift, PatternCode.swift
// Covers: PatternCompiler.swift, PatternMatcher.swift, PositionSets.swift

import AppSiteAssociation
import TestSupport
import Testing

@Suite struct PatternTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var pattern: String
        var text: String
        var matches: Bool
        var place = Pattern.Place.path
        var caseSensitive = true
        var testDescription: String { "\(pattern) | \(text)" }
    }

    @Test(arguments: [
        Case(pattern: "/a/*/c", text: "/a/c", matches: false),
        Case(pattern: "/a/*/c", text: "/a/b/c", matches: true),
        Case(pattern: "/a/*/c", text: "/a/b/c/d/c", matches: true),
        Case(pattern: "/a/*/c", text: "/a/c/b/cd", matches: false),
        Case(pattern: "/buy", text: "/buy/", matches: true),
        Case(pattern: "/buy/", text: "/buy", matches: true),
        Case(pattern: "/buy", text: "//buy//", matches: true),
        Case(pattern: "/buy/*", text: "/buy", matches: true),
        Case(pattern: "/buy/*", text: "/buyer", matches: false),
        Case(pattern: "/buy/?*", text: "/buy/", matches: false),
        Case(pattern: "/*/x/*", text: "/a/xy/x", matches: true),
        Case(pattern: "/id/????", text: "/id/481", matches: false),
        Case(pattern: "/id/????", text: "/id/4815", matches: true),
        Case(pattern: "/id/????", text: "/id/48159", matches: false),
        Case(pattern: "", text: "/", matches: true),
        Case(pattern: "/", text: "", matches: true),
        Case(pattern: "*", text: "", matches: true),
        Case(pattern: "?*", text: "", matches: false),
        Case(pattern: "*.html", text: "/x/y.html", matches: true),
        Case(pattern: "*.html", text: "/x/y.htm", matches: false),
        Case(pattern: "ab*ba", text: "aba", matches: false),
        Case(pattern: "ab*ba", text: "abba", matches: true),
        Case(pattern: "/?/x", text: "/é/x", matches: true),
        Case(pattern: "/?", text: "/😀", matches: true),
        Case(pattern: "*?b", text: "/€b", matches: true),
        Case(pattern: "/A*", text: "/abc", matches: true, caseSensitive: false),
        Case(pattern: "/a*", text: "/ABC", matches: true, caseSensitive: false),
        Case(pattern: "/É", text: "/é", matches: true, caseSensitive: false),
        Case(pattern: "/É", text: "/é", matches: false),
        Case(pattern: "a=1", text: "a=1", matches: true, place: .text),
        Case(pattern: "/a", text: "a", matches: false, place: .text),
        Case(pattern: "a/", text: "a", matches: false, place: .text),
        Case(pattern: "?*", text: "", matches: false, place: .text),
        Case(pattern: "$(digit)$(digit)", text: "42", matches: true),
        Case(pattern: "$(digit)$(digit)", text: "4", matches: false),
        Case(pattern: "*$(digit)", text: "abc7", matches: true),
        Case(pattern: "/$(region)/home", text: "/GB/home", matches: true),
        Case(pattern: "/$(region)/home", text: "/UK/home", matches: false),
        Case(pattern: "/$(region)/home", text: "/gb/home", matches: false),
        Case(pattern: "/$(region)/home", text: "/gb/home", matches: true, caseSensitive: false),
        Case(pattern: "/$(lang)-x", text: "/haw-x", matches: true),
        Case(pattern: "/$(lang)", text: "/EN", matches: true, caseSensitive: false),
        Case(pattern: "/$(lang)", text: "/EN", matches: false),
        Case(pattern: "/$(lang)n", text: "/den", matches: true),
        Case(pattern: "/$(nothing)", text: "/$(nothing)", matches: false),
        Case(pattern: "/$(open", text: "/$(open", matches: true),
        Case(pattern: "/$", text: "/$", matches: true),
        Case(pattern: "/*/$(upper)", text: "/x/y", matches: true, caseSensitive: false),
    ])
    func accepts(_ test: Case) {
        let pattern = Pattern(
            test.pattern, place: test.place, caseSensitive: test.caseSensitive)
        #expect(pattern.matches(test.text) == test.matches)
    }

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

    @Test func saysWhatItAlwaysAnswers() {
        #expect(Pattern("/*").matchesEverything)
        #expect(Pattern("***").matchesEverything)
        #expect(!Pattern("?*").matchesEverything)
        #expect(Pattern("/a$(b)*").matchesNothing)
    }

    /// Short alphabets make collisions likely; the seed is printed with a failure.
    @Test(arguments: [UInt64](1...12))
    func agreesWithTheNaiveMatcher(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let variables = [
            (name: "v", values: ["a", "ab", "b*", "?"]), (name: "w", values: ["", "a?b", "/"]),
        ]
        let pieces = [
            "a", "b", "A", "/", "*", "?", "é", "É", "$(v)", "$(w)", "$(digit)", "$(lower)", "1",
            "**",
            "$(", "/*",
        ]
        let letters = ["a", "b", "A", "/", "é", "É", "1", "ab", "//"]
        let scratch = MatchScratch()
        for _ in 0..<1500 {
            let pattern = (0..<Int.random(in: 0...6, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let text = (0..<Int.random(in: 0...7, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            let caseSensitive = Bool.random(using: &random)
            let reference = ReferenceMatcher(variables: variables, caseSensitive: caseSensitive)
            let path = Pattern(
                pattern, place: .path, caseSensitive: caseSensitive, variables: variables)
            let other = Pattern(
                pattern, place: .text, caseSensitive: caseSensitive, variables: variables)
            #expect(
                path.matches(text, scratch: scratch) == reference.matchesPath(pattern, text),
                "seed \(seed): path \(pattern) against \(text), case \(caseSensitive)")
            #expect(
                other.matches(text, scratch: scratch) == reference.matches(pattern, text),
                "seed \(seed): text \(pattern) against \(text), case \(caseSensitive)")
        }
    }

    @Test func staysLinearUnderHostilePatterns() {
        let values = [(name: "v", values: ["a", "aa", "a*", "*a", "?"])]
        let hostile = [
            String(repeating: "*a", count: 60) + "*b",
            String(repeating: "a*", count: 60) + "b",
            String(repeating: "?*", count: 60) + "b",
            "*" + String(repeating: "a", count: 120) + "b",
            String(repeating: "$(v)", count: 40) + "b",
            String(repeating: "*$(v)", count: 40) + "b",
            String(repeating: "$(lang)*", count: 30) + "!",
        ]
        for pattern in hostile {
            let compiled = Pattern(pattern, place: .text, variables: values)
            for length in [100, 1000, 4000] {
                let scratch = MatchScratch()
                let text = String(repeating: "a", count: length)
                #expect(!compiled.matches(text, scratch: scratch))
                // Five values of at most two instructions each per variable.
                let bound = 12 * (length + 1) * (pattern.utf8.count + 1)
                #expect(scratch.steps <= bound, "\(pattern) took \(scratch.steps) steps")
            }
        }
    }
}
