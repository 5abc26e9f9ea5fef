import TestSupport
import Testing

@testable import AppSiteAssociation

// Covers: Steps.swift

@Suite struct PatternPieceTests {
    @Test(
        arguments: [
            ("$(a)", [.variable("a")]),
            ("x$(a)$(b)y", [.text("x"), .variable("a"), .variable("b"), .text("y")]),
            ("$()", [.variable("")]), ("$$(a)", [.text("$"), .variable("a")]),
            ("$(a$(b)", [.text("$(a"), .variable("b")]), ("$(a(b)", [.text("$(a(b)")]),
            ("$(", [.text("$(")]), ("$", [.text("$")]), ("$(a", [.text("$(a")]),
            ("(a)", [.text("(a)")]), ("$(a b)", [.variable("a b")]), ("", []),
            ("é$(é)", [.text("é"), .variable("é")]),
        ] as [(String, [PatternPiece])])
    func variablesAreFound(_ text: String, _ pieces: [PatternPiece]) {
        expectEqual(PatternPiece.all(in: text), pieces)
        // In step with the matcher: what is no variable is text that has no special meaning.
        if pieces.allSatisfy({ $0 == .text(text[...]) }) {
            #expect(Pattern(text, place: .text).matches(text))
        }
    }

    @Test(arguments: [
        ("$(", true), ("$(a", true), ("x$(a(b)", true), ("$", false), ("$)", false), ("", false),
        ("$$", false), ("($", false),
    ]) func aBracketMayBeOpen(_ text: String, _ isUnclosed: Bool) {
        expectEqual(PatternPiece.text(text[...]).isUnclosed, isUnclosed)
        #expect(!PatternPiece.variable(text).isUnclosed)
    }

    @Test func namesAreListedOnce() {
        expectEqual(PatternPiece.names(in: "$(b)$(a)$(b)$(A)"), ["b", "a", "A"])
        // By their bytes, as they are compared.
        expectEqual(PatternPiece.names(in: "$(\u{E9})$(e\u{301})").count, 2)
    }

    @Test(arguments: [
        ("$(v)", "$(long)"), ("a$(v)b$(v)c", "a$(long)b$(long)c"), ("$(V)$(vv)$()", "$(V)$(vv)$()"),
        ("$(v", "$(v"), ("$v)", "$v)"), ("$(u)", "$(v)"), ("$(u)$(v)", "$(v)$(long)"),
        ("$($(v)", "$($(long)"), ("$((v)", "$((v)"), ("é$(v)é", "é$(long)é"), ("", ""),
    ]) func namesAreReplacedAtOnce(_ before: String, _ after: String) {
        expectEqual(Pattern.renaming(before, ["v": "long", "u": "v"]), after)
    }

    @Test func stepsAreSpentOnce() {
        let steps = Steps(3)
        #expect(steps.spend() && steps.left == 2 && !steps.isSpent)
        #expect(!steps.spend(5) && steps.left == 0 && steps.isSpent && !steps.spend(0))
        #expect(Steps().spend(1 << 40))
    }
}
