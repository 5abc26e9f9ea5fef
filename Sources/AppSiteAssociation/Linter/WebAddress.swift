/// The parts of an absolute http(s) URL that rules about sibling documents ask for.
struct WebAddress {
    let scheme: String
    /// Lower case, without port.
    let host: String
    let hasPort: Bool
    let hasUserInfo: Bool
    /// From the first slash, question mark or # on; empty for a bare origin.
    let rest: String

    /// Nil when the text is no absolute http or https URL with a host.
    init?(_ text: String) {
        // Bytes, not characters: the text is somebody else's and may be long.
        let bytes = text.utf8
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let afterScheme = text[colon...].utf8.dropFirst(3)
        let end =
            afterScheme.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
            ?? afterScheme.endIndex
        var authority = afterScheme[..<end]
        rest = String(Substring(afterScheme[end...]))
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            hasUserInfo = true
            authority = authority[authority.index(after: at)...]
        } else {
            hasUserInfo = false
        }
        if let port = authority.lastIndex(of: UInt8(ascii: ":")),
            authority.last != UInt8(ascii: "]")
        {
            hasPort = true
            authority = authority[..<port]
        } else {
            hasPort = false
        }
        host = Substring(authority).lowercased()
        if host.isEmpty { return nil }
    }
}
