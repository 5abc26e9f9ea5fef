/// The actual format of a supposed signed document, detected from its first bytes.
enum CMSForm: Sendable, Hashable {
    case der
    /// Indefinite length: BER, as written with `-stream`.
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
            // 30 82 decoded as Latin-1 or Windows-1252 and encoded as UTF-8, or as U+FFFD.
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
                return isInside ? Base64.decodeLines(body) : nil
            } else if isInside {
                body += trimmed
            }
        }
        return nil
    }

    private static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
        text.count > 16
            && text.prefix(4096).allSatisfy {
                Base64.isSymbol($0) || $0 == UInt8(ascii: "=") || $0 == 0x0a || $0 == 0x0d
                    || $0 == 0x20
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
