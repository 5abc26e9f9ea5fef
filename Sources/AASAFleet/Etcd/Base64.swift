/// Base64 with the standard alphabet and padding (RFC 4648 section 4): how the gateway of etcd
/// writes keys and values.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let first = bytes[index]
            let second = rest > 1 ? bytes[index + 1] : 0
            let third = rest > 2 ? bytes[index + 2] : 0
            text.append(alphabet[Int(first >> 2)])
            text.append(alphabet[Int((first & 3) << 4 | second >> 4)])
            text.append(
                rest > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(rest > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil where the text is not exactly what ``encode(_:)`` writes.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { symbols in
            guard symbols.count % 4 == 0 else { return nil }
            var padding = 0
            while padding < 2, padding < symbols.count,
                symbols[symbols.count - 1 - padding] == UInt8(ascii: "=")
            { padding += 1 }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(symbols.count / 4 * 3)
            var bits: UInt32 = 0
            var count: UInt32 = 0
            for symbol in symbols.dropLast(padding) {
                guard let value = value(of: symbol) else { return nil }
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
            }
            // Bits that belong to no byte are zero in what an encoder writes.
            return bits & (1 << count - 1) == 0 ? bytes : nil
        }
    }

    private static func value(of symbol: UInt8) -> UInt8? {
        switch symbol {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbol - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): symbol - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): symbol - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
