import Testing

@testable import AppSiteAssociation

@Suite struct PatternCodeTests {
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
        let found = try #require(CharacterClass(variable: name[...].utf8))
        for byte in UInt8.min...UInt8.max {
            #expect(found.contains(byte) == members.utf8.contains(byte), "\(name) \(byte)")
            // In folded text there are no capitals.
            if byte &- UInt8(ascii: "A") >= 26 {
                #expect(found.folded.contains(byte) == folded.utf8.contains(byte))
            }
        }
    }

    @Test(arguments: ["Alpha", "digits", "", "region", "lang", "alph"])
    func namesAreExact(_ name: String) {
        #expect(CharacterClass(variable: name[...].utf8) == nil)
    }

    /// Rules are walked over by the thousand: what grows them costs every decision.
    @Test func instructionsAreSmall() {
        #expect(MemoryLayout<PatternOp>.stride <= 12)
        #expect(MemoryLayout<CompiledPattern>.stride <= 32)
    }
}
