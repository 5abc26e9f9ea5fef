/// Host and optional port as in Host, `:authority` and an absolute target
/// (`uri-host [ ":" port ]`, RFC 9110 §7.2 and RFC 3986 §3.2.2).
enum HTTPAuthority {
    /// Whether the octets are a host with an optional port. An empty one is valid: clients send it
    /// for a target without authority.
    static func isValid(_ octets: UnsafeRawBufferPointer) -> Bool {
        let names = Names.all
        var index = 0
        if octets.first == 0x5B {
            // An IP literal in brackets.
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
                } else if !names.contains(octets[index]) {
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
    private struct Names {
        static let all = Names()

        private let below64: UInt64
        private let from64: UInt64

        init() {
            var bits: (UInt64, UInt64) = (0, 0)
            for octet in 0..<128 as Range<UInt8>
            where Octet.isUnreserved(octet) || "!$&'()*+,;=".utf8.contains(octet) {
                let bit: UInt64 = 1 << UInt64(octet & 63)
                if octet < 64 { bits.0 |= bit } else { bits.1 |= bit }
            }
            (below64, from64) = bits
        }

        @inline(__always)
        func contains(_ octet: UInt8) -> Bool {
            let bits = octet < 64 ? below64 : octet < 128 ? from64 : 0
            return bits >> UInt64(octet & 63) & 1 == 1
        }
    }

    /// Of an IPv6 address, or of IPvFuture (RFC 3986).
    private static func isInAddress(_ octet: UInt8) -> Bool {
        Names.all.contains(octet) || octet == Octet.colon
    }
}
