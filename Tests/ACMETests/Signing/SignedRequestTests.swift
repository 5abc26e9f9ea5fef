import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct SignedRequestTests {
    private let key: AccountKey

    init() throws { key = try AccountKey(PrivateKey.make(.ecdsaP256)) }

    private func signed(
        _ payload: JSONValue?, _ signer: SignedRequest.Signer
    ) throws -> JSONValue {
        let body = try SignedRequest.body(
            payload: payload, url: "https://a/o", nonce: "n1", key: key, signer: signer)
        return try JSONReader.read(SourceText(name: "-", bytes: body)).root
    }

    private func text(_ value: JSONValue, _ member: String) -> String? {
        value[member]?.string.flatMap(Base64.decodeForURL).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func `A request names url and nonce, and a read has an empty payload`() throws {
        let value = try signed(nil, .account("https://a/1"))
        expectEqual(value["payload"]?.string, "")
        expectEqual(
            text(value, "protected"),
            #"{"alg":"ES256","kid":"https://a/1","nonce":"n1","url":"https://a/o"}"#)
        expectEqual(value["signature"]?.string.flatMap(Base64.decodeForURL)?.count, 64)
        expectEqual(value.members?.count, 3)
    }

    /// A read (POST-as-GET) has nothing, which is not an empty object (RFC 8555 section 6.3).
    @Test func `Content is what was given, an empty object too`() throws {
        expectEqual(text(try signed(.object([]), .key), "payload"), "{}")
        expectEqual(
            text(try signed(.object([("a", .flag(true))]), .key), "payload"), #"{"a":true}"#)
    }

    @Test func `Before it has a URL an account is named by its key`() throws {
        let jwk = String(decoding: JSONWriter.minified(key.jwk), as: UTF8.self)
        expectEqual(
            text(try signed(nil, .key), "protected"),
            #"{"alg":"ES256","jwk":\#(jwk),"nonce":"n1","url":"https://a/o"}"#)
    }

    @Test func `What is signed is both parts, joined by a dot`() {
        var input: [UInt8] = []
        let value = SignedRequest.flattened(protected: .object([]), payload: [1]) {
            input = $0
            return [255, 254]
        }
        expectEqual(input, Array("e30.AQ".utf8))
        expectEqual(value["protected"]?.string, "e30")
        expectEqual(value["payload"]?.string, "AQ")
        expectEqual(value["signature"]?.string, "__4")
    }
}
