import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct EditDistanceTests {
    /// The plain table of the restricted edit distance, without any short cut.
    private func table(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var cells = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
        for i in 0...a.count { cells[i][0] = i }
        for i in 0..<a.count {
            for j in 0..<b.count {
                var best = min(cells[i][j + 1] + 1, cells[i + 1][j] + 1)
                best = min(best, cells[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, cells[i - 1][j - 1] + 1)
                }
                cells[i + 1][j + 1] = best
            }
        }
        return cells[a.count][b.count]
    }

    @Test func aPluralIsMeant() {
        expectEqual(Spelling.correction(of: "alias", among: ["aliases", "form"]), "aliases")
    }

    /// All pairs of words of up to four of three letters: whatever is within the limit is exact.
    @Test(arguments: [1, 2]) func everyPairOfShortWords(limit: Int) {
        var words: [[UInt8]] = [[]]
        var longest = words
        for _ in 1...4 {
            longest = longest.flatMap { word in [1, 2, 3].map { word + [$0] } }
            words += longest
        }
        expectEqual(words.count, 121)
        for a in words {
            for b in words {
                let exact = table(a, b)
                let found = Spelling.distance(a, b, limit: limit)
                expectEqual(min(found, limit + 1), min(exact, limit + 1), "\(a) \(b)")
            }
        }
    }

    @Test(arguments: [
        ("componets", "components"), ("compoennts", "components"), ("Components", "components"),
        ("app_ids", "appIDs"), ("app-IDs", "appIDs"), ("appId", "appID"), ("pahts", "paths"),
        ("default", "defaults"), ("path", "paths"),
    ]) func slipsAreCorrected(slip: String, meant: String) {
        expectEqual(
            Spelling.correction(of: slip, among: AssociationFormat.entry.members.map(\.key)),
            meant)
    }

    @Test(arguments: [
        "components", "", "x", "comp", "rules", "c\u{F6}mp\u{F6}nents\u{F6}",
        "somethingElse", "componentsAndManyMoreLettersThanAnybodyWouldWrite",
    ]) func othersAreNot(_ word: String) {
        #expect(
            Spelling.correction(of: word, among: AssociationFormat.entry.members.map(\.key)) == nil)
    }
}
