/// A document beside the association document.
struct Sibling {
    enum Kind {
        /// JSON that its readers require to be JSON, without redirects.
        case json
        case text
        /// Must redirect.
        case redirect
        /// Must not exist.
        case absent
    }

    let path: String
    let kind: Kind

    static let all = [
        Sibling(path: "/.well-known/assetlinks.json", kind: .json),
        Sibling(path: "/.well-known/webauthn", kind: .json),
        Sibling(path: "/.well-known/passkey-endpoints", kind: .json),
        Sibling(path: "/.well-known/security.txt", kind: .text),
        Sibling(path: "/.well-known/change-password", kind: .redirect),
        Sibling(
            path: "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200",
            kind: .absent),
    ]
}
