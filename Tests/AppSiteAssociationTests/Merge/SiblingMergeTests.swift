import AppSiteAssociation
import TestSupport
import Testing

@Suite struct SiblingMergeTests {
    private func statement(_ package: String, _ print: String) -> String {
        #"{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
            + #""android_app","package_name":"\#(package)","sha256_cert_fingerprints":["\#(print)"]}}"#
    }

    private func merged(
        _ kind: SiblingPart.Kind, _ texts: [String]
    ) -> (String?, [Diagnostic]) {
        let parts = texts.enumerated().map { index, text in
            SiblingPart(
                kind: kind, team: "TEAM\(index)",
                source: SourceText(name: "TEAM\(index)\(kind.ending)", text: text))
        }
        let (document, diagnostics) = SiblingMerge.merge(parts, name: "merged")
        return (document.map { String(decoding: $0.bytes, as: UTF8.self) }, diagnostics)
    }

    @Test func putsStatementsBehindOneAnother() {
        let (a, b) = (statement("com.a", "AA"), statement("com.b", "BB"))
        expectEqual(merged(.assetLinks, ["[\(a)]", "[ \(b), \(a) ]"]).0, "[\(a),\(b)]")
        expectEqual(merged(.assetLinks, ["[]", "[\(b)]"]).0, "[\(b)]")
    }

    @Test func aPackageBelongsToOneTeam() {
        let (text, diagnostics) = merged(
            .assetLinks, ["[\(statement("com.a", "AA"))]", "[\(statement("com.a", "BB"))]"])
        #expect(text == nil)
        expectEqual(diagnostics.map(\.code), ["merge-package-twice"])
        expectEqual(diagnostics.first?.file, "TEAM1.assetlinks.json")
        expectEqual(diagnostics.first?.related.first?.file, "TEAM0.assetlinks.json")
        // Two certificates of one team are no conflict.
        #expect(
            merged(
                .assetLinks, ["[\(statement("com.a", "AA")),\(statement("com.a", "BB"))]"]
            ).1.isEmpty)
    }

    /// A certificate that was copied from another team's app opens nothing for this one.
    @Test func aCertificateBelongsToOneTeam() {
        let (text, diagnostics) = merged(
            .assetLinks, ["[\(statement("com.a", "AA:0f"))]", "[\(statement("com.b", "aa:0F"))]"])
        #expect(text != nil)
        expectEqual(diagnostics.map(\.code), ["merge-fingerprint-twice"])
        expectEqual(diagnostics.first?.severity, .warning)
        expectEqual(diagnostics.first?.message.contains("for com.b as team TEAM0"), true)
        #expect(
            merged(
                .assetLinks, ["[\(statement("com.a", "AA")),\(statement("com.b", "AA"))]"]
            ).1.isEmpty)
        #expect(
            merged(
                .assetLinks, ["[\(statement("com.a", "AA"))]", "[\(statement("com.a", "AA"))]"]
            ).1.isEmpty)
    }

    @Test func mergesOrigins() {
        expectEqual(
            merged(
                .webAuthn,
                [
                    #"{"origins":["https://a.example"]}"#,
                    #"{"origins":["https://b.example","https://a.example"]}"#,
                ]
            ).0, #"{"origins":["https://a.example","https://b.example"]}"#)
    }

    @Test func saysWhatIsBroken() {
        expectEqual(merged(.assetLinks, ["{}"]).1.map(\.code), ["assetlinks-not-array"])
        expectEqual(merged(.webAuthn, ["[]"]).1.map(\.code), ["webauthn-shape"])
        #expect(merged(.assetLinks, ["[", "[]"]).0 == nil)
    }
}
