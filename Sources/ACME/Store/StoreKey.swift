/// A key of a ``CertificateStore``.
package enum StoreKey: Sendable, Hashable, CustomStringConvertible {
    /// Of the authority with this directory URL.
    case account(String)
    case record(LineageID)
    /// The challenges that every machine must answer now.
    case challenges
    /// A copy of an unreadable value: it may be the only copy of a key.
    case unreadable(String)

    /// A path below the store's root, with letters, digits, dots, hyphens and slashes.
    package var path: String {
        switch self {
        case .account(let url): "accounts/\(KnownAuthority.folder(of: url)).json"
        case .record(let id): "\(Self.records)/\(id.folder)\(id.isRSA ? "+rsa" : "").json"
        case .challenges: "challenges.json"
        case .unreadable(let path):
            "unreadable/\(path.split(separator: "/").joined(separator: "+"))"
        }
    }

    package static let records = "certificates"

    package var description: String { path }
}
