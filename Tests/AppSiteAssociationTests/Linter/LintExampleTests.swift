import TestSupport
import Testing

@testable import AppSiteAssociation

extension LintExample {
    /// The linter's findings for this document (not for its companions).
    ///
    /// - Parameter now: seconds since 1970, for what depends on the date.
    func lint(now: Int? = nil) -> [Diagnostic] {
        // Of two conflicting fragments, the later one gets the finding.
        let files = companions + [self]
        return Linter.lintHost(
            files.map(\.lintFile), options: LintOptions(now: now, signedSize: signedSize)
        ).filter { $0.file == file }
    }

    /// `teams/PREFIX.json` is a fragment of the example's host, `HOST/…` a document of that host.
    private var lintFile: LintFile {
        let parts = file.split(separator: "/").map(String.init)
        let isFragment = parts.count == 2 && parts[1].hasSuffix(".json")
        return LintFile(
            source, host: isFragment ? "example.com" : parts.count == 2 ? parts[0] : nil,
            team: isFragment ? String(parts[1].dropLast(5)) : nil)
    }

    fileprivate init(_ text: String, file: String, companions: [LintExample] = []) {
        self.init(bytes: Array(text.utf8), file: file, companions: companions)
    }
}

@Suite struct LintExampleTests {
    @Test func paddingStandsBehindTheDocument() {
        let example = LintExample(
            bytes: Array("{}".utf8), file: "apple-app-site-association", padding: 3)
        expectEqual(example.source.bytes, Array("{}   ".utf8))
        #expect(example.text == "{}" && example.source.name == "apple-app-site-association")
    }

    @Test func bytesThatAreNoTextAreShown() {
        let example = LintExample(
            bytes: [0x7B, 0xFF, 0x7D], file: "apple-app-site-association")
        expectEqual(example.text, "{\u{FFFD}}")
        expectEqual(example.lint().map(\.code), ["json-invalid-utf8"])
    }

    /// A fragment is linted with its team, and only its own findings are shown.
    @Test func aFragmentKnowsItsTeam() {
        let foreign = LintExample(
            "{\"webcredentials\": {\"apps\": [\"D3KQX62K1A.com.a\"]}}",
            file: "teams/9JA89QQLNQ.json")
        expectEqual(foreign.lint().map(\.code), ["merge-foreign-app"])
        let beside = LintExample("{}", file: "teams/D3KQX62K1A.json", companions: [foreign])
        expectEqual(beside.lint().map(\.file), beside.lint().map { _ in "teams/D3KQX62K1A.json" })
        #expect(!beside.lint().contains { $0.code == "merge-foreign-app" })
    }

    /// `HOST/…` is a document of that host, and no other's.
    @Test func aDocumentKnowsItsHost() {
        func found(_ host: String) -> [String] {
            let document = LintExample(
                "{\"webcredentials\": {\"apps\": [\"9JA89QQLNQ.com.b\"]}}",
                file: "\(host)/apple-app-site-association")
            return LintExample(
                """
                <plist version="1.0"><dict>
                <key>application-identifier</key><string>9JA89QQLNQ.com.a</string>
                <key>com.apple.developer.associated-domains</key>
                <array><string>webcredentials:www.example.com</string></array></dict></plist>
                """, file: "App.entitlements", companions: [document]
            ).lint().map(\.code)
        }
        expectEqual(found("www.example.com"), ["entitlement-app-not-listed"])
        expectEqual(found("other.example.com"), [])
    }

    @Test func circumstancesAreHandedOn() {
        let signed = LintExample(
            bytes: Array("{\"x\": 1}".utf8), file: "apple-app-site-association", signedSize: 131_073
        )
        #expect(signed.lint().contains { $0.code == "signed-size-over-limit" })
        let dated = LintExample(
            "Contact: mailto:a@b.example\nExpires: 2001-01-01T00:00:00Z\n", file: "security.txt")
        expectEqual(dated.lint(), [])
        expectEqual(dated.lint(now: exampleDate).map(\.code), ["security-expired"])
    }

    // MARK: In a catalogue

    private func example(_ text: String) -> LintExample? {
        CodeTable(Array("# f\n## c\nbad: \(text)\n".utf8)).entries.first?.bad
    }

    @Test func linesAreTheDocument() throws {
        let found = try #require(example("security.txt\n    a: b\n\n      c\n"))
        #expect(found.file == "security.txt" && found.text == "a: b\n\n  c\n")
        #expect(found.padding == 0 && found.signedSize == nil)
    }

    @Test func circumstancesStandBehindTheName() throws {
        let found = try #require(example("f, blanks 12, signed 133000\n    {}"))
        #expect(found.file == "f" && found.padding == 12 && found.signedSize == 133_000)
    }

    @Test(arguments: [
        ("{ \"caf{{C3A9}}{{09}}\" }", "{ \"café\t\" }\n"), ("{{3 × [}}{{2 × ]}}", "[[[]]\n"),
        ("a0{{2 × , a#}}", "a0, a1, a2\n"), ("{{nothing", "{{nothing\n"), ("{{A}}", "\n"),
    ])
    func bracesStandForBytes(_ line: String, _ text: String) throws {
        try expectEqual(#require(example("f\n    \(line)")).text, text)
    }

    @Test func repeatsAreBounded() throws {
        try expectEqual(#require(example("f\n    {{99999999 × a}}")).bytes.count, 10_001)
    }

    @Test func furtherFilesBelongToTheExampleBefore() throws {
        let entry = CodeTable(
            Array("# f\n## c\nbad: a\nwith: b\n    x\ngood: d\nwith: e\nwith: g\n".utf8)
        ).entries[0]
        expectEqual(entry.bad?.companions.map(\.file), ["b"])
        expectEqual(entry.bad?.companions.first?.text, "x\n")
        expectEqual(entry.good?.companions.map(\.file), ["e", "g"])
    }
}
