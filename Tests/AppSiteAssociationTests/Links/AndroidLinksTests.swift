import AppSiteAssociation
import TestSupport
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
        expectEqual(decisions.map(\.package), ["com.example.shop", "com.example.login"])
        expectEqual(decisions.map(\.mayOpen), [true, false])
        #expect(decisions[1].reason.contains("handle_all_urls"))
    }

    @Test func aLaterStatementOfThePackageCounts() throws {
        let decisions = try Self.decide(
            "/buy/1",
            [
                Self.statement("com.example.shop", "delegate_permission/common.get_login_creds"),
                Self.statement("com.example.shop"),
            ])
        expectEqual(decisions.map(\.mayOpen), [true])
        #expect(decisions[0].range.lowerBound > 50)
    }

    @Test(arguments: [
        ("https://www.example.com/", false), ("https://shop.example.com/", false),
        ("https://example.com/", true), ("http://example.com/", true),
        ("ftp://example.com/", false), ("https://EXAMPLE.com/x?y#z", true),
    ])
    func theHostDecides(url: String, mayOpen: Bool) throws {
        let decisions = try Self.decide(url, [Self.statement("com.example.shop")])
        expectEqual(decisions.map(\.mayOpen), [mayOpen], "\(decisions)")
    }

    @Test func theManifestOfHTTPIsNamed() throws {
        let decisions = try Self.decide("http://example.com/", [Self.statement("com.example.shop")])
        expectEqual(decisions.first?.reason.contains("as well as https"), true)
        expectEqual(decisions.first?.reason.contains("dynamic"), false)
    }

    /// Android 15: the first rule that matches decides; older systems do not know them.
    @Test(arguments: [
        ("https://example.com/buy/42", "rule 2 of dynamic_app_link_components takes it"),
        ("http://example.com/buy/42?x=1#y", "rule 2 of dynamic_app_link_components takes it"),
        ("/buy/free", "rule 1 of dynamic_app_link_components keeps it in the browser"),
        ("https://example.com/search?q=shoes&a=b", "rule 3 of"),
        ("https://example.com/search", "none of the 4 rules"),
        ("https://example.com", "rule 4 of"), ("https://example.com/?a", "rule 4 of"),
        ("https://example.com/about", "none of the 4 rules"),
    ])
    func dynamicRulesDecide(url: String, words: String) throws {
        let rules = """
            {"/":"/buy/free*","exclude":true},{"/":"/buy/*","comments":"all of it"},\
            {"/":"/search","?":{"q":"?*"}},{"/":"/"}
            """
        let more = """
            ,"relation_extensions":{"\(AndroidLinks.handlesURLs)":\
            {"dynamic_app_link_components":[\(rules)]}}
            """
        let decisions = try Self.decide(url, [Self.statement("com.example.shop", more: more)])
        expectEqual(decisions.first?.mayOpen, true)
        expectEqual(decisions.first?.reason.contains(words), true, "\(decisions)")
    }

    @Test(arguments: ["{}", "1", "[1,null]", "[]", "\"*\""])
    func dynamicRulesThatAreNoneDoNoHarm(rules: String) throws {
        let more = """
            ,"relation_extensions":{"\(AndroidLinks.handlesURLs)":\
            {"dynamic_app_link_components":\(rules)}}
            """
        let decisions = try Self.decide("/a", [Self.statement("com.example.shop", more: more)])
        expectEqual(decisions.map(\.mayOpen), [true])
        expectEqual(decisions.first?.reason.contains("dynamic_app_link_components"), true)
    }

    @Test func whatIsNoStatementIsLeftOut() throws {
        #expect(try Self.decide("/", ["1", "null", "{}", "{\"target\":[]}"]).isEmpty)
        let document = try JSONReader.read(text: "{\"statements\":[]}")
        let url = try #require(URLParts("/"))
        #expect(AndroidLinks.decide(url, in: [document], domain: nil).isEmpty)
    }
}
