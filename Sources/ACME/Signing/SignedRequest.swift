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
        let signed = try flattened(
            protected: .object(members), payload: payload.map { JSONWriter.minified($0) } ?? []
        ) { input throws(OpenSSLError) in try key.key.es256(input) }
        return JSONWriter.minified(signed)
    }

    static func flattened<Failure: Error>(
        protected: JSONValue, payload: [UInt8], sign: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) -> JSONValue {
        let protected = Base64.encodeForURL(JSONWriter.minified(protected))
        let payload = Base64.encodeForURL(payload)
        let signature = try sign(Array("\(protected).\(payload)".utf8))
        return .object([
            ("protected", .text(protected)), ("payload", .text(payload)),
            ("signature", .text(Base64.encodeForURL(signature))),
        ])
    }
}
