/// Directories with a short name.
package enum KnownAuthority {
    package static let letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory"
    package static let letsEncryptStaging =
        "https://acme-staging-v02.api.letsencrypt.org/directory"

    /// The host of a URL, in lower case.
    package static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return rest.prefix { $0 != "/" && $0 != ":" && $0 != "?" }.lowercased()
    }

    /// A name for folders: the host, with port and path unless they are the defaults, in letters,
    /// digits, dots and hyphens.
    package static func folder(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let clean = rest.lowercased().utf8.map { byte -> UInt8 in
            switch byte {
            case 48...57, 97...122, UInt8(ascii: "."): byte
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: clean.prefix(120), as: UTF8.self)
    }
}
