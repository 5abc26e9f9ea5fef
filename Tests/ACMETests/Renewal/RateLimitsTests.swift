import Testing

@testable import ACME

@Suite struct RateLimitsTests {
    /// https://letsencrypt.org/docs/rate-limits/: four fifths of each.
    @Test func `Others of the same organization have a fifth of the limits`() {
        func fits(_ limit: RateLimits.Limit, _ count: Int, per seconds: Int64) -> Bool {
            limit.count * 5 == count * 4 && limit.seconds == seconds
        }
        let hour: Int64 = 3600
        let week: Int64 = 7 * 24 * hour
        let live = RateLimits.letsEncrypt
        #expect(fits(live.orders, 300, per: 3 * hour))
        #expect(fits(live.certificatesPerDomain, 50, per: week))
        #expect(fits(live.duplicates, 5, per: week))
        #expect(fits(live.failedValidations, 5, per: hour))
        let staging = RateLimits.letsEncryptStaging
        #expect(fits(staging.orders, 1500, per: 3 * hour))
        #expect(fits(staging.certificatesPerDomain, 30_000, per: week))
        #expect(fits(staging.failedValidations, 200, per: hour))
    }

    @Test func `The narrowest limits are those of the authority that is known to have them`() {
        #expect(RateLimits.of(directory: KnownAuthority.letsEncrypt) == .letsEncrypt)
        #expect(RateLimits.of(directory: KnownAuthority.letsEncryptStaging) == .letsEncryptStaging)
        #expect(
            RateLimits.of(directory: "https://ACME-v02.api.letsencrypt.org:443/x") == .letsEncrypt)
        #expect(
            RateLimits.of(directory: "https://acme-v02.api.letsencrypt.org.evil.test/") == .unknown)
        #expect(RateLimits.of(directory: "https://ca.test/directory") == .unknown)
    }

    @Test(arguments: [
        ("https://CA.test/directory", "ca.test"), ("http://ca.test:14000/dir", "ca.test"),
        ("https://ca.test?x", "ca.test"), ("ca.test", "ca.test"), ("", ""),
    ])
    func `The host of a URL`(url: String, host: String) {
        #expect(KnownAuthority.host(of: url) == host)
    }

    /// A folder is one component of a path, whatever the URL holds.
    @Test(arguments: [
        ("https://ca.test/directory", "ca.test-directory"),
        ("https://CA.test:14000/dir", "ca.test-14000-dir"),
        ("https://ca.test/../../etc", "ca.test-..-..-etc"), ("https://é.test", "--.test"),
    ])
    func `The folder of a URL`(url: String, folder: String) {
        #expect(KnownAuthority.folder(of: url) == folder)
    }

    @Test func `The folder of a long URL is still a name`() {
        let long = KnownAuthority.folder(of: "https://" + String(repeating: "a", count: 500))
        #expect(long.utf8.count == 120)
    }

    @Test(arguments: [
        ("test", "test"), ("shop.test", "shop.test"), ("www.shop.test", "shop.test"),
        ("a.b.shop.test", "shop.test"), ("shop.co.uk", "shop.co.uk"),
        ("www.shop.co.uk", "shop.co.uk"), ("a.www.shop.com.au", "shop.com.au"),
        ("www.shop.de", "shop.de"), ("a.www.shop.de", "shop.de"), ("www.abc.de", "www.abc.de"),
        ("www.abcd.de", "abcd.de"), ("www.abc.com", "abc.com"),
    ])
    func `The domain that limits are counted by`(name: String, domain: String) {
        #expect(KnownAuthority.registeredDomain(of: name) == domain)
    }
}
