/// Host and optional port as they stand in Host, `:authority` and an absolute target
/// (`uri-host [ ":" port ]`, RFC 9110 §7.2 and RFC 3986 §3.2.2).
enum HTTPAuthority {
    /// Whether these octets are a host with an optional port. An empty one is: it is what a client
    /// sends for a target without authority.
    static func isValid(_ octets: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        if octets.first == 0x5B {
            // An address in brackets.
            guard let end = octets.firstIndex(of: 0x5D, from: 1, to: octets.count), end > 2 else {
                return false
            }
            for octet in octets[1..<end] where !isInAddress(octet) { return false }
            index = end &+ 1
        } else {
            while index < octets.count, octets[index] != Octet.colon {
                if octets[index] == 0x25 {
                    guard index &+ 2 < octets.count, Octet.hexValue(octets[index &+ 1]) != nil,
                        Octet.hexValue(octets[index &+ 2]) != nil
                    else { return false }
                } else if !isInName(octets[index]) {
                    return false
                }
                index &+= 1
            }
        }
        if index == octets.count { return true }
        guard octets[index] == Octet.colon else { return false }
        return octets[(index &+ 1)...].allSatisfy(Octet.isDigit)
    }

    /// `unreserved` and `sub-delims`.
    private static func isInName(_ octet: UInt8) -> Bool {
        Octet.isUnreserved(octet)
            || "!$&'()*+,;=".utf8.contains(octet)
    }

    /// Of an IPv6 address, or of the version to come that RFC 3986 leaves room for.
    private static func isInAddress(_ octet: UInt8) -> Bool {
        isInName(octet) || octet == Octet.colon
    }
}
