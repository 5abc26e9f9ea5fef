import AppSiteAssociation
import TestSupport
import Testing

@Suite struct SiblingPartEditorTests {
    private let relations = [AndroidLinks.handlesURLs]

    private func editor(_ kind: SiblingPart.Kind, _ text: String? = nil) throws
        -> SiblingPartEditor
    {
        let bytes = text.map { Array($0.utf8) } ?? SiblingPartEditor.empty(kind)
        return SiblingPartEditor(
            kind, try JSONReader.read(SourceText(name: "part", bytes: bytes)))
    }

    private func text(_ editor: SiblingPartEditor) -> String {
        String(decoding: editor.bytes, as: UTF8.self)
    }

    @Test func statesAnAppOnce() throws {
        var editor = try editor(.assetLinks)
        try editor.add(package: "com.a", fingerprints: ["ab:cd"], relations: relations)
        expectEqual(
            text(editor),
            """
            [
              {
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": {
                  "namespace": "android_app",
                  "package_name": "com.a",
                  "sha256_cert_fingerprints": ["AB:CD"]
                }
              }
            ]

            """)
        let before = text(editor)
        #expect(throws: EditError.self) {
            try editor.add(package: "com.a", fingerprints: ["AB:CD"], relations: relations)
        }
        expectEqual(text(editor), before)
        try editor.add(package: "com.a", fingerprints: ["AB:CD", "EF:01"], relations: relations)
        #expect(text(editor).contains(#"["AB:CD", "EF:01"]"#))
        try editor.remove(package: "com.a")
        #expect(SiblingPartEditor.isEmpty(try JSONReader.read(text: text(editor))))
        #expect(throws: EditError.self) { try editor.remove(package: "com.a") }
    }

    @Test func listsOrigins() throws {
        var editor = try editor(.webAuthn, #"{"origins":["https://a.example"]}"#)
        try editor.add(origin: "https://b.example")
        expectEqual(text(editor), #"{"origins":["https://a.example","https://b.example"]}"#)
        #expect(throws: EditError.self) { try editor.add(origin: "https://b.example") }
        #expect(throws: EditError.self) { try editor.add(origin: "https://B.example/") }
        try editor.remove(origin: "https://A.example/")
        expectEqual(text(editor), #"{"origins":["https://b.example"]}"#)
        #expect(throws: EditError.self) { try editor.remove(origin: "https://a.example") }
    }
}
