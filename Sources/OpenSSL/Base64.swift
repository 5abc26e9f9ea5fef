import COpenSSL

/// Base64 (RFC 4648), with OpenSSL's coder.
///
/// Three forms: with padding as in etcd's gateway, for URLs without padding as in ACME
/// (RFC 7515 section 2), and with line breaks as in PEM.
package enum Base64 {
    /// RFC 4648 section 4: the standard alphabet, padded.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: encoded(bytes), as: UTF8.self)
    }

    /// RFC 4648 section 5: the alphabet for URLs, without padding.
    package static func encodeForURL(_ bytes: some Sequence<UInt8>) -> String {
        let symbols = encode(Array(bytes)).filter { $0 != "=" }
        return String(symbols.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Nil unless the text is exactly what ``encode(_:)`` produces.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard let bytes = decoded(symbols.filter { $0 != padding }), encoded(bytes) == symbols
        else { return nil }
        return bytes
    }

    /// Nil unless the text is Base64 of either alphabet, with or without padding: authorities
    /// provide account keys in all of these forms.
    package static func decodeForURL(_ text: String) -> [UInt8]? {
        let symbols = Array(String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }).utf8)
        let body = symbols.prefix { $0 != padding }
        guard symbols.count - body.count <= 2,
            symbols[body.count...].allSatisfy({ $0 == padding })
        else { return nil }
        return decoded(Array(body))
    }

    /// Decodes text with blanks and line breaks anywhere (RFC 4648 section 3.1, as in PEM and
    /// MIME); nil if it contains any other character.
    package static func decodeLines(_ text: some Collection<UInt8>) -> [UInt8]? {
        decoded(text.filter { !isBlank($0) && $0 != padding })
    }

    /// Whether a byte is in the standard alphabet.
    package static func isSymbol(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    private static let padding = UInt8(ascii: "=")

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0d)
    }

    /// EVP_EncodeBlock writes four symbols per started group of three bytes, and a NUL.
    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4 + 1) { buffer, count in
            count = Int(EVP_EncodeBlock(buffer.baseAddress, bytes, Int32(bytes.count)))
        }
    }

    /// Decodes symbols without padding; surplus bits are ignored.
    private static func decoded(_ symbols: [UInt8]) -> [UInt8]? {
        // EVP_DecodeBlock ignores blanks and treats "-" as the end: exclude both.
        guard symbols.count % 4 != 1, symbols.allSatisfy(isSymbol) else { return nil }
        // All empty Swift arrays share one object: writing its count would be a data race.
        if symbols.isEmpty { return [] }
        let missing = (4 - symbols.count % 4) % 4
        let padded = symbols + [UInt8](repeating: padding, count: missing)
        let bytes = [UInt8](unsafeUninitializedCapacity: padded.count / 4 * 3) { buffer, count in
            let written = EVP_DecodeBlock(buffer.baseAddress, padded, Int32(padded.count))
            // EVP_DecodeBlock counts the bytes of the padding, too.
            count = max(0, Int(written) - missing)
        }
        return bytes.count == padded.count / 4 * 3 - missing ? bytes : nil
    }
}
