/// The rate limits of an authority, which we stay below.
package struct RateLimits: Sendable, Hashable {
    package struct Limit: Sendable, Hashable {
        package let count: Int
        package let seconds: Int64
    }

    /// New orders of the account.
    package let orders: Limit
    /// Certificates of one registered domain; renewals by ARI are free.
    package let certificatesPerDomain: Limit
    /// Certificates of exactly the same names; renewals by ARI are free.
    package let duplicates: Limit
    /// Failed validations of one name.
    package let failedValidations: Limit

    /// https://letsencrypt.org/docs/rate-limits/, at four fifths: others of the same organization
    /// may use the rest. 300 orders in 3 hours, 50 certificates per domain and 5 with the same
    /// names in a week, 5 failed validations of a name in an hour.
    package static let letsEncrypt = RateLimits(
        orders: Limit(count: 240, seconds: 3 * 3600),
        certificatesPerDomain: Limit(count: 40, seconds: 7 * 86_400),
        duplicates: Limit(count: 4, seconds: 7 * 86_400),
        failedValidations: Limit(count: 4, seconds: 3600))

    /// Its staging environment: 1,500 orders, 30,000 certificates, 200 failures.
    package static let letsEncryptStaging = RateLimits(
        orders: Limit(count: 1200, seconds: 3 * 3600),
        certificatesPerDomain: Limit(count: 24_000, seconds: 7 * 86_400),
        duplicates: Limit(count: 24_000, seconds: 7 * 86_400),
        failedValidations: Limit(count: 160, seconds: 3600))

    /// Authorities with unknown limits: as many orders as at Let's Encrypt (Google Trust Services:
    /// 100 per hour), and no weekly limits.
    package static let unknown = RateLimits(
        orders: Limit(count: 240, seconds: 3 * 3600),
        certificatesPerDomain: Limit(count: 24_000, seconds: 7 * 86_400),
        duplicates: Limit(count: 100, seconds: 7 * 86_400),
        failedValidations: Limit(count: 12, seconds: 3600))

    package static func of(directory: String) -> RateLimits {
        switch KnownAuthority.host(of: directory) {
        case "acme-v02.api.letsencrypt.org": letsEncrypt
        case "acme-staging-v02.api.letsencrypt.org": letsEncryptStaging
        default: unknown
        }
    }
}

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

    /// The registered domain, by which limits are counted. The public suffix list has 10,000
    /// entries and changes weekly; this is an approximation: two labels, three below `co.uk` and
    /// the like. If it is wrong, certificates that the authority counts separately are counted
    /// together, or the authority reports the limit itself.
    package static func registeredDomain(of name: String) -> String {
        let labels = name.split(separator: ".")
        guard labels.count > 2 else { return name }
        let isCountry = labels[labels.count - 1].utf8.count == 2
        let isSecondLevel = labels[labels.count - 2].utf8.count <= 3
        return labels.suffix(isCountry && isSecondLevel ? 3 : 2).joined(separator: ".")
    }
}
