import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct RedirectKindTests: EvaluatorSuite {
    private static let request = ClientRequest(
        host: "example.com", target: AssociationPath.wellKnownTarget)

    private static func code(
        _ location: String, from request: ClientRequest = request, _ hops: [ClientExchange] = []
    ) throws -> String {
        RedirectKind.code(request, try #require(request.redirected(to: location)), hops)
    }

    @Test(arguments: [
        ("http://example.com/.well-known/apple-app-site-association", "redirect-to-http"),
        ("http://login.example.com/", "redirect-to-http"),
        ("https://example.com/.well-known/apple-app-site-association", "redirect-loop"),
        ("https://www.example.com/x", "redirect-www"),
        ("https://web.example.com/x", "redirect-elsewhere"),
        ("/.well-known/apple-app-site-association/", "redirect-slash"),
        ("/.well-known/apple-app-site-association/?a", "redirect-slash"),
        ("https://other.com/.well-known/apple-app-site-association/", "redirect-elsewhere"),
        ("https://example.com/x/", "redirect-elsewhere"),
        ("https://accounts.other.com/", "redirect-login"), ("/users/sign_up", "redirect-elsewhere"),
        ("/signin?next=x", "redirect-login"), ("/a?next=login", "redirect-elsewhere"),
        ("https://blogin.example.com/", "redirect-elsewhere"), ("/OAuth2/start", "redirect-login"),
        ("/en/.well-known/apple-app-site-association", "redirect-locale"),
        ("/de-AT/", "redirect-locale"), ("/en", "redirect-locale"), ("/en_US", "redirect-locale"),
        ("/zh-Hant/", "redirect-locale"), ("/eng/", "redirect-elsewhere"),
        ("/en-latin/", "redirect-elsewhere"), ("/e1/", "redirect-elsewhere"),
        ("/en-US-x/", "redirect-elsewhere"), ("/en/shop", "redirect-elsewhere"),
        ("https://other.com/en/", "redirect-elsewhere"),
    ])
    func tellsWhatARedirectIsAbout(location: String, code: String) throws {
        try expectEqual(Self.code(location), code)
    }

    @Test func knowsBothWaysOfWWW() throws {
        let www = ClientRequest(host: "WWW.example.com", target: "/x")
        try expectEqual(Self.code("https://example.com/x", from: www), "redirect-www")
    }

    /// The last hop decides, whether it leads back to the start or to another step.
    @Test func findsACircle() throws {
        func hop(_ at: String, _ status: Int, to location: String) -> ClientExchange {
            var exchange = Self.exchange(status, "", [("Location", location)])
            exchange.request = ClientRequest(host: "a.com", target: at)
            return exchange
        }
        let there = "https://a.com/1"
        try expectEqual(
            Self.code(there, [hop("/1", 302, to: "/2"), hop("/2", 301, to: "/1")]),
            "redirect-loop")
        try expectEqual(Self.code(there, [hop("/1", 302, to: Self.request.url)]), "redirect-loop")
        try expectEqual(Self.code(there, [hop("/1", 302, to: "/2")]), "redirect-elsewhere")
        try expectEqual(Self.code(there, [hop("/1", 200, to: "/1")]), "redirect-elsewhere")
        try expectEqual(Self.code(there, [hop("/1", 400, to: "/1")]), "redirect-elsewhere")
        try expectEqual(
            Self.code(there, [hop("/1", 302, to: "/1"), Self.failed(.refused)]),
            "redirect-elsewhere")
    }

    // MARK: - Pages

    @Test(arguments: [
        ("<!DOCTYPE html>", true), (" \r\n\t<HTML>", true), ("\n\n<!doctype html>", true),
        ("<!-- x --><p>", true),
        ("<script>", true), ("<h1>Not found", true), ("<meta x>", true), ("<plist>", false),
        ("{\"a\":\"<html>\"}", false), ("", false), ("html", false), ("<p>text", false),
    ])
    func knowsAPage(body: String, isPage: Bool) {
        expectEqual(HTMLPage.isPage(Array(body.utf8)), isPage)
    }

    @Test func namesAPageByItsTitle() {
        func text(_ body: String) -> String { HTMLPage.description(Array(body.utf8)) }
        expectEqual(
            text("<TITLE>My Shop</Title>"), "a web page comes with status 200, titled \"My Shop\""
        )
        #expect(text("<title>é\u{1}</title>").contains("titled \"???\""))
        expectEqual(text("<html>"), "a web page of 6 bytes comes with status 200")
        expectEqual(text("<title>open"), "a web page of 11 bytes comes with status 200")
    }
}
