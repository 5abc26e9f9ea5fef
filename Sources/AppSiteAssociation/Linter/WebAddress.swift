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
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }),
            let colon = text.range(of: "://")
        else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let afterScheme = text[colon.upperBound...]
        var authority = afterScheme.prefix { !"/?#".contains($0) }
        rest = String(afterScheme[authority.endIndex...])
        if let at = authority.lastIndex(of: "@") {
            hasUserInfo = true
            authority = authority[authority.index(after: at)...]
        } else {
            hasUserInfo = false
        }
        if let port = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            hasPort = true
            authority = authority[..<port]
        } else {
            hasPort = false
        }
        host = authority.lowercased()
        if host.isEmpty { return nil }
    }
}

extension String {
    /// The first place of `text`; the standard library has this only for collections of its own
    /// kind.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
