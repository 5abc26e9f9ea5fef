import AASAClient
import Testing

@testable import AASADevice

@Suite struct RedirectKindTests: EvaluatorSuite {
    private static let request = ClientRequest(
        host: "example.com", target: AssociationPath.wellKnownTarget)

    private static func code(
        _ location: String, from request: ClientRequest = request, _ hops: [ClientExchange] = []
    ) throws -> CheckCode {
        RedirectKind.code(request, try #require(request.redirected(to: location)), hops)
    }

    @Test(arguments: [
        ("http://example.com/.well-known/apple-app-site-association", CheckCode.redirectToHTTP),
        ("http://login.example.com/", .redirectToHTTP),
        ("https://example.com/.well-known/apple-app-site-association", .redirectLoop),
        ("https://www.example.com/x", .redirectWWW),
        ("https://web.example.com/x", .redirectElsewhere),
        ("/.well-known/apple-app-site-association/", .redirectSlash),
        ("/.well-known/apple-app-site-association/?a", .redirectSlash),
        ("https://other.com/.well-known/apple-app-site-association/", .redirectElsewhere),
        ("https://example.com/x/", .redirectElsewhere),
        ("https://accounts.other.com/", .redirectLogin), ("/users/sign_up", .redirectElsewhere),
        ("/signin?next=x", .redirectLogin), ("/a?next=login", .redirectElsewhere),
        ("https://blogin.example.com/", .redirectElsewhere), ("/OAuth2/start", .redirectLogin),
        ("/en/.well-known/apple-app-site-association", .redirectLocale),
        ("/de-AT/", .redirectLocale), ("/en", .redirectLocale), ("/en_US", .redirectLocale),
        ("/zh-Hant/", .redirectLocale), ("/eng/", .redirectElsewhere),
        ("/en-latin/", .redirectElsewhere), ("/e1/", .redirectElsewhere),
        ("/en-US-x/", .redirectElsewhere), ("/en/shop", .redirectElsewhere),
        ("https://other.com/en/", .redirectElsewhere),
    ])
    func tellsWhatARedirectIsAbout(location: String, code: CheckCode) throws {
        #expect(try Self.code(location) == code)
    }

    @Test func knowsBothWaysOfWWW() throws {
        let www = ClientRequest(host: "WWW.example.com", target: "/x")
        #expect(try Self.code("https://example.com/x", from: www) == .redirectWWW)
    }

    /// The last hop decides, whether it leads back to the start or to another step.
    @Test func findsACircle() throws {
        func hop(_ at: String, _ status: Int, to location: String) -> ClientExchange {
            ClientExchange(
                playing: ClientRequest(host: "a.com", target: at),
                Self.exchange(status, "", [("Location", location)]))
        }
        let there = "https://a.com/1"
        #expect(
            try Self.code(there, [hop("/1", 302, to: "/2"), hop("/2", 301, to: "/1")])
                == .redirectLoop)
        #expect(try Self.code(there, [hop("/1", 302, to: Self.request.url)]) == .redirectLoop)
        #expect(try Self.code(there, [hop("/1", 302, to: "/2")]) == .redirectElsewhere)
        #expect(try Self.code(there, [hop("/1", 200, to: "/1")]) == .redirectElsewhere)
        #expect(try Self.code(there, [hop("/1", 400, to: "/1")]) == .redirectElsewhere)
        #expect(
            try Self.code(there, [hop("/1", 302, to: "/1"), Self.failed(.refused)])
                == .redirectElsewhere)
    }

    // MARK: - Pages

    @Test(arguments: [
        ("<!DOCTYPE html>", true), (" \r\n\t<HTML>", true), ("\n\n<!doctype html>", true),
        ("<!-- x --><p>", true),
        ("<script>", true), ("<h1>Not found", true), ("<meta x>", true), ("<plist>", false),
        ("{\"a\":\"<html>\"}", false), ("", false), ("html", false), ("<p>text", false),
    ])
    func knowsAPage(body: String, isPage: Bool) {
        #expect(HTMLPage.isPage(Array(body.utf8)) == isPage)
    }

    @Test func namesAPageByItsTitle() {
        func text(_ body: String) -> String { HTMLPage.description(Array(body.utf8)) }
        #expect(
            text("<TITLE>My Shop</Title>") == "a web page comes with status 200, titled \"My Shop\""
        )
        #expect(text("<title>é\u{1}</title>").contains("titled \"???\""))
        #expect(text("<html>") == "a web page of 6 bytes comes with status 200")
        #expect(text("<title>open") == "a web page of 11 bytes comes with status 200")
    }
}
