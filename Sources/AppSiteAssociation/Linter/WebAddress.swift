/// The parts of an absolute http(s) URL that the rules for sibling documents need.
struct WebAddress {
    let scheme: String
    /// Lower case, without port.
    let host: String
    /// Whether the host is a name (or an address in brackets), and the port is one.
    let isSound: Bool
    let hasUserInfo: Bool
    /// From the first slash, question mark or # on; empty for an origin.
    let rest: String

    /// Nil unless the text is an absolute http or https URL with a host.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let url = URLParts(text), let scheme = url.scheme, let host = url.host,
            scheme == "http" || scheme == "https"
        else { return nil }
        self.scheme = scheme
        self.host = host
        rest = String(decoding: url.bytes[url.path.lowerBound...], as: UTF8.self)
        let authority = url.bytes[(scheme.utf8.count + 3)..<url.path.lowerBound]
        let names = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        hasUserInfo = names.count > 1
        let port = url.port.flatMap { (1...65_535).contains(Int($0) ?? 0) ? $0 : nil }
        // Anything else in the authority is neither a host nor a port.
        let written = host + (port.map { ":\($0)" } ?? "")
        let hasOnlyThese = names.last.map {
            String(decoding: $0, as: UTF8.self).lowercased() == written
        }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy {
                    $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0)
                }
        }
        isSound = hasOnlyThese == true && (isName || host.hasPrefix("["))
    }

    /// What is left of a URL as an origin (RFC 6454); any other text as it is.
    static func origin(of text: String) -> String {
        WebAddress(text).map { text.dropLast($0.rest.utf8.count).lowercased() } ?? text
    }
}
