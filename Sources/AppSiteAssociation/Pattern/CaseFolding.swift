/// Case folding of UTF-8 for rules with `caseSensitive: false`.
///
/// Pattern and URL are folded in the same way, so the matcher always compares bytes. Letters beyond
/// ASCII use Unicode's lower-case mapping, scalar by scalar; Apple does not document its treatment
/// of them.
enum CaseFolding {
    /// The maximum growth per byte: U+023A takes two bytes, its lower case three.
    static let growth = 2

    static func folded(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Folds `bytes`, which need not be valid UTF-8: a byte that starts no scalar is kept.
    static func fold(_ bytes: UnsafeBufferPointer<UInt8>, emit: (UInt8) -> Void) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                emit(folded(byte))
                index += 1
            } else if let (scalar, length) = scalar(in: bytes, at: index) {
                for lower in scalar.properties.lowercaseMapping.utf8 { emit(lower) }
                index += length
            } else {
                emit(byte)
                index += 1
            }
        }
    }

    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (Unicode.Scalar, Int)? {
        let lead = bytes[start]
        let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 0, start + length <= bytes.count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let next = bytes[start + offset]
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value), UTF8.width(scalar) == length else { return nil }
        return (scalar, length)
    }
}
