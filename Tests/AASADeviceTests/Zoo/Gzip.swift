/// Makes gzip that compresses nothing: enough for a server that says it does.
enum Gzip {
    /// RFC 1952 around one stored block of RFC 1951; at most 65,535 bytes.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(clamping: bytes.count)
        let lengths = [
            UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8),
        ]
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
        }
        func word(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + lengths + bytes + word(~crc)
            + word(UInt32(bytes.count))
    }
}
