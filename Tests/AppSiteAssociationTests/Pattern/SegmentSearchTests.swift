import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct SegmentSearchTests {
    private func steps(_ pattern: String, _ text: String, matches: Bool) -> Int {
        let scratch = MatchScratch()
        #expect(Pattern(pattern, place: .text).matches(text, scratch: scratch) == matches)
        return scratch.steps
    }

    /// Where a search begins again at every place, these cost the product of both lengths.
    @Test func `A long literal costs the length of the text and its own`() {
        for count in [2_000, 4_000] {
            let letters = String(repeating: "a", count: count)
            let text = letters + letters
            #expect(steps("*\(letters)b*", text, matches: false) < 8 * count)
            #expect(steps("*b\(letters)*", text, matches: false) < 8 * count)
            #expect(steps("*\(letters)b*", text + "b", matches: true) < 8 * count)
        }
    }

    @Test func `A segment with single characters costs a sixty-fourth of the product`() {
        for count in [2_000, 4_000] {
            let letters = String(repeating: "a?", count: count / 2)
            let text = String(repeating: "a", count: 2 * count)
            let bound = 8 * count + 2 * count * count / 64
            #expect(steps("*\(letters)b*", text, matches: false) < bound)
        }
    }

    /// Texts that are long enough for the search, and repeat themselves.
    @Test func `It finds what the plain matcher finds`() {
        var random = SeededRandom(seed: 7)
        let pieces = ["a", "b", "ab", "aab", "?", "??", "$(digit)", "$(upper)", "$(alpha)", "*"]
        let letters = ["a", "a", "a", "b", "D", "E", "1"]
        let scratch = MatchScratch()
        var found = 0
        for round in 0..<3_000 {
            func choice(_ list: [String]) -> String {
                list[Int.random(in: 0..<list.count, using: &random)]
            }
            let parts = (0..<Int.random(in: 1...7, using: &random)).map { _ in choice(pieces) }
            let pattern = "*" + parts.joined() + "*"
            var text = (0..<Int.random(in: 64...90, using: &random)).map { _ in choice(letters) }
                .joined()
            // A character of two bytes leaves only literals to the search.
            if round % 5 == 0 { text = "é" + text + "é" }
            let expected = ReferenceMatcher(variables: [], caseSensitive: true)
                .matches(pattern, text)
            let isMatch = Pattern(pattern, place: .text).matches(text, scratch: scratch)
            #expect(isMatch == expected, "\(pattern) in \(text)")
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
    }

    /// The search must not run into what the pattern wants at the end of the text.
    @Test func `What it finds ends before the last segment`() {
        let filler = String(repeating: "x", count: 80)
        let pattern = Pattern("*abc*bcd", place: .text)
        #expect(!pattern.matches(filler + "abcd"))
        #expect(pattern.matches(filler + "abcbcd"))
        #expect(!Pattern("*a?c*bcd", place: .text).matches(filler + "abcd"))
        #expect(Pattern("*a?c*bcd", place: .text).matches(filler + "abcbcd"))
    }
}
