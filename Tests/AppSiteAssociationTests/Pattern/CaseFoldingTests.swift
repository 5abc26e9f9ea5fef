import Testing

@testable import AppSiteAssociation

@Suite struct CaseFoldingTests {
    private func folded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        bytes.withUnsafeBufferPointer { CaseFolding.fold($0) { result.append($0) } }
        return result
    }

    private func folded(_ text: String) -> String {
        String(decoding: folded(Array(text.utf8)), as: UTF8.self)
    }

    @Test func onlyCapitalsOfASCIIChange() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            #expect(CaseFolding.folded(byte) == (isCapital ? byte + 32 : byte))
        }
    }

    @Test(arguments: [
        ("/A-Z/@[`{", "/a-z/@[`{"), ("ÀÉß", "àéß"), ("ΣΟΦΟΣ", "σοφοσ"), ("\u{1E9E}", "ß"),
        ("\u{23A}", "\u{2C65}"), ("\u{130}", "i\u{307}"), ("\u{10400}", "\u{10428}"),
        ("😀€", "😀€"), ("", ""),
    ]) func lettersTakeTheirSmallForm(_ text: String, _ wanted: String) {
        #expect(Array(folded(text).utf8) == Array(wanted.utf8))
    }

    /// A byte that starts no scalar stays, and what stands behind it is folded all the same.
    @Test(
        arguments: [
            [0x80], [0xBF], [0xC1, 0x81], [0xC3], [0xC3, 0x41], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            [0xED, 0xA0, 0x80], [0xE0, 0x81, 0x81], [0xF0, 0x90, 0x90], [0xF0, 0x80, 0x83, 0x89],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func whatIsNoTextStays(_ bytes: [UInt8]) {
        let small = bytes.map { $0 == 0x41 ? 0x61 : $0 }
        #expect(folded(bytes) == small)
        #expect(folded([0x42] + bytes + [0x42]) == [0x62] + small + [0x62])
    }

    /// The room that callers make for folded text.
    @Test func growsNoMoreThanItSays() {
        for value in UInt32(0)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let small = scalar.properties.lowercaseMapping
            if small.utf8.count > UTF8.width(scalar) * CaseFolding.growth {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
        #expect(folded("\u{23A}").utf8.count > 2)
    }
}
