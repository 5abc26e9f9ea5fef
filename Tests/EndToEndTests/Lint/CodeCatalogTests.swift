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
            #expect(result.status == 0 && result.stdout.contains("Remedy: "), "\(code): \(result)")
        }
    }

    @Test func anUnknownCodeIsRefusedWithTheNearest() throws {
        let result = try Tool.aasa(["lint", "--explain", "merge-foreign-ap"])
        #expect(result.status == 2)
        #expect(result.stderr.contains("merge-foreign-app"), "\(result)")
    }
}
