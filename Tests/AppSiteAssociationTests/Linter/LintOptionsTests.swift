import AppSiteAssociation
import TestSupport
import Testing

@Suite struct LintOptionsTests {
    @Test(arguments: [
        ("assetlinks.json", LintKind.assetLinks), ("a/b/webauthn", .webAuthn),
        ("passkey-endpoints", .passkeyEndpoints), ("x/security.txt", .securityText),
        ("App.entitlements", .entitlements), ("change-password", .changePassword),
        ("apple-app-site-association", .association), ("teams/D3KQX62K1A.json", .association),
        ("association", .association), ("", .association), ("/", .association),
        ("entitlements", .entitlements), ("App.entitlements/x.json", .association),
        ("webauthn/x", .association), ("security.txt.json", .association),
    ])
    func kindsByName(name: String, kind: LintKind) {
        expectEqual(LintKind(fileName: name), kind)
    }

    @Test func disabledCodesAreSilent() {
        let source = SourceText(name: "-", text: "{\"applinks\": {\"apps\": []}}")
        expectEqual(Linter.lint(source).map(\.code), ["details-missing"])
        expectEqual(Linter.lint(source, options: LintOptions(disabled: ["details-missing"])), [])
    }

    /// The limit of the linter is that of the reader and of the merge.
    @Test func limitsAgree() {
        expectEqual(LintLimits.documentBytes, AssociationFile.bytesMaximum)
        #expect(LintLimits.largeDocumentBytes < LintLimits.documentBytes)
        #expect(LintLimits.findingsOfOneCode < LintLimits.findings)
    }

    /// A hundred are listed, and one finding counts the others.
    @Test func findingsAreBounded() {
        let many = (0..<3_000).map { "\"bad\($0)\"" }.joined(separator: ",")
        let found = Linter.lint(
            SourceText(name: "-", text: "{\"webcredentials\": {\"apps\": [\(many)]}}"))
        expectEqual(found.count, LintLimits.findingsOfOneCode + 1)
        expectEqual(LintReport(findings: found, documents: 1).count(.error), 3_000)
    }
}
