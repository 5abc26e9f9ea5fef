package import AppSiteAssociation
package import OpenSSL

/// An account key: ECDSA on P-256, with its public key as a JSON Web Key.
package struct AccountKey: Sendable {
    package let key: PrivateKey
    private let x: String
    private let y: String

    /// - Throws: ``OpenSSLError`` for a key that is not P-256.
    package init(_ key: PrivateKey) throws(OpenSSLError) {
        self.key = key
        let point = try key.publicPoint()
        x = Base64.encodeForURL(point.x)
        y = Base64.encodeForURL(point.y)
    }

    /// Members sorted by name, as the thumbprint requires (RFC 7638 section 3).
    package var jwk: JSONValue {
        .object([
            ("crv", .text("P-256")), ("kty", .text("EC")), ("x", .text(x)), ("y", .text(y)),
        ])
    }

    /// SHA-256 over the JSON Web Key (RFC 7638).
    package var thumbprint: String { Base64.encodeForURL(sha256(JSONWriter.minified(jwk))) }

    /// The key authorization of a challenge (RFC 8555 section 8.1).
    package func keyAuthorization(token: String) -> String { token + "." + thumbprint }
}

/// The credentials of external account binding (RFC 8555 section 7.3.4). No description contains
/// the secret.
package struct ExternalAccount: Sendable, Hashable, CustomStringConvertible {
    /// The key identifier from the authority.
    package let identifier: String
    private let secret: [UInt8]

    /// Nil if the secret is not Base64 or too short for HMAC-SHA-256 (RFC 2104 section 3 recommends
    /// 32 bytes; the shortest known secrets have 16).
    package init?(identifier: String, encodedSecret: String) {
        guard !identifier.isEmpty, let secret = Base64.decodeForURL(encodedSecret),
            secret.count >= 16
        else { return nil }
        self.identifier = identifier
        self.secret = secret
    }

    package var description: String { "external account \(identifier)" }

    /// The account's public key, signed with the secret.
    package func binding(of key: AccountKey, url: String) -> JSONValue {
        let protected = JSONValue.object([
            ("alg", .text("HS256")), ("kid", .text(identifier)), ("url", .text(url)),
        ])
        return SignedRequest.flattened(
            protected: protected, payload: JSONWriter.minified(key.jwk)
        ) { hmacSHA256(key: secret, $0) }
    }
}
