// Covers: PropertyList.swift

import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct EntitlementFileTests {
    private static func plist(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(body)
        </plist>
        """
    }

    private func read(_ text: String) throws -> EntitlementFile {
        try EntitlementFile(reading: SourceText(name: "app.entitlements", text: text))
    }

    @Test func readsPublishedFiles() throws {
        var count = 0
        for file in Corpus.files(in: "entitlements", withExtension: "entitlements") {
            let data = try Data(contentsOf: file)
            let source = SourceText(name: file.lastPathComponent, bytes: [UInt8](data))
            let theirs = try? PropertyListSerialization.propertyList(from: data, format: nil)
            guard let dictionary = theirs as? [String: Any] else {
                #expect(throws: PropertyListError.self) { try EntitlementFile(reading: source) }
                continue
            }
            let ours = try EntitlementFile(reading: source)
            let domains = dictionary[EntitlementFile.domainsKey] as? [String]
            #expect(ours.entries?.map(\.entry.text) == domains, "\(source.name)")
            count += 1
        }
        if Corpus.root != nil { #expect(count >= 30) }
    }

    @Test func readsEverythingXcodeWrites() throws {
        let file = try read(
            Self.plist(
                """
                <dict>
                    <!-- who we are -->
                    <key>application-identifier</key><string>ABCDE12345.com.example</string>
                    <key>n</key><integer>3</integer> <key>t</key><true/> <key>e</key><array/>
                    <key>d</key><dict/> <key>s</key><string/>
                    <key>com.apple.developer.associated-domains</key>
                    <array>
                        <string>applinks:a.example</string>
                        <string>webcredentials:&#98;.example<![CDATA[?mode=]]>developer</string>
                        <string>x:a&amp;b&lt;&gt;&quot;&apos;&#x63;</string>
                        <true/>
                    </array>
                </dict>
                """))
        #expect(
            file.entries?.map(\.entry.text) == [
                "applinks:a.example", "webcredentials:b.example?mode=developer", "x:a&b<>\"'c",
            ])
        #expect(file.applicationIdentifier == "ABCDE12345.com.example")
        #expect(file.problems.contains { $0.code == "entitlement-not-string" })
        let range = try #require(file.entries?.first?.range)
        #expect(file.source.text(in: range) == "<string>applinks:a.example</string>")
    }

    @Test func readsTheOutputOfCodesign() throws {
        let bytes = [0xFA, 0xDE, 0x71, 0x71, 0, 0, 1, 0] + Array(Self.plist("<dict/>").utf8)
        let file = try EntitlementFile(reading: SourceText(name: "-", bytes: bytes))
        #expect(file.entries == nil)
        #expect(file.problems.isEmpty)
    }

    @Test func reportsValuesOfTheWrongType() throws {
        #expect(try read(Self.plist("<array/>")).problems.map(\.code) == ["entitlement-root"])
        let text = "<dict><key>\(EntitlementFile.domainsKey)</key><string>a</string></dict>"
        #expect(
            try read(Self.plist(text)).problems.map(\.code) == ["entitlement-domains-not-array"])
    }

    @Test func findsTheEntitlementsOfAProfile() throws {
        let file = try read(
            Self.plist(
                "<dict><key>Entitlements</key><dict><key>\(EntitlementFile.domainsKey)</key>"
                    + "<array><string>applinks:*</string></array></dict></dict>"))
        #expect(file.entries?.map(\.entry.isAnyDomain) == [true])
    }

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
        let error = #expect(throws: PropertyListError.self) { try read(text) }
        #expect(error?.diagnostic.code == code)
        #expect(error?.diagnostic.start != nil)
    }

    @Test func namesTheRemedyForBinaryFiles() {
        let error = #expect(throws: PropertyListError.self) { try read("bplist00") }
        #expect(error?.diagnostic.remedy?.contains("plutil -convert xml1") == true)
    }

    @Test(arguments: [UInt64(5), 6, 7]) func survivesDamage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let text = Self.plist("<dict><key>a</key><array><string>b&amp;c</string></array></dict>")
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
