import TestSupport
import Testing

@testable import AppSiteAssociation

/// The claim of `covers` is put to the matcher: whatever a covered pattern matches, the other must
/// match.
@Suite struct PatternCoverageTests {
    @Test func coveringIsSoundForRandomPatterns() {
        var random = SeededRandom(seed: 20_261_121)
        let pieces = ["a", "b", "/", "*", "?", "$(digit)", "$(alpha)", "5", "/*", "A"]
        let texts = ["a", "b", "/", "5", "A", "x"]
        func make(_ pieces: [String], _ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
        }
        var yes = 0
        for _ in 0..<4_000 {
            let (broad, narrow) = (make(pieces, 4), make(pieces, 4))
            for place in [Pattern.Place.path, .text] {
                let isPath = place == .path
                let left = PatternOutline(broad, isPath: isPath, folded: false)
                let right = PatternOutline(narrow, isPath: isPath, folded: false)
                var budget = CoverageBudget()
                guard isPath ? left.coversPath(right, &budget) : left.covers(right, &budget)
                else { continue }
                yes += 1
                let (covering, covered) = (
                    Pattern(broad, place: place), Pattern(narrow, place: place)
                )
                for _ in 0..<12 {
                    let text = (isPath ? "/" : "") + make(texts, 5)
                    if covered.matches(text) {
                        #expect(covering.matches(text), "\(broad) over \(narrow), \(text)")
                    }
                }
            }
        }
        #expect(yes > 200, "too few covered pairs to mean anything: \(yes)")
    }

    /// The index finds a rule by what its pattern begins with: every pattern that is covered begins
    /// with that as well, or the finding would be lost.
    @Test func coveredPatternsBeginAlike() {
        var random = SeededRandom(seed: 20_261_122)
        let pieces = ["a", "B", "/", "*", "?", "$(digit)", "$(x)", "$(xy)", "/*", "b"]
        func make() -> String {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
        }
        var yes = 0
        for _ in 0..<20_000 {
            let (broad, narrow) = (make(), make())
            let left = PatternOutline(broad, isPath: true, folded: false)
            let right = PatternOutline(narrow, isPath: true, folded: false)
            var budget = CoverageBudget()
            guard left.coversPath(right, &budget) else { continue }
            yes += left.exactPrefix(128).isEmpty ? 0 : 1
            #expect(
                right.symbols.prefix(while: \.isExact).map(\.foldedCode)
                    .starts(with: left.exactPrefix(128).map(\.foldedCode)),
                "\(broad) over \(narrow)")
        }
        #expect(yes > 50, "too few covered pairs to mean anything: \(yes)")
    }

    @Test func aSpentBudgetShowsNothing() {
        let (broad, narrow) = (
            PatternOutline("*a*b", isPath: false, folded: false),
            PatternOutline("xxaxxb", isPath: false, folded: false)
        )
        var enough = CoverageBudget(steps: 100)
        #expect(broad.covers(narrow, &enough))
        var little = CoverageBudget(steps: 3)
        #expect(!broad.covers(narrow, &little))
    }

    @Test func apartMeansNoCommonText() {
        func apart(_ a: String, _ b: String) -> Bool {
            PatternOutline(a, isPath: true, folded: false).isCertainlyApart(
                from: PatternOutline(b, isPath: true, folded: false))
        }
        #expect(apart("/a/*", "/b/*"))
        #expect(!apart("/a/*", "/a/b"))
        #expect(!apart("*", "/b"))
        #expect(!apart("/a", "/ab"))
    }
}
