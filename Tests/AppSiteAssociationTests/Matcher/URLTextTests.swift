import Testing

@testable import AppSiteAssociation

@Suite struct URLTextTests {
    /// Core and longer form of a path, and whether the first bytes of each are theirs.
    private func path(_ text: String) -> (core: String, withSlash: String, heads: Bool) {
        var bytes = Array(text.utf8) + [0x7E]
        return bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return ("", "", false) }
            let path = PathText(base, count: buffer.count - 1)
            func string(_ text: PatternText) -> String {
                String(
                    decoding: UnsafeBufferPointer(start: text.base, count: text.count),
                    as: UTF8.self)
            }
            return (
                string(path.core), string(path.withSlash),
                path.head == path.core.head && path.headWithSlash == path.withSlash.head
            )
        }
    }

    @Test(arguments: [
        ("/buy/1", "buy/1"), ("buy", "buy"), ("//buy//", "buy"), ("/a//b/", "a//b"), ("/", ""),
        ("", ""), ("///", ""), ("/x", "x"), ("x/", "x"),
    ]) func slashesAroundAPathAreLeftOut(_ text: String, _ core: String) {
        let found = path(text)
        #expect(found.core == core && found.withSlash == core + "/")
        #expect(found.heads)
    }

    /// One number for each pair of flags: rules of one form share one text.
    @Test func formsAreNumbered() {
        let flags = [(true, true), (false, true), (true, false), (false, false)]
        let forms = flags.map { URLForm(caseSensitive: $0.0, percentEncoded: $0.1) }
        #expect(forms.map(\.index) == [0, 1, 2, 3])
        #expect(forms.map(\.folds) == [false, true, false, true])
        #expect(forms.map(\.decodes) == [false, false, true, true])
        #expect(forms == (0..<URLForm.count).map { URLForm(index: $0) })
    }
}
