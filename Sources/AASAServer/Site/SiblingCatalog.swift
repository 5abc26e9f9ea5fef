import AppSiteAssociation
import HTTP
import Texts

/// Rules for the documents under `/.well-known/`: the media type that each requires (domain.md
/// section 5; RFC 9116 section 3, RFC 8461 section 3.2, RFC 6415 section 3), and names that must
/// not be there. The file `well-known.json` lists them.
package enum SiblingCatalog {
    /// A file that answers a certificate authority, and exists for a minute.
    static func isChallenge(_ name: String) -> Bool { name.hasPrefix("acme-challenge/") }

    /// The type for a path below `well-known/`, by name, then by extension, then by the first byte.
    package static func mediaType(of name: String, bytes: [UInt8]) -> String {
        if let type = types?[name]?.string { return type }
        if isChallenge(name) { return "application/octet-stream" }
        if let dot = name.lastIndex(of: "."),
            let type = extensions?[name[name.index(after: dot)...].lowercased()]?.string
        {
            return type
        }
        let first = bytes.first { !(9...13).contains($0) && $0 != 32 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? "application/json" : "application/octet-stream"
    }

    /// The names that have a meaning to other systems.
    package static var knownNames: [String] { (types?.members ?? []).map(\.key).sorted() }

    /// The known name that a name nearly is. Clients request that one.
    static func correction(of name: String) -> String? {
        if types?[name] != nil || name.contains("/") { return nil }
        let other = name.hasSuffix(".json") ? String(name.dropLast(5)) : name + ".json"
        return types?[other] != nil ? other : Spelling.correction(of: name, among: knownNames)
    }

    private static let file = Text.wellKnown.json
    private static let types = file["types"]
    private static let extensions = file["extensions"]
    /// Why a name must not be there, and what to do instead.
    private static let refusals = file["refusals"]
    private static let remedies = file["remedies"]

    /// `pchar` of RFC 3986 section 3.3 without escapes, and the slash between levels.
    private static let pathBytes = Set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~!$&'()*+,;=:@/".utf8)

    /// Why a file of that name is not served, and the remedy; nil: it is served.
    package static func refusal(of name: String, bytes: [UInt8]) -> (cause: String, remedy: String)?
    {
        if let cause = refusals?[name]?.string { return (cause, remedies?[name]?.string ?? "") }
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
