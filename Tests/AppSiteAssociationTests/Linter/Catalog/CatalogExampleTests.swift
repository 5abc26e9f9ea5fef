import Testing

@testable import AppSiteAssociation

@Suite struct CatalogExampleTests {
    private func example(_ text: String) -> LintExample? {
        CatalogFile(Array("## c\nbad: \(text)\n".utf8)).entries.first?.bad?.document
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
        #expect(try #require(example("f\n    \(line)")).text == text)
    }

    @Test func repeatsAreBounded() throws {
        #expect(try #require(example("f\n    {{99999999 × a}}")).bytes.count == 10_001)
    }

    @Test func furtherFilesBelongToTheExampleBefore() throws {
        let entry = CatalogFile(
            Array("## c\nbad: a\nwith: b\n    x\ngood: d\nwith: e\nwith: g\n".utf8)
        ).entries[0]
        #expect(entry.bad?.document.companions.map(\.file) == ["b"])
        #expect(entry.bad?.document.companions.first?.text == "x\n")
        #expect(entry.good?.document.companions.map(\.file) == ["e", "g"])
    }
}
