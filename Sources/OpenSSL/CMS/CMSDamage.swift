/// How a signed file was damaged, deduced from its bytes.
///
/// A signed file is binary and has more than 700 bytes, most of them random: one byte value of 256
/// is absent by chance with a probability below 7 %, and a matching length confirms the damage.
enum CMSDamage: Sendable, Hashable {
    /// Each LF became CR LF; the original length.
    case lineEndsAdded(count: Int)
    /// No CR is left: removed, or converted to LF.
    case carriageReturnsLost
    /// No LF is left.
    case lineFeedsLost
    /// The highest bit of every byte is cleared.
    case sevenBits
    /// No zero byte is left.
    case zerosLost
    /// The length is correct but the content is not; the first visible error, if any.
    case changedInside(offset: Int?)

    /// Nil if the bytes do not tell.
    ///
    /// - Parameter bytes: bytes that begin like DER but cannot be parsed as CMS.
    static func of(_ bytes: [UInt8]) -> CMSDamage? {
        // Certificates and keys begin alike but are not damaged files.
        guard bytes.count >= 256 else { return nil }
        if bytes.allSatisfy({ $0 < 0x80 }) { return .sevenBits }
        if !bytes.contains(0) { return .zerosLost }
        if let unix = withoutAddedReturns(bytes), announcedLength(unix) == unix.count {
            return .lineEndsAdded(count: bytes.count - unix.count)
        }
        guard isSignedData(bytes) else { return nil }
        if announcedLength(bytes) == bytes.count {
            if bytes.count >= 700, !bytes.contains(0x0d) { return .carriageReturnsLost }
            if bytes.count >= 700, !bytes.contains(0x0a) { return .lineFeedsLost }
            return .changedInside(offset: firstFault(bytes))
        }
        if let announced = announcedLength(bytes), announced > bytes.count,
            announced - bytes.count < bytes.count / 16, bytes.count >= 700, !bytes.contains(0x0d)
        {
            return .carriageReturnsLost
        }
        return nil
    }

    var message: String {
        switch self {
        case .lineEndsAdded(let count):
            "line ends were changed on the way: a CR stands before every LF, \(count) bytes too "
                + "many (a transfer in text mode, or autocrlf of git)"
        case .carriageReturnsLost:
            "line ends were changed on the way: no CR is left in the file (a transfer in text "
                + "mode, or dos2unix)"
        case .lineFeedsLost:
            "line ends were changed on the way: no LF is left in the file (a transfer in text "
                + "mode)"
        case .sevenBits:
            "the highest bit of every byte is gone: the file went through something that takes "
                + "seven bits"
        case .zerosLost:
            "no zero byte is left: the file was handled as a string, and these were taken out"
        case .changedInside(let offset):
            "the file has its full length and is damaged inside: bytes were changed"
                + (offset.map { ", at \($0) or before it" } ?? "")
        }
    }

    private static func withoutAddedReturns(_ bytes: [UInt8]) -> [UInt8]? {
        var unix: [UInt8] = []
        unix.reserveCapacity(bytes.count)
        var added = 0
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0d, index + 1 < bytes.count, bytes[index + 1] == 0x0a {
                added += 1
                continue
            }
            if byte == 0x0a, index == 0 || bytes[index - 1] != 0x0d { return nil }
            unix.append(byte)
        }
        return added == 0 ? nil : unix
    }

    /// The length of the file according to the outermost SEQUENCE.
    private static func announcedLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count > 6, bytes[0] == 0x30, (0x81...0x84).contains(bytes[1]) else {
            return nil
        }
        let count = Int(bytes[1] & 0x7f)
        return bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) } + 2 + count
    }

    /// The object identifier of SignedData.
    private static let type: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]

    /// Whether the type is where it should be, with at most two wrong bytes, or without its CR.
    private static func isSignedData(_ bytes: [UInt8]) -> Bool {
        (2...6).contains { start in
            [type, type.filter { $0 != 0x0d }].contains { type in
                guard bytes.count >= start + type.count else { return false }
                let wrong = zip(type, bytes[start...]).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
                return wrong <= 2
            }
        }
    }

    private static func firstFault(_ bytes: [UInt8]) -> Int? {
        switch DERCheck.check(bytes) {
        case .malformed(let offset), .ber(let offset, _): return offset
        case .der, .truncated:
            let start = 2 + Int(bytes[1] & 0x7f)
            return type.indices.first { bytes[start + $0] != type[$0] }.map { start + $0 }
        }
    }
}
