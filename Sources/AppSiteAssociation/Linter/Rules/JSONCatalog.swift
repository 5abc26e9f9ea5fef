/// The catalogue's texts for documents that are not JSON; the parser finds the errors.
enum JSONCatalog {
    static let rules = JSONError.Reason.allCases.map(rule)

    private static let good = LintExample(
        "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n")
    private static let strict =
        "Devices read the file with a strict JSON reader: one fault and nothing of it counts."
    private static let otherFile =
        "Devices look at the bytes, not at the name: what is not JSON (nor a signed form) is "
        + "refused."

    private static func json(
        _ reason: JSONError.Reason, _ title: String, _ remedy: String, _ bad: String,
        why: String = strict, padding: Int = 0
    ) -> LintRule {
        LintRule(
            reason.rawValue, .error, title, why: why, fix: remedy, .documented,
            "RFC 8259; Apple, Supporting associated domains",
            bad: LintExample(bad, padding: padding), good: good)
    }

    private static func file(
        _ reason: JSONError.Reason, _ title: String, _ remedy: String, _ bad: [UInt8]
    ) -> LintRule {
        LintRule(
            reason.rawValue, .error, title, why: otherFile, fix: remedy, .documented,
            "Apple, Supporting associated domains", bad: LintExample(bytes: bad), good: good)
    }

    /// Exhaustive, so that a new reason cannot be forgotten here.
    private static func rule(_ reason: JSONError.Reason) -> LintRule {
        switch reason {
        case .binaryPropertyList:
            file(
                reason, "a binary property list", "convert it: plutil -convert json",
                Array("bplist00".utf8) + [0xD1, 0x01, 0x02])
        case .byteOrderMark:
            LintRule(
                reason.rawValue, .warning, "a byte order mark in front",
                why: "RFC 8259 forbids it. Apple documents that its reader may meet one; whether "
                    + "Apple's CDN and every device read the file is not known.",
                fix: "save as UTF-8 without BOM", .documented, "RFC 8259, section 8.1",
                bad: LintExample(bytes: [0xEF, 0xBB, 0xBF] + good.bytes), good: good)
        case .combiningMarks:
            json(
                reason, "very many combining marks in a row", "remove them",
                "{ \"a" + String(repeating: "\u{301}", count: 31) + "\": {} }\n",
                why: "Unicode's Stream-Safe Text Format has 30 at most (Annex 15); comparing text "
                    + "with more takes ever longer, so it is not read here.")
        case .comment:
            json(
                reason, "a comment", "remove it; components may have a \"comment\" member",
                "{ // apps\n  \"applinks\": {} }\n")
        case .compressed:
            file(
                reason, "a compressed file", "publish it uncompressed",
                [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3])
        case .controlCharacter:
            json(
                reason, "a control character inside a string",
                "write it as an escape, or remove it",
                "{ \"app\u{1}links\": {} }\n")
        case .empty:
            json(
                reason, "an empty file", "publish the document; check the build step that makes it",
                "\n"
            )
        case .errorText:
            file(
                reason, "the text of an error", "publish the document, and download it again",
                Array("404: Not Found\n".utf8))
        case .extraContent:
            json(
                reason, "something behind the end of the document", "remove it",
                "{ \"applinks\": { \"details\": [] } }\nversion 2\n")
        case .html:
            file(
                reason, "an HTML page", "publish the file ahead of the site's catch-all page",
                Array("<!doctype html><title>Not found</title>\n".utf8))
        case .httpHeaders:
            file(
                reason, "the header of an HTTP response", "keep only the body (curl without -i)",
                Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}".utf8))
        case .invalidEscape:
            json(
                reason, "an escape that JSON does not have",
                "use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX", "{ \"app\\links\": {} }\n")
        case .invalidLiteral:
            json(
                reason, "a word that is not true, false or null",
                "write true, false or null in small letters",
                "{ \"applinks\": True }\n")
        case .invalidNumber:
            json(reason, "a number that is not one", "write it as JSON does", "{ \"a\": 01 }\n")
        case .invalidUTF8:
            file(
                reason, "bytes that are not UTF-8", "save the file as UTF-8",
                Array("{ \"caf".utf8) + [0xE9] + Array("\": {} }".utf8))
        case .loneSurrogate:
            json(
                reason, "half of a surrogate pair", "write both halves, or the character itself",
                "{ \"\\ud83d\": {} }\n")
        case .mergeConflict:
            file(
                reason, "a merge that was not finished", "decide between the two versions",
                Array("{\n<<<<<<< HEAD\n\"applinks\": {}\n=======\n>>>>>>> new\n}\n".utf8))
        case .mismatchedBracket:
            json(
                reason, "a bracket closed by the other kind", "match { with } and [ with ]",
                "{ \"applinks\": { \"details\": [ {} } } }\n")
        case .missingColon:
            json(
                reason, "a key without a colon", "write \"key\": value", "{ \"applinks\" {} }\n")
        case .missingComma:
            json(
                reason, "a comma is missing", "separate members and elements by commas",
                "{ \"applinks\": {} \"webcredentials\": {} }\n")
        case .missingValue:
            json(reason, "a key without a value", "write the value", "{ \"applinks\": }\n")
        case .outerBracesMissing:
            json(
                reason, "the outermost braces are missing", "wrap the whole file in { }",
                "\"applinks\": { \"details\": [] }\n")
        case .pem:
            file(
                reason, "a PEM block", "convert it to DER",
                Array("-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----\n".utf8))
        case .richText:
            file(
                reason, "a Rich Text document", "make it plain text in the editor",
                Array("{\\rtf1\\ansi { \"applinks\": {} } }".utf8))
        case .signedDER:
            file(
                reason, "a signed (CMS) file where plain JSON is read",
                "take the payload out first: aasa verify shows it",
                [0x30, 0x82, 0x01, 0x00, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D])
        case .signedMIME:
            file(
                reason, "a mail-style S/MIME message", "sign in DER form: aasa sign",
                Array("MIME-Version: 1.0\nContent-Type: application/pkcs7-mime\n\nMIIB\n".utf8))
        case .singleQuote:
            json(
                reason, "single quotes", "write double quotes", "{ 'applinks': {} }\n")
        case .smartQuote:
            json(
                reason, "typographic quotes", "write straight double quotes; turn smart quotes off",
                "{ \u{201C}applinks\u{201D}: {} }\n")
        case .sourceCode:
            file(
                reason, "the source of a program or a template instead of what it makes",
                "check what the server answers (aasa check)",
                Array("<?php header('Content-Type: application/json'); ?>\n{}\n".utf8))
        case .tooDeep:
            json(
                reason, "nested too deep", "flatten it",
                String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
                why: "Foundation's reader gives up at 512 levels, and so does this one.")
        case .tooLarge:
            json(
                reason, "too large to read", "Apple reads 131,072 bytes", "{}",
                why: "32 times what a device reads.", padding: JSONLimits.standard.bytesMaximum)
        case .trailingComma:
            json(
                reason, "a comma before a closing bracket", "remove it",
                "{ \"applinks\": { \"details\": [], } }\n")
        case .truncated:
            json(
                reason, "the end is missing",
                "close every bracket; check that the upload was complete",
                "{ \"applinks\": { \"details\": [\n")
        case .unexpectedByte:
            json(
                reason, "a character that no JSON value begins with", "remove it",
                "{ \"applinks\": @ }\n")
        case .unicodeSpace:
            json(
                reason, "a typographic space between the values", "write ordinary blanks",
                "{\u{2003}\"applinks\": {} }\n")
        case .unquotedKey:
            json(reason, "a key without quotes", "quote it", "{ applinks: {} }\n")
        case .unquotedString:
            json(
                reason, "a string without quotes", "quote it",
                "{ \"applinks\": { \"details\": [{ \"appID\": shop }] } }\n")
        case .utf16:
            file(
                reason, "a file in UTF-16", "save the file as UTF-8",
                [0xFF, 0xFE] + "{}".utf8.flatMap { [$0, 0] })
        case .xml:
            file(
                reason, "an XML file", "publish the JSON document itself",
                Array("<?xml version=\"1.0\"?><plist/>\n".utf8))
        }
    }
}
