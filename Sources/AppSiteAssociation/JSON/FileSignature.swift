/// Detects the actual type of a file that should be JSON, from its first bytes.
///
/// Only used after parsing failed: then the wrong type is the cause, and the position of the syntax
/// error would not help.
enum FileSignature {
    /// A type, and how its files begin.
    private struct Kind {
        let code: String
        /// Any of these, in lower case.
        let starts: [[UInt8]]
        let message: String
        let remedy: String?

        init(
            _ code: String, _ starts: [String] = [], bytes: [[UInt8]] = [],
            _ message: String, _ remedy: String? = nil
        ) {
            self.code = code
            self.starts = starts.map { Array($0.utf8) } + bytes
            self.message = message
            self.remedy = remedy
        }
    }

    private static let kinds = [
        Kind(
            "json-rich-text", ["{\\rtf"],
            "this is a Rich Text document (as TextEdit saves by default), not JSON",
            "In TextEdit choose Format > Make Plain Text and save again, or use a code editor."),
        Kind(
            "json-xml", ["<?xml", "<!doctype plist", "<plist"],
            "this is XML (a property list, or an error page), not JSON"),
        Kind(
            "json-html", ["<!doctype", "<html", "<head", "<body", "<!--"],
            "this is an HTML page, not JSON: if the file is missing, sites often answer with a "
                + "catch-all page",
            "Make the server send the file itself, not the site's catch-all page."),
        Kind("json-binary-property-list", ["bplist"], "this is a binary property list, not JSON"),
        Kind(
            "json-signed-mime", ["mime-version:", "content-type:", "content-disposition:"],
            "this is a mail-style S/MIME message; the signed form that Apple reads is DER"),
        Kind(
            "json-pem", ["-----begin"],
            "this is a PEM block; the signed form that Apple reads is DER",
            "Convert it: openssl cms -cmsout -inform PEM -outform DER -in FILE -out FILE.der"),
        Kind(
            "json-http-headers", ["http/1.", "http/2"],
            "the file begins with the header of an HTTP response"),
        Kind(
            "json-compressed", bytes: [[0x1F, 0x8B]], "the file is compressed with gzip",
            "Publish it uncompressed (gunzip). The server may compress it for each request."),
        Kind(
            "json-compressed", bytes: [[0x70, 0x6B, 3, 4], [0x70, 0x6B, 5, 6]],
            "this is a zip archive, not JSON", "Unpack it first."),
        Kind("json-binary", bytes: [[0x89, 0x70, 0x6E, 0x67]], "this is a PNG image, not JSON"),
        Kind("json-binary", bytes: [[0xFF, 0xD8, 0xFF]], "this is a JPEG image, not JSON"),
        Kind("json-binary", ["gif8"], "this is a GIF image, not JSON"),
        Kind("json-binary", ["%pdf-"], "this is a PDF document, not JSON"),
        Kind(
            "json-error-text", ["version https://git-lfs"],
            "this is a pointer of Git LFS and not the file itself",
            "Run git lfs pull before the site is published, or keep the file out of LFS."),
        Kind(
            "json-error-text", ["$ansible_vault;"], "this file is encrypted with Ansible Vault",
            "Decrypt it before you publish it. An association document holds no secret."),
        Kind(
            "json-source-code", ["diff --git ", "--- a/", "index: "],
            "this is a patch and not the file that it changes",
            "Apply the patch (git apply), and publish the file."),
        Kind(
            "json-source-code", [")]}'"],
            ")]}' comes before the JSON, and only the site's own scripts skip it",
            "Serve the document without it."),
        Kind("json-source-code", ["user-agent:"], "this is a robots.txt, not the document"),
        Kind(
            "json-source-code", ["/.well-known/"],
            "this is a rule for redirects or headers of a web host, not the document"),
        Kind(
            "json-source-code", ["<?php", "<?="],
            "this is the source of a PHP page, not its output"),
        Kind(
            "json-source-code",
            [
                "<%", "{{", "{%", "{#", "@{", "#!", "<script", "<template", "export ", "import ",
                "module.exports", "exports.", "const ", "let ", "var ", "function", "async ",
                "app.", "router.", "server.", "return ", "return{", "'use ", "\"use ", "(function",
                "(()", "(async", "def ", "from ", "class ", "package ", "@app", "@get", "@router",
                "public ", "func ", "fn ", "use ", "location ", "server {", "resource ", "cat ",
                "echo ", "curl ", "tee ", "printf ",
            ], OtherText.sourceMessage),
    ]

    /// `UTF-16` or `UTF-32`, if the first bytes say so; without a mark with the order of the bytes.
    static func wideEncoding(_ source: SourceText) -> String? {
        let bytes = source.bytes
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32"
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "UTF-16"
        }
        // Without a mark: the zeros beside the first character.
        guard bytes.count > 1, bytes.count % 2 == 0,
            (bytes[0] == 0) != (bytes[1] == 0)
                || bytes.starts(with: [0, 0, 0]) && bytes.dropFirst(3).first != 0
        else { return nil }
        let isLittle = bytes[0] != 0
        let isUTF32 = bytes.count % 4 == 0 && bytes.prefix(4).count(where: { $0 == 0 }) == 3
        return (isUTF32 ? "UTF-32" : "UTF-16") + (isLittle ? "LE" : "BE")
    }

    private static func contains(_ word: String, _ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(65_536), as: UTF8.self).lowercased().contains(word)
    }

    static func recognize(_ source: SourceText) -> JSONError? {
        let bytes = source.bytes
        let mark = source.hasByteOrderMark ? 3 : 0
        let start = bytes[mark...].firstIndex { !isBlank($0) } ?? bytes.count
        let head = bytes[start...].prefix(64).map(\.asciiLowercased)
        func error(
            _ code: String, length: Int = 1, _ message: String, _ remedy: String? = nil
        ) -> JSONError {
            JSONError(
                code, in: source, at: start..<min(start + length, bytes.count), message,
                remedy: remedy)
        }

        if start == bytes.count {
            return error(
                "json-empty",
                bytes.isEmpty ? "the file is empty" : "the file contains only white space")
        }
        if bytes.allSatisfy({ $0 == 0 }) {
            return error(
                "json-binary",
                "the file contains only NUL bytes, as after a crash before its bytes reached the disk",
                "Restore it.")
        }
        if let wide = wideEncoding(source) {
            return error(
                "json-utf16", length: wide.hasPrefix("UTF-32") ? 4 : 2,
                "the file is encoded as \(wide); JSON on the web is UTF-8",
                "Save it as UTF-8 without a byte order mark "
                    + "(iconv -f \(wide.lowercased()) -t utf-8).")
        }
        if let special = markup(head, bytes) {
            return error(special.code, length: 5, special.message, special.remedy)
        }
        for kind in kinds {
            guard let match = kind.starts.first(where: { head.starts(with: $0) }) else { continue }
            return error(kind.code, length: match.count, kind.message, kind.remedy)
        }
        if isBase64OfDER(bytes[start...]) {
            return error(
                "json-pem", length: 3,
                "this is Base64, as of a signed document or a certificate without its frame; the "
                    + "signed form that Apple reads is DER",
                "Decode it: base64 -d FILE > FILE.der")
        }
        // SEQUENCE with a definite length of one to four bytes, or BER's indefinite length,
        // followed by an OBJECT IDENTIFIER: the start of CMS SignedData (RFC 5652 section 3).
        if bytes.count > 6, bytes[0] == 0x30, bytes[1] & 0x80 != 0 {
            let lengthBytes = Int(bytes[1] & 0x7F)
            if lengthBytes <= 4, bytes.count > 2 + lengthBytes, bytes[2 + lengthBytes] == 0x06 {
                return error(
                    "json-signed-der", length: 4,
                    "this is a signed (CMS) association file; the JSON is inside the signature",
                    "Extract the JSON with aasa verify --payload FILE. If that fails, the command "
                        + "reports why.")
            }
        }
        // A text has no NUL, and no document begins with a byte above ASCII.
        if !"{[\"".utf8.contains(bytes[start]), head.contains(0) {
            return error("json-binary", "this is a binary file, not JSON")
        }
        return OtherText.recognize(source, from: start)
    }

    /// Markup that is more than its type: what a store or a bot filter answers, and a comment
    /// before the JSON.
    private static func markup(_ head: [UInt8], _ bytes: [UInt8]) -> Kind? {
        guard head.first == UInt8(ascii: "<") else { return nil }
        let isPage = !head.starts(with: "<?".utf8) && !head.starts(with: "<error".utf8)
        if !isPage, contains("<error>", bytes) {
            return Kind(
                "json-xml", [],
                contains("accessdenied", bytes)
                    ? "this is S3's error AccessDenied: the object is missing or not readable"
                    : "this is a file store's XML error, not the document",
                "Upload the document under its exact name, and make it publicly readable.")
        }
        if head.starts(with: "<!--".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")),
            bytes[(end + 1)...].first(where: { !isBlank($0) }) == UInt8(ascii: "{")
        {
            return Kind(
                "json-comment", [], "a comment comes before the JSON, and JSON has no comments",
                "Remove it.")
        }
        let marks = ["captcha", "challenge", "just a moment", "attention required"]
        if isPage, marks.contains(where: { contains($0, bytes) }) {
            return Kind(
                "json-html", [],
                "this is the page with which a bot filter asks for a person, not the document",
                "Let every client read the file without a challenge, Apple's AASA-Bot included.")
        }
        return nil
    }

    /// A SEQUENCE of more than 127 bytes begins with "MI" in Base64; no JSON and no word is that
    /// long.
    private static func isBase64OfDER(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(64)
        return head.count == 64 && head.starts(with: "MI".utf8)
            && head.allSatisfy(OtherText.isBase64)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
