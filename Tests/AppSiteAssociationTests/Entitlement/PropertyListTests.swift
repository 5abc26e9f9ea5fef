import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct PropertyListTests {
    @Test(arguments: [
        ("", "plist-empty"), ("  ", "plist-empty"), ("bplist00xyz", "plist-binary"),
        ("{\"a\": 1}", "plist-not-xml"), ("hello", "plist-stray-text"),
        ("<plist><dict></array></plist>", "plist-mismatched-tag"),
        ("<plist><dict><key>a</key></dict></plist>", "plist-missing-value"),
        ("<plist><dict><string>a</string></dict></plist>", "plist-missing-key"),
        ("<plist><key>a</key></plist>", "plist-misplaced-key"),
        ("<plist><html/></plist>", "plist-unknown-element"),
        ("<plist><string>a</string></plist>x", "plist-extra-content"),
        ("<plist><string>&nbsp;</string></plist>", "plist-bad-entity"),
        ("<plist><string>&amp</string></plist>", "plist-bad-entity"),
        ("<plist><string>&#xD800;</string></plist>", "plist-bad-entity"),
        ("<plist><string>a", "plist-truncated"), ("<plist><array>", "plist-truncated"),
        ("<plist", "plist-bad-tag"), ("<plist/>", "plist-empty"),
        ("<!DOCTYPE p [<!ENTITY a \"b\">]><plist/>", "plist-doctype"),
        ("<!-- never closed", "plist-truncated"),
        (String(repeating: "<array>", count: 100), "plist-too-deep"),
    ]) func saysWhatIsWrong(_ text: String, _ code: String) {
        let error = #expect(throws: PropertyListError.self) { try PlistText.read(text) }
        expectEqual(error?.diagnostic.code, code)
        expectEqual(error?.diagnostic.message.isEmpty, false)
        #expect(error?.diagnostic.start != nil)
    }

    @Test func readsTheTypesOfEntitlements() throws {
        let value = try PropertyListReader.read(
            SourceText(
                name: "list",
                text: "<dict><key>a</key><string>x</string><key>b</key><array><string>y</string>"
                    + "<true/></array><key>n</key><integer>-3</integer><key>d</key><data>AA==</data>"
                    + "<key>r</key><real>1.5</real><key>t</key><date>2027-01-31T12:00:00Z</date>"
                    + "<key>a</key><string>z</string></dict>"))
        // Of a key that stands there twice, the last counts.
        #expect(value["a"]?.string == "z" && value["b"]?.array?.last?.bool == true)
        expectEqual(value.members?.map(\.key), ["a", "b", "n", "d", "r", "t", "a"])
        expectEqual(value["n"]?.means(JSONValue(.number("-3"))), true)
        #expect(value["d"]?.isNothing == true && value["r"]?.isNothing == true)
        #expect(value["t"]?.string == "2027-01-31T12:00:00Z" && value["c"] == nil)
        let member = try #require(value.member("n"))
        #expect(member.keyRange.lowerBound < member.value.range.lowerBound)
    }

    /// What some editors on Windows write.
    @Test(
        arguments: [
            ([0xFF, 0xFE], 0, 1), ([0xFE, 0xFF], 1, 0), ([], 0, 1), ([0xFF, 0xFE, 0, 0], 0, 3),
        ] as [([UInt8], Int, Int)])
    func namesTheEncoding(_ mark: [UInt8], _ zerosBefore: Int, _ zerosBehind: Int) {
        var bytes = mark
        for byte in "<plist/>".utf8 {
            bytes += [UInt8](repeating: 0, count: zerosBefore) + [byte]
            bytes += [UInt8](repeating: 0, count: zerosBehind)
        }
        let error = #expect(throws: PropertyListError.self) {
            try EntitlementFile(reading: SourceText(name: "app.entitlements", bytes: bytes))
        }
        expectEqual(error?.diagnostic.code, "plist-utf16")
        expectEqual(error?.diagnostic.remedy?.contains("Convert it"), true)
    }

    @Test func namesTheRemedyForBinaryFiles() {
        let error = #expect(throws: PropertyListError.self) { try PlistText.read("bplist00") }
        expectEqual(error?.diagnostic.remedy?.contains("plutil -lint"), true)
    }

    @Test(arguments: [UInt64(5), 6, 7]) func survivesDamage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let text = PlistText.document(
            "<dict><key>a</key><array><string>b&amp;c</string></array></dict>")
        for _ in 0..<1_500 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes.remove(at: index)
                } else {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            // Either outcome is right; reading has to end.
            _ = try? EntitlementFile(reading: SourceText(name: "-", bytes: bytes))
            let cut = Array(bytes[..<Int.random(in: 0...bytes.count, using: &random)])
            _ = try? EntitlementFile(reading: SourceText(name: "-", bytes: cut))
        }
    }
}
