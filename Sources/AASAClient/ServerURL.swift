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
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        isTLS = scheme == "https"
        target = String(rest.dropFirst(authority.count))
        let parts = try Self.parts(ofAuthority: authority)
        port = parts.port ?? (isTLS ? 443 : 80)
        let isPlain = parts.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x40 }
        guard !parts.host.isEmpty, isPlain else { throw .host }
        host = String(parts.host)
    }

    /// Takes `host`, `host:port` or `[IPv6]:port` apart (RFC 3986 section 3.2.2); the brackets are
    /// omitted. Without them an IPv6 address is refused, because its last group may be a port.
    package static func parts(
        ofAuthority text: Substring
    ) throws(Problem) -> (host: Substring, port: UInt16?) {
        var host = text
        var port: UInt16?
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else {
                throw .port
            }
            port = number
            host = text[..<colon]
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        let hasBrackets = host.contains { $0 == "[" || $0 == "]" }
        guard isBracketed == host.contains(":"), !hasBrackets else { throw .host }
        return (host, port)
    }
}
