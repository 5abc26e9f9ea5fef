import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct ComparedTextTests {
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
        Case(pattern: "/$(nothing)", text: "/$(nothing)", matches: false),
        Case(pattern: "/$(open", text: "/$(open", matches: true),
        Case(pattern: "/$", text: "/$", matches: true),
        Case(pattern: "/*/$(upper)", text: "/x/y", matches: true, caseSensitive: false),
        // Segments: each at its first place, none over another, the last at the end.
        Case(pattern: "*ab*ab*", text: "ab-ab", matches: true),
        Case(pattern: "*ab*ab*", text: "abab", matches: true),
        Case(pattern: "*ab*ab*", text: "aab", matches: false),
        Case(pattern: "*aab*", text: "aaab", matches: true),
        Case(pattern: "a*ab", text: "ab", matches: false),
        Case(pattern: "a*b*b", text: "ab", matches: false),
        Case(pattern: "a*b*b", text: "abb", matches: true),
        Case(pattern: "*a?*", text: "xa", matches: false),
        Case(pattern: "*a?*", text: "xab", matches: true),
        Case(pattern: "a*??", text: "ab", matches: false),
        Case(pattern: "a*??", text: "abc", matches: true),
        Case(pattern: "??*a", text: "xa", matches: false),
        Case(pattern: "*?x", text: "x", matches: false, place: .text),
        Case(pattern: "*?", text: "é", matches: true, place: .text),
        Case(pattern: "*??", text: "é", matches: false, place: .text),
        Case(pattern: "??", text: "é", matches: false, place: .text),
        Case(pattern: "a?b", text: "ab", matches: false, place: .text),
        Case(pattern: "abc", text: "ab", matches: false, place: .text),
        Case(pattern: "abc", text: "abcd", matches: false, place: .text),
        Case(pattern: "abc*", text: "ab", matches: false, place: .text),
        Case(pattern: "abc*", text: "abc", matches: true, place: .text),
        Case(pattern: "abcdefghi", text: "abcdefghj", matches: false, place: .text),
        Case(pattern: "$(digit)*$(digit)", text: "1", matches: false, place: .text),
        Case(pattern: "$(digit)*$(digit)", text: "12", matches: true, place: .text),
        Case(pattern: "*$(digit)", text: "", matches: false, place: .text),
        Case(pattern: "*x$(region)", text: "xGB", matches: true, place: .text),
        Case(pattern: "*$(region)", text: "B", matches: false, place: .text),
        Case(pattern: "*$(region)", text: "GB", matches: true, place: .text),
        Case(pattern: "$(region)", text: "G", matches: false, place: .text),
        Case(pattern: "$(region)", text: "Gb", matches: false, place: .text),
        Case(pattern: "$(region)", text: "gB", matches: false, place: .text),
        Case(pattern: "$(region)*GB", text: "GBB", matches: false, place: .text),
    ])
    func accepts(_ test: Case) {
        let pattern = Pattern(
            test.pattern, place: test.place, caseSensitive: test.caseSensitive)
        expectEqual(pattern.matches(test.text), test.matches)
    }

    /// Invalid UTF-8 cannot come in as text, but a character's continuation bytes go with it.
    @Test(arguments: ["é", "€", "😀"]) func aCharacterIsTakenWhole(_ character: String) {
        func matches(_ pattern: String) -> Bool {
            Pattern(pattern, place: .text).matches("a" + character + "b")
        }
        #expect(
            matches("a?b") && matches("???") && matches("*?b") && matches("a?*") && matches("*?*b"))
        #expect(!matches("a??b") && !matches("????") && !matches("*????") && !matches("a??b*"))
    }

    /// A segment that fails is searched further on, never behind the last one's beginning.
    @Test func theLastSegmentBoundsTheSearch() {
        let pattern = Pattern("a*bc*c", place: .text)
        #expect(pattern.matches("abcc") && pattern.matches("axbcxc"))
        #expect(!pattern.matches("abc") && !pattern.matches("ab-c-c"))
    }

    /// Positions of the text far from its start, and texts that repeat themselves.
    @Test func `It finds what the naive matcher finds in longer texts`() {
        var random = SeededRandom(seed: 7)
        let pieces = ["a", "b", "ab", "aab", "?", "??", "$(digit)", "$(upper)", "$(alpha)", "*"]
        let letters = ["a", "a", "a", "b", "D", "E", "1"]
        var found = 0
        for round in 0..<3_000 {
            func choice(_ list: [String]) -> String {
                list[Int.random(in: 0..<list.count, using: &random)]
            }
            let parts = (0..<Int.random(in: 1...7, using: &random)).map { _ in choice(pieces) }
            let pattern = "*" + parts.joined() + "*"
            var text = (0..<Int.random(in: 64...90, using: &random)).map { _ in choice(letters) }
                .joined()
            if round % 5 == 0 { text = "é" + text + "é" }
            let expected = ReferenceMatcher(variables: [], caseSensitive: true)
                .matches(pattern, text)
            let isMatch = Pattern(pattern, place: .text).matches(text)
            expectEqual(isMatch, expected, "\(pattern) in \(text)")
            if expected { found += 1 }
        }
        #expect((300...2_900).contains(found))
    }

    @Test func `A region is two letters of the list`() {
        let filler = String(repeating: "x", count: 80)
        let pattern = Pattern("*1$(region)2?*", place: .text)
        #expect(pattern.matches(filler + "1DX2y1DE2y" + filler))
        #expect(!pattern.matches(filler + "1DX2y" + filler))
        #expect(!pattern.matches(filler + "1DE2"))
        // A letter that is canonically equal to one of ASCII is another.
        #expect(Pattern("$(region)", place: .text).matches("KR"))
        #expect(!Pattern("$(region)", place: .text).matches("\u{212A}R"))
    }

    /// A long pattern that rules share is compared once per text.
    @Test func aLongPatternIsComparedOnce() {
        let pattern = Pattern(String(repeating: "a*", count: 200) + "b", place: .text)
        let steps = Steps(1_000_000)
        let text = ComparedText(
            PatternSymbol.literals(of: String(repeating: "a", count: 300), folds: false), steps)
        #expect(!text.matches(pattern))
        let left = steps.left
        #expect(left < 1_000_000 && !text.matches(pattern) && steps.left == left)
    }
}
