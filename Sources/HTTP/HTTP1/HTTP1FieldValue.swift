/// Parses the few field values that affect framing.
enum HTTP1FieldValue {
    /// The value of Content-Length: digits and nothing else (RFC 9110 §8.6), or nil.
    ///
    /// At most 18 digits: they cannot overflow, and no real peer sends more.
    static func contentLength(_ value: UnsafeRawBufferPointer) -> Int? {
        guard value.count >= 1, value.count <= 18 else { return nil }
        var length = 0
        for octet in value {
            guard Octet.isDigit(octet) else { return nil }
            length = length &* 10 &+ Int(octet &- 0x30)
        }
        return length
    }

    /// Whether a comma-separated list of tokens (RFC 9110 §5.6.1) has `token`, in any case.
    ///
    /// - Parameter token: lower case.
    static func contains(_ token: StaticString, in list: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start <= list.count {
            let end = list.firstIndex(of: Octet.comma, from: start, to: list.count) ?? list.count
            let entry = list.slice(start, end).withoutOuterWhitespace
            if entry.equalsIgnoringCase(token) { return true }
            start = end + 1
        }
        return false
    }
}
