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
                let covering = Pattern(
                    broad, place: place, caseSensitive: Bool.random(using: &random))
                let covered = Pattern(
                    narrow, place: place, caseSensitive: Bool.random(using: &random))
                guard covering.covers(covered, Steps()) else { continue }
                yes += 1
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

    @Test(arguments: [
        ("*", "", true), ("/buy/*", "/buy", true), ("/buy", "/buy/*", false),
        ("/buy/*", "/buy/a/*", true), ("/buy*", "/buy/*", true), ("/buy/?*", "/buy/*", false),
        ("/*/*", "/a", true), ("*/*", "/a/*", true), ("/?", "/$(digit)", true),
        ("/?", "/$(v)", false), ("/$(v)/*", "/$(v)", true), ("/$(w)", "/$(v)", false),
        ("/$(v)", "/x", true), ("/$(v)", "/y", false), ("/$(no)", "/$(no)", false),
        ("/$(lang)*", "/$(lang)/*", true), ("/$(lang)/*", "/de/a/*", true),
        ("/$(lang)/*", "/d*", false), ("/$(region)/$(lang)", "/US/$(lang)", true),
        ("/$(lang)", "/en", true), ("/en", "/$(lang)", false), ("/?", "/é", false),
        ("/a?*", "/a?*", true), ("/é", "/é", true),
    ]) func coveringIsSure(_ broad: String, _ narrow: String, _ isCovered: Bool) {
        let variables = Variables([("v", ["x"]), ("w", ["x"])])
        let patterns = [broad, narrow].map {
            Pattern($0, .path, caseSensitive: true, variables)
        }
        expectEqual(patterns[0].covers(patterns[1], Steps()), isCovered)
    }

    @Test func aSpentBudgetShowsNothing() {
        let (broad, narrow) = (Pattern("*a*b", place: .text), Pattern("xxaxxb", place: .text))
        #expect(broad.covers(narrow, Steps(100)))
        #expect(!broad.covers(narrow, Steps(3)))
    }

    @Test func apartMeansNoCommonText() {
        func apart(_ a: String, _ b: String) -> Bool {
            Pattern(a).isCertainlyApart(from: Pattern(b))
        }
        #expect(apart("/a/*", "/b/*"))
        #expect(!apart("/a/*", "/a/b"))
        #expect(!apart("*", "/b"))
        #expect(!apart("/a", "/ab"))
    }
}
