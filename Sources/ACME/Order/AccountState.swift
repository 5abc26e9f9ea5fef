package import AppSiteAssociation
import OpenSSL

/// The stored account with one authority. The key is saved before the authority receives it: after
/// an interruption, a new request with the same key returns the same account.
package struct AccountState: Sendable {
    /// The directory's URL.
    package let directory: String
    package let key: AccountKey
    /// The account's URL; nil until the authority has returned it.
    package var url: String?
    /// The `mailto:` addresses known to the authority.
    package var contact: [String] = []

    package var json: JSONValue {
        .object([
            ("directory", .text(directory)),
            ("url", .text(url)),
            ("contact", .list(contact.map { .text($0) })),
            ("key", .text(String(decoding: key.key.unencryptedPEM(), as: UTF8.self))),
        ])
    }
}

extension AccountState {
    /// - Parameter name: of the file, for messages.
    /// - Throws: ``InvalidResponse`` or ``OpenSSLError``.
    package init(_ value: JSONValue, name: String) throws {
        guard let directory = value["directory"]?.string, let pem = value["key"]?.string else {
            throw InvalidResponse("\(name) is not an account: \"directory\" or \"key\" is missing")
        }
        self.directory = directory
        key = try AccountKey(PrivateKey.load(pem: Array(pem.utf8), name: name))
        url = value["url"]?.string
        contact = value["contact"]?.strings ?? []
    }
}
