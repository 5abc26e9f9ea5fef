package import AppSiteAssociation
package import OpenSSL

/// The body of a request: a JSON Web Signature with flattened JSON serialization (RFC 7515 section
/// 7.2.2, RFC 8555 section 6.2).
package enum SignedRequest {
    /// How the request identifies the account.
    package enum Signer: Sendable, Hashable {
        /// By its public key, before it has a URL.
        case key
        /// By its URL.
        case account(String)
    }

    /// - Parameter payload: nil for POST-as-GET, an empty payload (RFC 8555 section 6.3).
    /// - Throws: ``OpenSSLError``.
    package static func body(
        payload: JSONValue?, url: String, nonce: String, key: AccountKey, signer: Signer
    ) throws(OpenSSLError) -> [UInt8] {
        var members: [(String, JSONValue)] = [("alg", .text("ES256"))]
        switch signer {
        case .key: members.append(("jwk", key.jwk))
        case .account(let account): members.append(("kid", .text(account)))
        }
        members += [("nonce", .text(nonce)), ("url", .text(url))]
        let input = signingInput(
            protected: .object(members), payload: payload.map { JSONWriter.minified($0) } ?? [])
        let signature = try key.key.es256(input.bytes)
        return JSONWriter.minified(flattened(input, signature))
    }

    static func flattened(
        protected: JSONValue, payload: [UInt8], sign: ([UInt8]) -> [UInt8]
    ) -> JSONValue {
        let input = signingInput(protected: protected, payload: payload)
        return flattened(input, sign(input.bytes))
    }

    private struct Input {
        let protected: String
        let payload: String
        var bytes: [UInt8] { Array("\(protected).\(payload)".utf8) }
    }

    private static func signingInput(protected: JSONValue, payload: [UInt8]) -> Input {
        Input(
            protected: Base64.encodeForURL(JSONWriter.minified(protected)),
            payload: Base64.encodeForURL(payload))
    }

    private static func flattened(_ input: Input, _ signature: [UInt8]) -> JSONValue {
        .object([
            ("protected", .text(input.protected)), ("payload", .text(input.payload)),
            ("signature", .text(Base64.encodeForURL(signature))),
        ])
    }
}
