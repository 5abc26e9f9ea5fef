// Covers: AccountKey.swift, SignedRequest.swift

import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct SigningTests {
    @Test func `The thumbprint is of the members in order`() throws {
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        let text = String(decoding: JSONWriter.minified(key.jwk), as: UTF8.self)
        #expect(text.hasPrefix(#"{"crv":"P-256","kty":"EC","x":""#))
        #expect(key.thumbprint == Base64.encodeForURL(sha256(Array(text.utf8))))
        #expect(Base64.decodeForURL(key.thumbprint)?.count == 32)
        #expect(throws: OpenSSLError.self) { try AccountKey(PrivateKey.make(.rsa(bits: 2048))) }
    }

    @Test func `A request names url and nonce, and a read has an empty payload`() throws {
        let key = try AccountKey(PrivateKey.make(.ecdsaP256))
        let body = try SignedRequest.body(
            payload: nil, url: "https://a/o", nonce: "n1", key: key, signer: .account("https://a/1")
        )
        let value = try JSONReader.read(SourceText(name: "-", bytes: body)).root
        #expect(value["payload"]?.string == "")
        let protected = try #require(value["protected"]?.string.flatMap(Base64.decodeForURL))
        #expect(
            String(decoding: protected, as: UTF8.self)
                == #"{"alg":"ES256","kid":"https://a/1","nonce":"n1","url":"https://a/o"}"#)
        #expect(value["signature"]?.string.flatMap(Base64.decodeForURL)?.count == 64)
    }

    @Test func `A binding is refused where the secret is none`() {
        #expect(ExternalAccount(identifier: "k", encodedSecret: "not base64!") == nil)
        #expect(ExternalAccount(identifier: "k", encodedSecret: "c2hvcnQ") == nil)
        #expect(
            ExternalAccount(identifier: "", encodedSecret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ") == nil)
    }
}
