/// Detects the actual type of a file that should be JSON, from its first bytes.
///
/// Only used after parsing failed: then the wrong type is the cause, and the position of the syntax
/// error would not help.
enum FileSignature {
    /// `UTF-16` or `UTF-32`, if the first bytes say so.
    static func wideEncoding(_ source: SourceText) -> String? {
        let bytes = source.bytes
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32"
        }
        let isUTF16 =
            bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || (bytes.count > 1 && bytes.count % 2 == 0 && (bytes[0] == 0) != (bytes[1] == 0))
        return isUTF16 ? "UTF-16" : nil
    }

    private static func contains(_ word: String, _ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(65_536), as: UTF8.self).lowercased().contains(word)
    }

    static func recognize(_ source: SourceText) -> JSONError? {
        let bytes = source.bytes
        let mark = source.hasByteOrderMark ? 3 : 0
        let start = bytes[mark...].firstIndex { !isBlank($0) } ?? bytes.count
        let head = Array(bytes[start..<min(start + 64, bytes.count)])
        func starts(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { text in
                head.count >= text.count
                    && zip(head, text).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
            }
        }
        func error(
            _ reason: JSONError.Reason, length: Int = 1, _ message: String, _ remedy: String
        ) -> JSONError {
            JSONError(
                reason, in: source, at: start..<min(start + length, bytes.count), message,
                remedy: remedy)
        }

        if start == bytes.count {
            return JSONError(
                .empty, in: source, at: bytes.count..<bytes.count,
                bytes.isEmpty
                    ? "the file is empty" : "the file contains only white space",
                remedy: "publish the document; check that the upload or the build step that makes "
                    + "it did not fail")
        }
        if let wide = wideEncoding(source) {
            return error(
                .utf16, length: wide == "UTF-32" ? 4 : 2,
                "the file is encoded as \(wide); JSON on the web is UTF-8",
                "save it as UTF-8 without a byte order mark "
                    + "(iconv -f \(wide == "UTF-32" ? "utf-32" : "utf-16") -t utf-8)")
        }
        if starts("{\\rtf") {
            return error(
                .richText, length: 5,
                "this is a Rich Text document (as TextEdit saves by default), not JSON",
                "in TextEdit choose Format > Make Plain Text and save again, or use a code editor")
        }
        if contains("<error>", bytes), starts("<?xml") || starts("<error") {
            return error(
                .xml, length: 5,
                contains("accessdenied", bytes)
                    ? "this is the error AccessDenied of S3: the object is missing, or it may not be read"
                    : "this is an error of a file store in XML, not the document",
                "upload the document under its exact name, and let everybody read it")
        }
        if starts("<!--"), let end = bytes.firstIndex(of: UInt8(ascii: ">")),
            bytes[(end + 1)...].first(where: { !isBlank($0) }) == UInt8(ascii: "{")
        {
            return error(
                .comment, length: 4, "a comment comes before the JSON, and JSON has no comments",
                "remove it")
        }
        if starts("<?xml") || starts("<!doctype plist") || starts("<plist") {
            return error(
                .xml, length: 5, "this is XML (a property list, or an error page), not JSON",
                "publish the JSON document itself; for a property list: plutil -convert json FILE")
        }
        if starts("<!doctype") || starts("<html") || starts("<head") || starts("<body")
            || starts("<!--")
        {
            let isChallenge = ["captcha", "challenge", "just a moment", "attention required"]
                .contains { contains($0, bytes) }
            if isChallenge {
                return error(
                    .html, length: 5,
                    "this is the page with which a bot filter asks for a person, not the document",
                    "let everybody read the file without a challenge, Apple's AASA-Bot included")
            }
            return error(
                .html, length: 5,
                "this is an HTML page, not JSON: what a site answers when the file is missing and "
                    + "a "
                    + "catch-all page takes its place",
                "publish the file at /.well-known/apple-app-site-association before the catch-all"
            )
        }
        if head.starts(with: Array("bplist".utf8)) {
            return error(
                .binaryPropertyList, length: 6, "this is a binary property list, not JSON",
                "convert it: plutil -convert json FILE")
        }
        if starts("mime-version:") || starts("content-type:") || starts("content-disposition:") {
            return error(
                .signedMIME, length: 13,
                "this is a mail-style S/MIME message; the signed form that Apple reads is DER",
                "sign it with aasa sign (or openssl smime -sign -binary -nodetach -outform DER)")
        }
        if starts("-----begin") {
            return error(
                .pem, length: 10, "this is a PEM block; the signed form that Apple reads is DER",
                "convert it: openssl cms -cmsout -inform PEM -outform DER -in FILE -out FILE.der")
        }
        if isBase64OfDER(bytes[start...]) {
            return error(
                .pem, length: 3,
                "this is Base64, as of a signed document or a certificate without its frame; the "
                    + "signed form that Apple reads is DER",
                "decode it: base64 -d FILE > FILE.der")
        }
        if starts("http/1.") || starts("http/2") {
            return error(
                .httpHeaders, length: 7, "the file begins with the header of an HTTP response",
                "keep only the body (curl without -i)")
        }
        if head.starts(with: [0x1F, 0x8B]) {
            return error(
                .compressed, length: 2, "the file is compressed with gzip",
                "publish it uncompressed (gunzip); the server may compress it for each request"
            )
        }
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            return error(
                .compressed, length: 4, "this is a zip archive, not JSON", "unpack it first")
        }
        // SEQUENCE with a definite length of one to four bytes, or BER's indefinite length,
        // followed by an OBJECT IDENTIFIER: the start of CMS SignedData (RFC 5652 section 3).
        if bytes.count > 6, bytes[0] == 0x30, bytes[1] & 0x80 != 0 {
            let lengthBytes = Int(bytes[1] & 0x7F)
            if lengthBytes <= 4, bytes.count > 2 + lengthBytes, bytes[2 + lengthBytes] == 0x06 {
                return error(
                    .signedDER, length: 4,
                    "this is a signed (CMS) association file; the JSON is inside the signature",
                    "extract the JSON first: aasa verify FILE shows it, and other commands of aasa "
                        + "that read association files extract it automatically")
            }
        }
        return OtherText.recognize(bytes[start...]).map { other in
            JSONError(
                other.reason, in: source,
                at: start + other.offset..<min(start + other.offset + 3, bytes.count),
                other.message,
                remedy: other.remedy)
        }
    }

    /// A SEQUENCE of more than 127 bytes begins with "MI" in Base64; no JSON and no word is that
    /// long.
    private static func isBase64OfDER(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(64)
        guard head.count == 64, head.starts(with: "MI".utf8) else { return false }
        return head.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
