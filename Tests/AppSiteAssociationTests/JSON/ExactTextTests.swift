import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct ExactTextTests {
    @Test func equalsByBytesAndNotByMeaning() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        expectEqual(composed, decomposed)
        #expect(ExactText(composed) != ExactText(decomposed))
        expectEqual(ExactText(composed), ExactText(String(decoding: composed.utf8, as: UTF8.self)))
        expectEqual(
            Set([ExactText(composed), ExactText(decomposed), ExactText(composed)]).count, 2)
    }

    @Test func ordersByBytes() {
        expectEqual(
            [ExactText("\u{E9}"), "e\u{301}", "f", "e"].sorted().map(\.text.utf8.count),
            [
                1, 3, 1, 2,
            ])
        #expect(!(ExactText("a") < "a") && ExactText("") < "a")
    }

    @Test(arguments: ["", "a", "fifteen bytes!!", "and sixteen here", "né", "\u{1F600}\u{0}x"])
    func equalTextsHaveEqualHashes(_ text: String) {
        // One copy in its own storage, one as a slice of another's.
        let slice = String((text + "…").dropLast())
        expectEqual(ExactText(text), ExactText(slice))
        expectEqual(ExactText(text).hashValue, ExactText(slice).hashValue)
    }
}
