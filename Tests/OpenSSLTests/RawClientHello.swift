/// A ClientHello of no real client, as bytes.
struct RawClientHello {
    var groups: [UInt16] = []
    var shares: [(group: UInt16, key: [UInt8])] = []
    var suites: [UInt8] = [0x13, 0x01]
    /// Further extensions, before the others.
    var more: [(type: UInt16, content: [UInt8])] = []

    /// In records of at most 16 KB.
    var records: [UInt8] {
        let extensions =
            more + [
                (10, vector(2, groups.flatMap(number))),
                (13, vector(2, [0x04, 0x03, 0x08, 0x04])),
                (43, vector(1, [3, 4])),
                (51, vector(2, shares.flatMap { number($0.group) + vector(2, $0.key) })),
            ]
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + vector(1, []) + vector(2, suites)
            + vector(1, [0]) + vector(2, extensions.flatMap { number($0.0) + vector(2, $0.1) })
        var message = ([1] + vector(3, body))[...]
        var records: [UInt8] = []
        while !message.isEmpty {
            records += [22, 3, 1] + vector(2, Array(message.prefix(16_384)))
            message = message.dropFirst(16_384)
        }
        return records
    }
}

/// Bytes behind their number in `width` bytes.
func vector<Bytes: Collection<UInt8>>(_ width: Int, _ bytes: Bytes) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
}

func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

/// The parts of a ServerHello that tests look at.
struct RawServerHello {
    let suite: UInt16
    /// Of its key share; nil in TLS 1.2.
    private(set) var group: UInt16?
    /// Whether it asks for another key share (RFC 8446 section 4.1.3).
    let isRetry: Bool

    /// Nil if the bytes begin with something else, such as an alert.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 46, bytes[0] == 22, bytes[5] == 2 else { return nil }
        isRetry = bytes[11..<15].elementsEqual([0xCF, 0x21, 0xAD, 0x74])
        func number(at index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        let afterSession = 44 + Int(bytes[43])
        suite = UInt16(number(at: afterSession))
        let end = 9 + Int(bytes[6]) << 16 + number(at: 7)
        var index = afterSession + 5
        while index + 4 <= min(end, bytes.count) {
            if number(at: index) == 51 { group = UInt16(number(at: index + 4)) }
            index += 4 + number(at: index + 2)
        }
    }
}
