import OpenSSL
import TestSupport
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func theVectorsOfTheStandard(_ plain: String, _ encoded: String) {
        expectEqual(Base64.encode(Array(plain.utf8)), encoded)
        expectEqual(Base64.decode(encoded), Array(plain.utf8))
    }

    @Test func everyByteComesBack() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        expectEqual(Base64.decode(Base64.encode(bytes)), bytes)
    }

    @Test(arguments: ["Zg=", "Zg", "Z===", "Zm9v Yg==", "Zm9-", "Zh==", "====", "Zg==Zg=="])
    func whatNoEncoderWritesIsRefused(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0xFB, 0xFF, 0xFE], "-__-"),
        ] as [([UInt8], String)])
    func theAlphabetForURLs(_ bytes: [UInt8], _ text: String) {
        expectEqual(Base64.encodeForURL(bytes), text)
        expectEqual(Base64.decodeForURL(text), bytes)
    }

    @Test func keysOfAnAccountAreReadInEitherAlphabet() {
        expectEqual(Base64.decodeForURL("Zg=="), [0x66])
        expectEqual(Base64.decodeForURL("+//+"), [0xFB, 0xFF, 0xFE])
        for bad in ["A", "Zg=x", "Z g", "Zg===", "=Zg", "Zg\0"] {
            #expect(Base64.decodeForURL(bad) == nil, "\(bad)")
        }
    }

    @Test func linesOfAnyLengthAreReadBack() throws {
        var random = SeededRandom(seed: 64)
        for count in 0..<70 {
            let bytes = random.bytes(count)
            let text = try Tool.run("base64", ["-w", "19"], stdin: bytes).outputBytes
            expectEqual(Base64.decodeLines(text), bytes)
        }
        #expect(Base64.decodeLines(Array("ab!c".utf8)) == nil)
        #expect(Base64.decodeLines(Array("abcde".utf8)) == nil)
        #expect(Base64.decodeLines(Array("Zm9v-".utf8)) == nil)
    }
}
