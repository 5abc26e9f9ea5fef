import Testing

@testable import AppSiteAssociation

@Suite struct MatchScratchTests {
    /// What one comparison left behind must not be read by the next, which may be longer.
    @Test func oneScratchAnswersAsAFreshOne() {
        let variables = [(name: "v", values: ["a", "ab*", "?c"])]
        let patterns = ["*$(v)x", "$(v)$(v)", "a*b", "/É*", "*"].map {
            Pattern($0, caseSensitive: false, variables: variables)
        }
        let texts = ["abx", String(repeating: "ab", count: 300) + "x", "", "ac", "éa", "abbc"]
        let scratch = MatchScratch()
        var matches = 0
        for text in texts + texts.reversed() {
            for pattern in patterns {
                let isMatch = pattern.matches(text, scratch: scratch)
                #expect(isMatch == pattern.matches(text), "\(pattern.source) \(text.prefix(9))")
                matches += isMatch ? 1 : 0
            }
        }
        #expect(matches > 12 && matches < 50)
    }

    @Test func memoryGrowsByDoubling() {
        let scratch = MatchScratch()
        scratch.reserve(bytes: 10, items: 3)
        scratch.reserve(setWords: 4)
        let before = (scratch.bytes, scratch.items, scratch.sets)
        scratch.reserve(bytes: 20, items: 6)
        scratch.reserve(setWords: 8)
        #expect(scratch.bytes == before.0 && scratch.items == before.1)
        #expect(scratch.sets == before.2)
        scratch.sets[7] = 1
        scratch.bytes[19] = 1
        scratch.reserve(bytes: 0, items: 0)
        scratch.reserve(setWords: 1)
        #expect(scratch.bytes[19] == 1 && scratch.sets[7] == 1)
    }

    @Test func stepsAreCountedOverAllComparisons() {
        let scratch = MatchScratch()
        let pattern = Pattern("abc", place: .text)
        _ = pattern.matches("abc", scratch: scratch)
        let once = scratch.steps
        _ = pattern.matches("abc", scratch: scratch)
        #expect(once > 0 && scratch.steps == 2 * once)
    }
}
