/// Host and optional port as in Host, `:authority` and an absolute target
/// (`uri-host [ ":" port ]`, RFC 9110 §7.2 and RFC 3986 §3.2.2).
enum HTTPAuthority {
    /// Whether the octets are a host with an optional port. An empty one is valid: clients send it
    /// for a target without authority.
    static func isValid(_ octets: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        if octets.first == 0x5B {
            // An IP literal in brackets.
            guard let end = octets.firstIndex(of: 0x5D, from: 1, to: octets.count), end > 2 else {
                return false
            }
            for octet in octets[1..<end] where !isInName(octet) && octet != Octet.colon {
                return false
            }
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

    /// `unreserved` and `sub-delims` (RFC 3986 section 2), a bit for each octet.
    @inline(__always)
    private static func isInName(_ octet: UInt8) -> Bool {
        // ! $ & ' ( ) * + , - . 0-9 ; = below 64, A-Z _ a-z ~ above.
        if octet < 64 { return (0x2BFF_7FD2_0000_0000 as UInt64) >> UInt64(octet) & 1 == 1 }
        if octet < 128 { return (0x47FF_FFFE_87FF_FFFE as UInt64) >> UInt64(octet & 63) & 1 == 1 }
        return false
    }
}
