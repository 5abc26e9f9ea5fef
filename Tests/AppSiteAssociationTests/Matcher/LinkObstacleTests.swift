import AppSiteAssociation
import Testing

@Suite struct LinkObstacleTests {
    @Test(arguments: [
        ("https://example.com/x", "example.com", nil as LinkObstacle?),
        ("/x", "example.com", nil), ("https://EXAMPLE.com/", "example.com", nil),
        ("https://example.com:443/", "example.com", nil),
        ("ftp://example.com/", "example.com", .scheme("ftp")),
        (
            "https://www.example.com/", "example.com",
            .www(host: "www.example.com", domain: "example.com")
        ),
        (
            "https://example.com/", "www.example.com",
            .www(host: "example.com", domain: "www.example.com")
        ),
        (
            "https://m.example.com/", "example.com",
            .subdomain(host: "m.example.com", domain: "example.com")
        ),
        ("https://badexample.com/", "example.com", .host("badexample.com", domain: "example.com")),
        ("https://example.com:8443/", "example.com", .port("8443")),
        ("https://bücher.example/", "xn--bcher-kva.example", nil),
        ("https://xn--bcher-kva.example/", "BÜCHER.example", nil),
        (
            "https://www.bücher.example/", "xn--bcher-kva.example",
            .www(host: "www.bücher.example", domain: "xn--bcher-kva.example")
        ),
        // RFC 3492 section 7.1.
        ("https://他们为什么不说中文/", "xn--ihqwcrb4cv8a8dqg056pqjye", nil),
        ("https://почемужеонинеговорятпорусски/", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l", nil),
        ("https://3年b組金八先生/", "xn--3b-ww4c5e180e575a65lsy2b", nil),
    ]) func namesWhatStandsBetween(_ url: String, _ domain: String, _ expected: LinkObstacle?)
        throws
    {
        #expect(try #require(URLParts(url)).obstacle(to: domain) == expected)
    }

    @Test func saysItInASentence() throws {
        let obstacle = try #require(
            URLParts("https://www.example.com/")?.obstacle(to: "example.com"))
        #expect(obstacle.description.contains("an entitlement of its own"))
    }
}
