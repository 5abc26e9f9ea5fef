/// The parts of an `http` or `https` URL that a client needs: no user names, no percent decoding.
package struct ServerURL: Sendable, Hashable {
    package let isTLS: Bool
    /// Without the brackets of an IPv6 address.
    package let host: String
    package let port: UInt16
    /// Path and query as written; empty if the URL ends after the authority.
    package let target: String

    /// The request target: an empty path becomes `/` (RFC 9110 section 4.2.3).
    package var requestTarget: String { target.hasPrefix("/") ? target : "/" + target }

    /// Why a URL is invalid.
    package enum Problem: Error, Hashable {
        /// Neither `http://` nor `https://`.
        case scheme
        /// Not a number from 1 to 65535.
        case port
        /// Empty, or with blanks, control characters, or a user name.
        case host
    }

    package init(parsing text: String) throws(Problem) {
        guard let separator = text.firstRange(of: "://") else { throw .scheme }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .scheme }
        let rest = text[separator.upperBound...]
        var authority = rest.prefix { $0 != "/" && $0 != "?" }
        isTLS = scheme == "https"
        target = String(rest.dropFirst(authority.count))
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0
            else { throw .port }
            port = number
            authority = authority[..<colon]
        } else {
            port = isTLS ? 443 : 80
        }
        if authority.hasPrefix("["), authority.hasSuffix("]") {
            authority = authority.dropFirst().dropLast()
        }
        let isPlain = authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x40 }
        guard !authority.isEmpty, isPlain else { throw .host }
        host = String(authority)
    }
}
