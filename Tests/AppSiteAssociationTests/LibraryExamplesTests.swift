import AppSiteAssociation
import TestSupport
import Testing

/// The examples of the documentation catalog, as a user of the library writes them. A change here
/// is a change of `AppSiteAssociation.docc`, and the other way round.
@Suite struct LibraryExamplesTests {
    @Test func readAndDecide() throws {
        let text =
            #"{"applinks": {"details": [{"appIDs": ["D3KQX62K1A.com.example.app"], "#
            + #""components": [{"/": "/buy/*"}]}]}}"#
        let bytes = Array(text.utf8)
        var lines: [String] = []

        let source = SourceText(name: "example.com.json", bytes: bytes)
        let file = try AssociationFile(reading: source)
        for problem in file.problems { lines.append("\(problem)") }

        let association = CompiledAssociation(file)
        for answer in association.decide(url: "https://example.com/buy/42") ?? [] {
            lines.append("\(answer.app) \(answer.decision)")
        }
        expectEqual(lines, ["D3KQX62K1A.com.example.app match"])
    }

    @Test func sayWhatIsWrong() {
        do {
            _ = try JSONReader.read(text: "{\n  \"applinks\": {},\n}", name: "example.json")
            Issue.record("a comma too many was accepted")
        } catch {
            expectEqual(
                "\(error)",
                "example.json:2:17: error: a comma after the last member "
                    + "[json-trailing-comma]"
            )
            expectEqual(error.remedy, "Remove the comma before '}'.")
        }
    }

    @Test func readAppList() throws {
        let file = try AssociationFile(
            reading: SourceText(
                name: "example.json",
                text: #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.app"]}}"#))
        let apps = file.list(of: .webcredentials)?.apps.map(\.value)
        #expect(apps ?? [] == ["D3KQX62K1A.com.example.app"])
    }

    @Test func mergeFragments() throws {
        let shop = try AssociationFile(
            reading: SourceText(
                name: "D3KQX62K1A.json",
                text: #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}"#))
        let news = try AssociationFile(
            reading: SourceText(
                name: "9JA89QQLNQ.json",
                text: #"{"webcredentials": {"apps": ["9JA89QQLNQ.com.example.news"]}}"#))
        let result = Merge.merge([
            Fragment(team: "D3KQX62K1A", file: shop),
            Fragment(team: "9JA89QQLNQ", file: news),
        ])
        let bytes = try #require(result.bytes)
        #expect(bytes.count < AssociationFile.bytesMaximum)
        #expect(result.diagnostics.isEmpty)
    }

    @Test func compareAndEdit() throws {
        let text = #"{"applinks": {"details": []}}"#
        let source = SourceText(name: "before", text: text)
        let before = try AssociationFile(reading: source)

        var editor = FragmentEditor(try JSONReader.read(source))
        try editor.add(app: "D3KQX62K1A.com.example.app", to: .webcredentials)
        try editor.addLinks(
            app: "D3KQX62K1A.com.example.app", patterns: ["NOT /help/*", "/buy/*"])

        let after = AssociationFile(document: editor.document)
        let changes = AssociationDiff.diff(before, after).map { "\($0)" }
        expectEqual(
            changes,
            [
                "+ app D3KQX62K1A.com.example.app",
                #"+ rule {"/":"/help/*","exclude":true} of D3KQX62K1A.com.example.app"#,
                #"+ rule {"/":"/buy/*"} of D3KQX62K1A.com.example.app"#,
                "+ app D3KQX62K1A.com.example.app",
            ])
    }

    @Test func judgeEntitlements() {
        let entry = EntitlementEntry("applinks:*.example.com?mode=developer")
        #expect(entry.covers(host: "www.example.com"))
        #expect(!entry.covers(host: "example.com"))
        expectEqual(
            EntitlementEntry("applinks:https://example.com/").problems, [.scheme])
    }
}
