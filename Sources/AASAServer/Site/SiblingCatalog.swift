import AppSiteAssociation
import HTTP

/// Rules for the documents under `/.well-known/`: the media type that each requires (domain.md
/// section 5), and names that must not be there.
package enum SiblingCatalog {
    /// A file that answers a certificate authority, and exists for a minute.
    static func isChallenge(_ name: String) -> Bool { name.hasPrefix("acme-challenge/") }

    /// The type for a path below `well-known/`, by name, then by extension, then by the first byte.
    package static func mediaType(of name: String, bytes: [UInt8]) -> String {
        if let type = types[name] { return type }
        if isChallenge(name) { return "application/octet-stream" }
        if let dot = name.lastIndex(of: "."),
            let type = extensions[name[name.index(after: dot)...].lowercased()]
        {
            return type
        }
        let first = bytes.first { !(9...13).contains($0) && $0 != 32 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? "application/json" : "application/octet-stream"
    }

    /// The names that have a meaning to other systems.
    package static var knownNames: [String] { types.keys.sorted() }

    /// The known name that a name nearly is. Clients request that one.
    static func correction(of name: String) -> String? {
        if types[name] != nil || name.contains("/") { return nil }
        let other = name.hasSuffix(".json") ? String(name.dropLast(5)) : name + ".json"
        return types[other] != nil ? other : Spelling.correction(of: name, among: knownNames)
    }

    private static let types = [
        "assetlinks.json": "application/json",
        "webauthn": "application/json",
        "passkey-endpoints": "application/json",
        "openid-configuration": "application/json",
        "oauth-authorization-server": "application/json",
        "microsoft-identity-association": "application/json",
        "microsoft-identity-association.json": "application/json",
        "nodeinfo": "application/json",
        "gpc.json": "application/json",
        // RFC 9116 section 3.
        "security.txt": "text/plain; charset=utf-8",
        // RFC 8461 section 3.2.
        "mta-sts.txt": "text/plain",
        "apple-developer-domain-association.txt": "text/plain",
        "apple-developer-merchantid-domain-association": "text/plain",
        "apple-developer-merchantid-domain-association.txt": "text/plain",
        "host-meta": "application/xrd+xml",
        // RFC 6415 section 3.
        "host-meta.json": "application/json",
    ]

    private static let extensions = [
        "json": "application/json",
        "txt": "text/plain; charset=utf-8",
        "xml": "application/xml",
        "html": "text/html; charset=utf-8",
        "pem": "application/x-pem-file",
        "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
        "png": "image/png",
    ]

    private static let misplaced = (
        cause: "the association document does not belong in well-known/",
        remedy:
            "move it into the host's folder as apple-app-site-association; both paths serve it"
    )

    private static let refusals = [
        "apple-app-site-association": misplaced, "apple-app-site-association.json": misplaced,
        "change-password": (
            cause: "change-password is a redirect, not a document",
            remedy: "delete the file and set \"changePassword\" in host.json"
        ),
        "resource-that-should-not-exist-whose-status-code-should-not-be-200": (
            cause: "password managers request this name to check that it does not exist",
            remedy: "delete the file"
        ),
    ]

    /// `pchar` of RFC 3986 section 3.3 without escapes, and the slash between levels.
    private static let pathBytes = Set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~!$&'()*+,;=:@/".utf8)

    /// Why a file of that name is not served, and the remedy; nil: it is served.
    package static func refusal(of name: String, bytes: [UInt8]) -> (cause: String, remedy: String)?
    {
        if let refusal = refusals[name] { return refusal }
        if !name.utf8.allSatisfy(pathBytes.contains) {
            return (
                "the name needs escapes in a URL",
                "use only letters, digits and - . _ ~ ! $ & ' ( ) * + , ; = : @"
            )
        }
        if bytes.withUnsafeBytes({ $0.contains("PRIVATE KEY-----") }) {
            return ("the file holds a private key", "remove the file, and replace the key")
        }
        return nil
    }
}
