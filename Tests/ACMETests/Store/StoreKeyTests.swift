import TestSupport
import Testing

@testable import ACME

@Suite struct StoreKeyTests {
    @Test func `Paths are plain whatever a directory is called`() {
        expectEqual(
            StoreKey.account(KnownAuthority.letsEncrypt).path,
            "accounts/acme-v02.api.letsencrypt.org-directory.json")
        expectEqual(
            StoreKey.account("https://x:14000/../../dir").path,
            "accounts/x-14000-..-..-dir.json")
        expectEqual(
            StoreKey.record(LineageID(folder: "a.test", isRSA: true)).path,
            "certificates/a.test+rsa.json")
    }
}
