import Reactor

/// Version 2 of the PROXY protocol: sixteen bytes, addresses, fields of type, length and value
/// (proxy-protocol.txt section 2.2).
enum ProxyHeaderBinary {
    private static let fixedCount = 16
    /// The type of the only field that is read (section 2.2.3).
    private static let checksumType: UInt8 = 0x03

    /// - Parameter bytes: begin with the signature.
    static func read(_ bytes: UnsafeRawBufferPointer) -> ProxyHeader.Verdict {
        let head = ProxyHeader.signature.count
        guard bytes.count > head else { return .incomplete }
        let command = bytes[head] & 15
        guard bytes[head] >> 4 == 2, command < 2 else { return .broken }
        guard bytes.count >= fixedCount else { return .incomplete }
        let count = fixedCount + (Int(bytes[14]) << 8 | Int(bytes[15]))
        guard count <= ProxyHeader.byteCountMaximum else { return .broken }
        guard bytes.count >= count else { return .incomplete }
        let header = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        if command == 0 {
            // The rest of a LOCAL header is to be ignored.
            return .whole(ProxyHeader(sender: .front, byteCount: count))
        }
        /// Bytes of both addresses and both ports.
        let addressBytes: Int
        switch (header[13] >> 4, header[13] & 15) {
        // Without a known address family, the start of the fields is unknown.
        case (0, 0): return .whole(ProxyHeader(sender: .unknown, byteCount: count))
        case (1, 1), (1, 2): addressBytes = 12
        case (2, 1), (2, 2): addressBytes = 36
        case (3, 1), (3, 2): addressBytes = 216
        default: return .broken
        }
        guard count >= fixedCount + addressBytes,
            hasWholeFields(header, from: fixedCount + addressBytes)
        else { return .broken }
        return .whole(ProxyHeader(sender: sender(of: header), byteCount: count))
    }

    private static func sender(of header: UnsafeRawBufferPointer) -> ProxyHeader.Sender {
        switch header[13] {
        case 0x11:
            .client(
                .v4(
                    UInt32(truncatingIfNeeded: number(header, 16, 4)),
                    port: UInt16(truncatingIfNeeded: number(header, 24, 2))))
        case 0x21:
            .client(
                .v6(
                    high: number(header, 16, 8), low: number(header, 24, 8),
                    port: UInt16(truncatingIfNeeded: number(header, 48, 2))))
        // Datagrams and Unix sockets.
        default: .unknown
        }
    }

    /// Reads so many bytes in network order.
    private static func number(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int
    ) -> UInt64 {
        bytes[start..<(start + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the fields fill the header exactly, and its checksum, if any, matches.
    private static func hasWholeFields(
        _ header: UnsafeRawBufferPointer, from start: Int
    ) -> Bool {
        var at = start
        while at < header.count {
            guard at + 3 <= header.count else { return false }
            let length = Int(number(header, at + 1, 2))
            let value = at + 3
            guard value + length <= header.count else { return false }
            switch header[at] {
            case checksumType:
                guard length == 4 else { return false }
                let stated = UInt32(truncatingIfNeeded: number(header, value, 4))
                guard CRC32C.of(header, zeroing: value..<(value + 4)) == stated else {
                    return false
                }
            default: break
            }
            at = value + length
        }
        return true
    }
}

/// CRC-32C (Castagnoli; RFC 9260 appendix A), which the PROXY protocol requires.
enum CRC32C {
    /// One entry per byte value of the reflected polynomial 0x1EDC6F41.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
        }
    }

    /// - Parameter hole: bytes that count as zero: the place of the checksum itself.
    static func of(_ bytes: UnsafeRawBufferPointer, zeroing hole: Range<Int>) -> UInt32 {
        var sum = UInt32.max
        for (index, byte) in bytes.enumerated() {
            let byte = hole.contains(index) ? 0 : byte
            sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
        }
        return ~sum
    }
}
