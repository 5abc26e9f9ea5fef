import AppSiteAssociation
import TestSupport
import Testing

@Suite struct URLPartsObstacleTests {
    @Test(arguments: [
        ("https://example.com/x", "example.com", nil as String?),
        ("/x", "example.com", nil), ("https://EXAMPLE.com/", "example.com", nil),
        ("https://example.com:443/", "example.com", nil),
        ("ftp://example.com/", "example.com", "ftp: URLs are no"),
        (
            "https://www.example.com/", "example.com",
            "www.example.com is another host than example.com: it needs a document and an "
                + "entitlement of its own"
        ),
        (
            "https://example.com/", "www.example.com",
            "example.com is another host than www.example.com: it needs"
        ),
        (
            "https://m.example.com/", "example.com",
            "m.example.com is another host than example.com: this document counts for it only in "
                + "apps whose entitlement says applinks:*.example.com"
        ),
        ("https://badexample.com/", "example.com", "badexample.com is another host: this"),
        ("https://example.com:8443/", "example.com", "the URL names port 8443"),
        ("https://bücher.example/", "xn--bcher-kva.example", nil),
        ("https://xn--bcher-kva.example/", "BÜCHER.example", nil),
        (
            "https://www.bücher.example/", "xn--bcher-kva.example",
            "www.bücher.example is another host than xn--bcher-kva.example: it needs"
        ),
        // RFC 3492 section 7.1.
        ("https://他们为什么不说中文/", "xn--ihqwcrb4cv8a8dqg056pqjye", nil),
        ("https://почемужеонинеговорятпорусски/", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l", nil),
        ("https://3年b組金八先生/", "xn--3b-ww4c5e180e575a65lsy2b", nil),
    ]) func namesWhatStandsBetween(_ url: String, _ domain: String, _ expected: String?)
        throws
    {
        let obstacle = try #require(URLParts(url)).obstacle(to: domain)
        expectEqual((obstacle == nil), (expected == nil))
        #expect(obstacle?.hasPrefix(expected ?? "") ?? true, "\(obstacle ?? "")")
    }
}
