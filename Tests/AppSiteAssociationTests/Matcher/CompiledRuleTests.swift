import Testing

@testable import AppSiteAssociation

@Suite struct CompiledRuleTests {
    /// A form is written once, when the first rule wants it.
    @Test func everyFormIsWrittenOnce() throws {
        let scratch = MatchScratch()
        var forms = URLForms(url: try #require(URLParts("/A%41?Q#F")), scratch: scratch)
        let order = [2, 0, 3, 1, 1, 3, 0, 2]
        let bases = order.map { forms.text(in: URLForm(index: $0)).path.core.base }
        #expect(Array(bases[..<4]) == bases[4...].reversed())
        #expect(Set(bases).count == URLForm.count)
    }

    @Test func everyFormIsItsOwn() throws {
        let scratch = MatchScratch()
        var forms = URLForms(url: try #require(URLParts("/A%4a")), scratch: scratch)
        let texts = [3, 2, 1, 0].map { index -> String in
            let core = forms.text(in: URLForm(index: index)).path.core
            return String(
                decoding: UnsafeBufferPointer(start: core.base, count: core.count), as: UTF8.self)
        }
        #expect(texts == ["aj", "AJ", "a%4a", "A%4a"])
    }

    /// Each rule is compared with the form that it asks for, whatever those around it ask for.
    @Test(arguments: [
        ("/A%4a", 0), ("/a%4A", 1), ("/AJ", 2), ("/a%4a", 1), ("/%41%6A", 3), ("/x", nil),
    ]) func rulesOfAllFormsStandInOneList(_ url: String, _ rule: Int?) throws {
        let association = CompiledAssociation(
            AssociationFile(
                document: try JSONReader.read(
                    text: """
                        {"applinks": {"details": [{"appID": "A.a", "components": [
                          {"/": "/A%4a"}, {"/": "/a%4A", "caseSensitive": false},
                          {"/": "/AJ", "percentEncoded": false},
                          {"/": "/aj", "percentEncoded": false, "caseSensitive": false}]}]}}
                        """)))
        let decision = try #require(association.decide(url: url)?.first)
        #expect(decision.rule?.rule == rule.map { RuleReference.Rule.component($0) })
    }

    @Test func rulesAreSmall() {
        #expect(MemoryLayout<CompiledRule>.stride <= 56)
    }
}
