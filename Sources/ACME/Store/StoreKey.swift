/// Where something is kept in a ``CertificateStore``.
package enum StoreKey: Sendable, Hashable, CustomStringConvertible {
    /// Of the directory with this URL.
    case account(String)
    /// What was asked of the directory with this URL lately.
    case ledger(String)
    case record(LineageID)
    /// The challenges that are to be answered now, by every machine.
    case challenges
    /// A copy of what another key held and nobody could read: it may be the only one of a key.
    case unreadable(String)

    /// A path below the store's root, of letters, digits, dots, hyphens and slashes.
    package var path: String {
        switch self {
        case .account(let url): "accounts/\(KnownAuthority.folder(of: url)).json"
        case .ledger(let url): "limits/\(KnownAuthority.folder(of: url)).json"
        case .record(let id): "\(Self.records)/\(id.folder)\(id.isRSA ? "+rsa" : "").json"
        case .challenges: "challenges.json"
        case .unreadable(let path):
            "unreadable/\(path.split(separator: "/").joined(separator: "+"))"
        }
    }

    package static let records = "certificates"

    package var description: String { path }
}
