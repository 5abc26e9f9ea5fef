import AppSiteAssociation
import Testing

@Suite struct AndroidLinksTests {
    private static func statement(
        _ package: String, _ relation: String = AndroidLinks.handlesURLs, more: String = ""
    ) -> String {
        """
        {"relation":["\(relation)"],"target":{"namespace":"android_app","package_name":"\(package)",\
        "sha256_cert_fingerprints":["A7"]}\(more)}
        """
    }

    private static func decide(
        _ url: String, _ statements: [String], domain: String? = "example.com"
    ) throws -> [AndroidLinks.Decision] {
        let text = "[" + statements.joined(separator: ",") + "]"
        let document = try JSONReader.read(text: text, name: "assetlinks.json")
        return AndroidLinks.decide(
            try #require(URLParts(url)), in: [document], domain: domain)
    }

    @Test func theRelationDecides() throws {
        let decisions = try Self.decide(
            "https://example.com/buy/1",
            [
                Self.statement("com.example.shop"),
                Self.statement("com.example.login", "delegate_permission/common.get_login_creds"),
            ])
        #expect(decisions.map(\.package) == ["com.example.shop", "com.example.login"])
        #expect(decisions.map(\.mayOpen) == [true, false])
        #expect(decisions[1].reason.contains("handle_all_urls"))
    }

    @Test func aLaterStatementOfThePackageCounts() throws {
        let decisions = try Self.decide(
            "/buy/1",
            [
                Self.statement("com.example.shop", "delegate_permission/common.get_login_creds"),
                Self.statement("com.example.shop"),
            ])
        #expect(decisions.map(\.mayOpen) == [true])
        #expect(decisions[0].range.lowerBound > 50)
    }

    @Test(arguments: [
        ("https://www.example.com/", false), ("https://shop.example.com/", false),
        ("https://example.com/", true), ("http://example.com/", true),
        ("ftp://example.com/", false), ("https://EXAMPLE.com/x?y#z", true),
    ])
    func theHostDecides(url: String, mayOpen: Bool) throws {
        let decisions = try Self.decide(url, [Self.statement("com.example.shop")])
        #expect(decisions.map(\.mayOpen) == [mayOpen], "\(decisions)")
    }

    @Test func whatIsNotLookedAtIsSaid() throws {
        let decisions = try Self.decide(
            "http://example.com/",
            [
                Self.statement(
                    "com.example.shop",
                    more: ",\"relation_extensions\":{\"\(AndroidLinks.handlesURLs)\":{}}")
            ])
        #expect(decisions.first?.reason.contains("dynamic_app_link_components") == true)
        #expect(decisions.first?.reason.contains("http") == true)
    }

    @Test func whatIsNoStatementIsLeftOut() throws {
        #expect(try Self.decide("/", ["1", "null", "{}", "{\"target\":[]}"]).isEmpty)
        let document = try JSONReader.read(text: "{\"statements\":[]}")
        let url = try #require(URLParts("/"))
        #expect(AndroidLinks.decide(url, in: [document], domain: nil).isEmpty)
    }
}
