import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct EntitlementFileTests {
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
            expectEqual(ours.entries?.map(\.entry.text), domains, "\(source.name)")
            count += 1
        }
        if Corpus.root != nil { #expect(count >= 30) }
    }

    @Test func readsEverythingXcodeWrites() throws {
        let file = try PlistText.read(
            PlistText.document(
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
        expectEqual(
            file.entries?.map(\.entry.text),
            [
                "applinks:a.example", "webcredentials:b.example?mode=developer", "x:a&b<>\"'c",
            ])
        expectEqual(file.applicationIdentifier, "ABCDE12345.com.example")
        #expect(file.problems.contains { $0.code == "entitlement-not-string" })
        let range = try #require(file.entries?.first?.range)
        expectEqual(file.source.text(in: range), "<string>applinks:a.example</string>")
    }

    @Test func readsTheOutputOfCodesign() throws {
        let bytes =
            [0xFA, 0xDE, 0x71, 0x71, 0, 0, 1, 0] + Array(PlistText.document("<dict/>").utf8)
        let file = try EntitlementFile(reading: SourceText(name: "-", bytes: bytes))
        #expect(file.entries == nil)
        #expect(file.problems.isEmpty)
    }

    @Test func reportsValuesOfTheWrongType() throws {
        try expectEqual(
            PlistText.read(PlistText.document("<array/>")).problems.map(\.code),
            [
                "entitlement-root"
            ])
        let text = "<dict><key>\(EntitlementFile.domainsKey)</key><string>a</string></dict>"
        try expectEqual(
            PlistText.read(PlistText.document(text)).problems.map(\.code),
            [
                "entitlement-domains-not-array"
            ])
    }

    /// Only the last list is asked for: the domains of the first would be lost without a word.
    @Test func reportsRepeatedKeys() throws {
        let list = { (domain: String) in
            "<key>\(EntitlementFile.domainsKey)</key>"
                + "<array><string>applinks:\(domain)</string></array>"
        }
        let file = try PlistText.read(
            PlistText.document("<dict>\(list("a.example"))\(list("b.example"))</dict>"))
        expectEqual(file.entries?.map(\.entry.domain), ["b.example"])
        let problem = try #require(file.problems.first)
        #expect(file.problems.count == 1 && problem.code == "duplicate-key")
        #expect(problem.severity == .error && problem.message.contains(EntitlementFile.domainsKey))
        let first = try #require(problem.related.first?.range)
        expectEqual(file.source.text(in: first), "<key>\(EntitlementFile.domainsKey)</key>")
        #expect(first.upperBound < problem.range?.lowerBound ?? 0)

        // At any depth, and each by its bytes.
        let inner = "<dict><key>a</key><true/><key>a</key><true/></dict>"
        let letters = "<key>\u{E9}</key><true/><key>e\u{301}</key><true/>"
        let deep = "<dict>\(letters)<key>x</key><array>\(inner)</array><key>y</key>\(inner)</dict>"
        try expectEqual(
            PlistText.read(PlistText.document(deep)).problems.map(\.code),
            [
                "duplicate-key", "duplicate-key",
            ])
    }

    @Test func findsTheEntitlementsOfAProfile() throws {
        let file = try PlistText.read(
            PlistText.document(
                "<dict><key>Entitlements</key><dict><key>\(EntitlementFile.domainsKey)</key>"
                    + "<array><string>applinks:*</string></array></dict></dict>"))
        expectEqual(file.entries?.map(\.entry.isAnyDomain), [true])
    }
}
