import Foundation
import TestSupport
import Testing

@Suite struct CodeCatalogTests {
    @Test func codesOfOtherRoomsAreExplained() throws {
        for code in [
            "site-no-document", "host-unknown-key", "cms-expired", "cms-not-checked",
            "plist-bad-tag", "tls-chain-incomplete",
        ] {
            let result = try Tool.aasa(["lint", "--explain", code])
            #expect(result.status == 0 && result.stdout.contains("Fix: "), "\(code): \(result)")
        }
    }

    /// Names that `aasa check` and `aasa verify` had for codes until 1.1.
    @Test(arguments: [
        ("document-html", "json-html"), ("document-app-id-placeholder", "app-id-placeholder"),
        ("signed-expired", "cms-expired"),
    ])
    func anOldNameLeadsToTheNewOne(old: String, new: String) throws {
        let result = try Tool.aasa(["check", "--explain", old])
        #expect(result.status == 2 && result.stderr.contains("did you mean \(new)?"), "\(result)")
    }

    @Test func anUnknownCodeIsRefusedWithTheNearest() throws {
        let result = try Tool.aasa(["lint", "--explain", "merge-foreign-ap"])
        expectEqual(result.status, 2)
        #expect(result.stderr.contains("merge-foreign-app"), "\(result)")
    }
}
