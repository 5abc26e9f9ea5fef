import TestSupport
import Testing

@testable import ACME

@Suite struct KnownAuthorityTests {
    @Test(arguments: [
        ("https://CA.test/directory", "ca.test"), ("http://ca.test:14000/dir", "ca.test"),
        ("https://ca.test?x", "ca.test"), ("ca.test", "ca.test"), ("", ""),
    ])
    func `The host of a URL`(url: String, host: String) {
        expectEqual(KnownAuthority.host(of: url), host)
    }

    /// A folder is one component of a path, whatever the URL holds.
    @Test(arguments: [
        ("https://ca.test/directory", "ca.test-directory"),
        ("https://CA.test:14000/dir", "ca.test-14000-dir"),
        ("https://ca.test/../../etc", "ca.test-..-..-etc"), ("https://é.test", "--.test"),
    ])
    func `The folder of a URL`(url: String, folder: String) {
        expectEqual(KnownAuthority.folder(of: url), folder)
    }

    @Test func `The folder of a long URL is still a name`() {
        let long = KnownAuthority.folder(of: "https://" + String(repeating: "a", count: 500))
        expectEqual(long.utf8.count, 120)
    }
}
