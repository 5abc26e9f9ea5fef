import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct PatternSymbolTests {
    private static let small = "abcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"

    /// The classes as the documentation lists them, over all bytes.
    @Test(arguments: [
        ("alpha", small + small.uppercased(), small), ("upper", small.uppercased(), small),
        ("lower", small, small),
        ("alnum", small + small.uppercased() + digits, small + digits),
        ("digit", digits, digits), ("xdigit", digits + "abcdefABCDEF", digits + "abcdef"),
    ]) func classesHoldTheirCharacters(
        _ name: String, _ members: String, _ folded: String
    ) throws {
        let found = try #require(CharacterClass(rawValue: name))
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            expectEqual(found.contains(scalar), members.unicodeScalars.contains(scalar), "\(byte)")
            // In folded text there are no capitals.
            if !("A"..."Z").contains(scalar) {
                expectEqual(found.folded.contains(scalar), folded.unicodeScalars.contains(scalar))
            }
        }
    }

    @Test(arguments: ["Alpha", "digits", "", "region", "lang", "alph"])
    func namesAreExact(_ name: String) {
        #expect(CharacterClass(rawValue: name) == nil)
    }

    @Test(arguments: [
        ("/A-Z/@[`{", "/a-z/@[`{"), ("ÀÉß", "àéß"), ("ΣΟΦΟΣ", "σοφοσ"), ("\u{1E9E}", "ß"),
        ("\u{23A}", "\u{2C65}"), ("\u{130}", "i\u{307}"), ("\u{10400}", "\u{10428}"),
        ("😀€", "😀€"), ("", ""),
    ]) func lettersTakeTheirSmallForm(_ text: String, _ wanted: String) {
        let symbols = PatternSymbol.literals(of: text, folds: true)
        expectEqual(symbols, wanted.unicodeScalars.map { .literal($0) })
        expectEqual(PatternSymbol.literals(of: text, folds: false).flatMap(\.folded), symbols)
    }
}
