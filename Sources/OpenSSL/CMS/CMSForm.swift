/// What a file that should be a signed document really is, told by its first bytes.
enum CMSForm: Sendable, Hashable {
    case der
    /// Indefinite length: BER, as `-stream` writes it.
    case ber
    case empty
    case pem
    case smime
    case base64
    /// DER that a text filter re-encoded as UTF-8.
    case transcoded
    case compressed
    /// JSON, HTML, or anything else.
    case json, html, other

    static func sniff(_ bytes: [UInt8]) -> CMSForm {
        if bytes.isEmpty { return .empty }
        if bytes.starts(with: [0x1f, 0x8b]) { return .compressed }
        if bytes[0] == 0x30, bytes.count > 2 {
            if bytes[1] == 0x80 { return .ber }
            // 30 82 read as Latin-1 or Windows-1252 and written as UTF-8, or as U+FFFD.
            let mangled: [[UInt8]] = [
                [0xc2, 0x82], [0xc2, 0x83], [0xc2, 0x81], [0xc2, 0x80], [0xe2, 0x80, 0x9a],
                [0xc6, 0x92], [0xef, 0xbf, 0xbd],
            ]
            if mangled.contains(where: { bytes.dropFirst().starts(with: $0) }) {
                return .transcoded
            }
            return .der
        }
        var text = bytes[...]
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        if text.first == 0x30 && text.count < bytes.count { return .transcoded }
        text = text.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0d) }
        if text.isEmpty { return .empty }
        if begins(text, "-----begin") { return .pem }
        if begins(text, "mime-version:") || begins(text, "content-type:")
            || begins(text, "content-disposition:")
        {
            return .smime
        }
        if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return .json }
        if text.first == UInt8(ascii: "<") { return .html }
        if isBase64(text), text.first == UInt8(ascii: "M") { return .base64 }
        return .other
    }

    /// Takes the base64 out of text, whatever its line length.
    static func decodeBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            switch value(character) {
            case .some(let six):
                bits = bits << 6 | UInt32(six)
                count += 1
                if count == 4 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    bits = 0
                    count = 0
                }
            case nil:
                let isBlank = character == 0x20 || (character >= 0x09 && character <= 0x0d)
                if !isBlank && character != UInt8(ascii: "=") { return nil }
            }
        }
        if count == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if count == 3 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        return count == 1 ? nil : bytes
    }

    /// The base64 between the first `-----BEGIN …-----` and the `-----END` after it.
    static func decodePEM(_ bytes: [UInt8]) -> [UInt8]? {
        let lines = bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
        var body: [UInt8] = []
        var isInside = false
        for line in lines {
            let trimmed = line.drop { $0 == 0x20 || $0 == 0x09 }
            if begins(trimmed, "-----begin") {
                isInside = true
            } else if begins(trimmed, "-----end") {
                return isInside ? decodeBase64(body[...]) : nil
            } else if isInside {
                body += trimmed
            }
        }
        return nil
    }

    private static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
        text.count > 16
            && text.prefix(4096).allSatisfy {
                value($0) != nil || $0 == UInt8(ascii: "=") || $0 == 0x0a || $0 == 0x0d
                    || $0 == 0x20
            }
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func begins(_ text: ArraySlice<UInt8>, _ lowered: StaticString) -> Bool {
        lowered.withUTF8Buffer { lowered in
            text.count >= lowered.count
                && zip(text, lowered).allSatisfy { byte, wanted in
                    (byte >= 65 && byte <= 90 ? byte | 0x20 : byte) == wanted
                }
        }
    }
}
