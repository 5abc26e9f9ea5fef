import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct AccountKeyTests {
    @Test func `The thumbprint is of the members in order`() throws {
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        let text = String(decoding: JSONWriter.minified(key.jwk), as: UTF8.self)
        #expect(text.hasPrefix(#"{"crv":"P-256","kty":"EC","x":""#))
        expectEqual(key.thumbprint, Base64.encodeForURL(sha256(Array(text.utf8))))
        expectEqual(Base64.decodeForURL(key.thumbprint)?.count, 32)
        expectEqual(key.keyAuthorization(token: "t"), "t." + key.thumbprint)
        #expect(throws: OpenSSLError.self) { try AccountKey(PrivateKey.make(.rsa(bits: 2048))) }
    }

    @Test func `Both halves of the point are in the key, in their places`() throws {
        let key = try PrivateKey.make(.ecdsaP256)
        let point = try key.publicPoint()
        let jwk = try AccountKey(key).jwk
        expectEqual(jwk["x"]?.string.flatMap(Base64.decodeForURL), point.x)
        expectEqual(jwk["y"]?.string.flatMap(Base64.decodeForURL), point.y)
    }

    // MARK: - External accounts

    @Test func `A binding is refused where the secret is none`() {
        #expect(ExternalAccount(identifier: "k", encodedSecret: "not base64!") == nil)
        #expect(ExternalAccount(identifier: "k", encodedSecret: "c2hvcnQ") == nil)
        #expect(
            ExternalAccount(identifier: "", encodedSecret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ") == nil)
        for (count, isTaken) in [(15, false), (16, true)] {
            let secret = Base64.encodeForURL([UInt8](repeating: 7, count: count))
            expectEqual((ExternalAccount(identifier: "k", encodedSecret: secret) != nil), isTaken)
        }
    }

    /// RFC 8555 section 7.3.4.
    @Test func `A binding is the public key, signed with the secret`() throws {
        let secret = [UInt8](repeating: 7, count: 32)
        let account = try #require(
            ExternalAccount(identifier: "kid-1", encodedSecret: Base64.encodeForURL(secret)))
        expectEqual(account.description, "external account kid-1")
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        let binding = account.binding(of: key, url: "https://ca.test/a")
        let protected = try #require(binding["protected"]?.string)
        let payload = try #require(binding["payload"]?.string)
        expectEqual(
            Base64.decodeForURL(protected).map { String(decoding: $0, as: UTF8.self) },
            #"{"alg":"HS256","kid":"kid-1","url":"https://ca.test/a"}"#)
        expectEqual(Base64.decodeForURL(payload), JSONWriter.minified(key.jwk))
        expectEqual(
            binding["signature"]?.string.flatMap(Base64.decodeForURL),
            hmacSHA256(key: secret, Array("\(protected).\(payload)".utf8)))
    }
}
