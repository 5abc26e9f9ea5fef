/// The parts of an absolute http(s) URL that the rules for sibling documents need.
struct WebAddress {
    let scheme: String
    /// Lower case, without port.
    let host: String
    let hasPort: Bool
    /// Whether the host is a name (or an address in brackets), and the port is one.
    let isSound: Bool
    let hasUserInfo: Bool
    /// From the first slash, question mark or # on; empty for an origin.
    let rest: String

    /// Nil unless the text is an absolute http or https URL with a host.
    init?(_ text: String) {
        // Bytes, not characters: the text is untrusted and may be long.
        var text = text
        let parts: WebAddress? = text.withUTF8 { WebAddress(bytes: $0) }
        guard let parts else { return nil }
        self = parts
    }

    /// What is left of a URL as an origin (RFC 6454); any other text as it is.
    static func origin(of text: String) -> String {
        WebAddress(text).map { text.dropLast($0.rest.utf8.count).lowercased() } ?? text
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let colon = bytes.prefix(6).firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let afterScheme = bytes[(colon + 3)...]
        let end =
            afterScheme.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
            ?? afterScheme.endIndex
        var authority = afterScheme[..<end]
        rest = end == bytes.endIndex ? "" : String(decoding: bytes[end...], as: UTF8.self)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            hasUserInfo = true
            authority = authority[(at + 1)...]
        } else {
            hasUserInfo = false
        }
        var isPort = true
        if let port = authority.lastIndex(of: UInt8(ascii: ":")),
            authority.last != UInt8(ascii: "]")
        {
            hasPort = true
            let digits = authority[(port + 1)...]
            isPort =
                digits.allSatisfy { $0.isASCIIDigit }
                && Int(String(decoding: digits, as: UTF8.self)).map { (1...65_535).contains($0) }
                    == true
            authority = authority[..<port]
        } else {
            hasPort = false
        }
        if authority.isEmpty { return nil }
        host = String(decoding: authority, as: UTF8.self).lowercased()
        let labels = authority.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy {
                    $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit
                        || "-_".utf8.contains($0)
                }
        }
        isSound = isPort && (isName || authority.first == UInt8(ascii: "["))
    }
}
