/// A parsed URL, not decoded (RFC 3986, section 3).
///
/// Also accepts a path alone (`/buy/42?x=1`), which has neither scheme nor host.
public struct URLParts: Sendable, Hashable {
    /// The URL as given.
    public let source: String
    let bytes: [UInt8]
    /// In lower case; nil without one.
    public let scheme: String?
    /// In lower case, without port and user; nil without an authority.
    public let host: String?
    /// As written after the host; nil without one.
    public let port: String?
    let path: Range<Int>
    /// After the `?`; nil without one.
    let query: Range<Int>?
    /// After the `#`; nil without one.
    let fragment: Range<Int>?

    /// Only path, query and fragment.
    var withoutOrigin: URLParts? {
        let rest = bytes[path.lowerBound...]
        let text = String(decoding: rest, as: UTF8.self)
        return URLParts(rest.first == UInt8(ascii: "/") ? text : "/" + text)
    }

    /// - Returns: nil unless it is `scheme://host…` or begins with a slash.
    public init?(_ source: String) {
        let bytes = Array(source.utf8)
        var start = 0
        var scheme: String?
        var host: String?
        var port: String?
        if bytes.first != UInt8(ascii: "/") {
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0,
                bytes[..<colon].allSatisfy(\.isSchemeCharacter),
                bytes[colon...].starts(with: [58, 47, 47])  // "://"
            else { return nil }
            scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
            start = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
            let authority = bytes[(colon + 3)..<start]
            host = Self.host(of: authority)
            port = Self.port(of: authority)
            guard host?.isEmpty == false else { return nil }
        }
        let hash = bytes[start...].firstIndex(of: UInt8(ascii: "#"))
        let beforeFragment = hash ?? bytes.count
        let mark = bytes[start..<beforeFragment].firstIndex(of: UInt8(ascii: "?"))
        self.source = source
        self.bytes = bytes
        self.scheme = scheme
        self.host = host
        self.port = port
        path = start..<(mark ?? beforeFragment)
        query = mark.map { ($0 + 1)..<beforeFragment }
        fragment = hash.map { ($0 + 1)..<bytes.count }
    }

    private static func host(of authority: ArraySlice<UInt8>) -> String {
        var host = authority
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
        if host.first == UInt8(ascii: "[") {
            host = host[...(host.firstIndex(of: UInt8(ascii: "]")) ?? host.endIndex - 1)]
        } else if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
            host = host[..<colon]
        }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    private static func port(of authority: ArraySlice<UInt8>) -> String? {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let port = authority[(colon + 1)...]
        guard !port.isEmpty, port.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        return String(decoding: port, as: UTF8.self)
    }

    /// Whether a byte is allowed in a URL unencoded; others are percent-encoded by the creator of
    /// the URL, as Foundation does.
    static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...0xFF: false
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
            UInt8(ascii: "}"):
            false
        default: true
        }
    }
}
