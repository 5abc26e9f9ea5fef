import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct FileKindTests {
    private func error(_ bytes: [UInt8]) -> JSONError? {
        #expect(throws: JSONError.self) {
            try JSONReader.read(SourceText(name: "f.json", bytes: bytes))
        }
    }

    private func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    @Test(arguments: [
        ("{\\rtf1\\ansi {}}", "json-rich-text", 0, "Rich Text"),
        ("\n<!DOCTYPE html><html></html>", "json-html", 1, "HTML"),
        ("<HTML>", "json-html", 0, "HTML"),
        ("<head>", "json-html", 0, "HTML"), ("<body>", "json-html", 0, "HTML"),
        ("<!-- -->", "json-html", 0, "HTML"),
        ("<?xml version=\"1.0\"?><plist/>", "json-xml", 0, "XML"),
        ("<!DOCTYPE plist PUBLIC>", "json-xml", 0, "XML"),
        ("\u{B}\u{C} <plist>", "json-xml", 3, "XML"),
        ("bplist00", "json-binary-property-list", 0, "binary property list"),
        ("MIME-Version: 1.0\n\n", "json-signed-mime", 0, "S/MIME"),
        ("Content-Type: x\n", "json-signed-mime", 0, "S/MIME"),
        ("content-disposition: x\n", "json-signed-mime", 0, "S/MIME"),
        ("-----BEGIN PKCS7-----\n", "json-pem", 0, "PEM"),
        ("HTTP/1.1 200 OK\n\n{}", "json-http-headers", 0, "HTTP response"),
        ("HTTP/2 200\n\n{}", "json-http-headers", 0, "HTTP response"),
    ]) func textsAreKnownByTheirBeginning(
        _ text: String, _ code: String, _ offset: Int, _ word: String
    ) {
        let found = error(text)
        #expect(found?.code == code && found?.offset == offset)
        expectEqual(found?.message.contains(word), true)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "json-utf16", "UTF-16"),
            ([0xFE, 0xFF, 0, 0x7B, 0, 0x7D], "json-utf16", "UTF-16"),
            ([0x7B, 0, 0x7D, 0], "json-utf16", "UTF-16"),
            ([0, 0x7B, 0, 0x7D], "json-utf16", "UTF-16"),
            ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "json-utf16", "UTF-32"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x7B], "json-utf16", "UTF-32"),
            ([0, 0, 0, 0x7B], "json-utf16", "UTF-32BE"), ([0], "json-binary", "NUL"),
            ([0, 0, 0, 0, 0, 0], "json-binary", "NUL"),
            ([0, 0, 0, 0, 0x7B], "json-binary", "binary file"),
            ([0x1F, 0x8B, 8, 0], "json-compressed", "gzip"),
            ([0x50, 0x4B, 3, 4], "json-compressed", "zip"),
            ([0x50, 0x4B, 5, 6], "json-compressed", "zip"),
            ([0x89, 0x50, 0x4E, 0x47], "json-binary", "PNG"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "json-binary", "JPEG"),
            (Array("GIF89a".utf8), "json-binary", "GIF"),
            (Array("%PDF-1.4\n".utf8), "json-binary", "PDF"),
            ([0x7F, 0x45, 0x4C, 0x46, 2, 0, 1], "json-binary", "binary file"),
            ([0x30, 0x82, 0x01, 0x00, 0x06, 0x09, 0x2A, 0x86], "json-signed-der", "CMS"),
            ([0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86], "json-signed-der", "CMS"),
            ([0x30, 0x84, 0, 0, 1, 0, 0x06], "json-signed-der", "CMS"),
        ] as [([UInt8], String, String)])
    func bytesAreKnownByTheirBeginning(
        _ bytes: [UInt8], _ code: String, _ word: String
    ) {
        let found = error(bytes)
        #expect(found?.code == code && found?.offset == 0)
        expectEqual(found?.message.contains(word), true)
        expectEqual(found?.remedy.isEmpty, false)
    }

    /// What only looks alike is a fault of JSON's grammar.
    @Test(
        arguments: [
            // An odd number of bytes is no UTF-16, nor two NULs, nor one behind the first two.
            [0x7B, 0, 0x7D], [0, 0, 0x7B, 0x7D], [0x7B, 0x7D, 0, 0x7B],
            // A length of one byte, one of five, no identifier behind it, and too few bytes.
            [0x30, 0x06, 0x06, 0x04, 0x2A, 0x86, 0x48], [0x30, 0x85, 0, 0, 0, 1, 0, 0x06],
            [0x30, 0x82, 0x01, 0x00, 0x04, 0x09, 0x2A], [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86],
            [0x31, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48],
            // Half of a signature.
            [0x1F], [0x50, 0x4B, 0x03], [0xFF],
            Array("<htm".utf8), Array("http/1".utf8), Array("Mime-Version".utf8),
        ] as [[UInt8]])
    func whatOnlyLooksAlikeIsNone(_ bytes: [UInt8]) {
        let files: Set<String> = [
            "json-utf16", "json-signed-der", "json-compressed", "json-html", "json-http-headers",
            "json-signed-mime",
        ]
        expectEqual(error(bytes).map { files.contains($0.code) }, false)
    }

    /// One cause, one finding: what follows in the file is no text, either.
    @Test func nothingElseIsSoughtInABinaryFile() throws {
        let source = SourceText(
            name: "p.png", bytes: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49])
        expectEqual(Linter.lint(source, as: .association).map(\.code), ["json-binary"])
    }

    /// 64 characters of Base64 that begin as a long SEQUENCE does.
    @Test func base64IsKnownByItsLength() {
        let base = "MIIEiQYJKoZIhvcN+/09" + String(repeating: "aZ", count: 22)
        expectEqual(base.utf8.count, 64)
        expectEqual(error("\n" + base + "\nAQcC")?.code, "json-pem")
        expectEqual(error("\n" + base)?.offset, 1)
        expectEqual(error(base)?.message.contains("Base64"), true)
        expectEqual(error(String(base.dropLast()))?.code, "json-unquoted-string")
        expectEqual(error("M" + base)?.code, "json-unquoted-string")
        expectEqual(error(String(base.dropLast()) + " ")?.code, "json-unquoted-string")
    }

    @Test func nothingIsToldFromBlanks() {
        expectEqual(error("")?.message, "the file is empty")
        let blank = error(" \n\t\u{B}")
        #expect(blank?.code == "json-empty" && blank?.offset == 4)
        expectEqual(blank?.message, "the file contains only white space")
    }

    /// What reads as JSON is JSON, whatever it begins with.
    @Test func onlyWhatIsNotReadIsAskedFor() throws {
        try expectEqual(JSONReader.read(text: "\"<html>\"").root.string, "<html>")
        try expectEqual(JSONReader.read(text: "\"HTTP/1.1\"").root.string, "HTTP/1.1")
    }

    @Test(arguments: [
        ("---\nlayout: null\n---\n{}", "json-source-code", "front matter"),
        ("--- a/x.json\n+++ b/x.json\n@@ -1 +1 @@\n", "json-source-code", "a patch"),
        ("User-agent: *\nDisallow: /\n", "json-source-code", "a robots.txt"),
        ("7b226170706c696e6b73223a7b7d7d\n", "json-source-code", "hexadecimal"),
        (
            "https://example.com/.well-known/apple-app-site-association\n", "json-source-code",
            "a URL"
        ),
        ("%7B%22applinks%22%3A%7B%7D%7D", "json-source-code", "percent-encoded"),
        ("---\napplinks:\n  details: []\n", "json-source-code", "YAML"),
        ("applinks:\n  details: []\n", "json-source-code", "YAML"),
        ("[applinks]\ndetails = []\n", "json-source-code", "TOML"),
        ("```json\n{}\n```\n", "json-source-code", "Markdown"),
        ("eyJhcHBsaW5rcyI6e319", "json-source-code", "Base64"),
        ("cat <<EOF\n{}\nEOF\n", "json-source-code", "program"),
        ("  % Total    % Received\n{}", "json-error-text", "program"),
        ("<?php header('a'); ?>\n{}", "json-source-code", "PHP"),
        ("<?= $x ?>", "json-source-code", "PHP"),
        ("{% raw %}{}{% endraw %}", "json-source-code", "template"),
        ("<%= x %>", "json-source-code", "template"),
        ("export default {}", "json-source-code", "program"),
        ("module.exports = {}", "json-source-code", "program"),
        ("const a = {};", "json-source-code", "program"),
        ("app.get('/x', f)", "json-source-code", "program"),
        ("callback({\"applinks\": {}})", "json-source-code", "program"),
        ("404: Not Found", "json-error-text", "download"),
        ("Not Found\n", "json-error-text", "download"),
        ("403 Forbidden", "json-error-text", "download"),
        ("Error 502: x", "json-error-text", "download"),
        ("curl: (6) Could not resolve host", "json-error-text", "download"),
        ("Cannot GET /.well-known/apple-app-site-association", "json-error-text", "download"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d", "json-error-text", "LFS"),
        ("error code: 1020", "json-error-text", "download"),
        ("$ANSIBLE_VAULT;1.1;AES256\n6162", "json-error-text", "Vault"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n", "json-source-code", "patch"),
        (")]}',\n{}", "json-source-code", "scripts"),
        ("/.well-known/apple-app-site-association /aasa 200", "json-source-code", "redirects"),
        ("Warning: x in a.php on line 2\n{}", "json-error-text", "program"),
        ("<br />\n<b>Notice</b>: x\n{}", "json-error-text", "program"),
        ("{\n<<<<<<< HEAD\n\"a\": 1\n=======\n>>>>>>> b\n}", "json-merge-conflict", "merge"),
        ("<html><title>Just a moment...</title>", "json-html", "bot filter"),
        (
            "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "json-xml",
            "AccessDenied"
        ),
        ("<!-- x --> {}", "json-comment", "before the JSON"),
    ])
    func namesWhatStandsThere(_ text: String, _ code: String, _ part: String) {
        let found = error(text)
        expectEqual(found?.code, code)
        expectEqual(found?.message.contains(part), true, "\(found?.message ?? "")")
    }

    @Test(arguments: [
        ("{\"a\": 1,}", "json-trailing-comma"), ("applinks: {}", "json-unquoted-string"),
        ("{ applinks: {} }", "json-unquoted-key"), ("12 x", "json-extra-content"),
        ("{\"a\": \"<<<<<<< \"", "json-truncated"), ("[applinks, x]", "json-unquoted-string"),
        ("eyJ", "json-unquoted-string"), ("a/b", "json-unquoted-string"),
        ("[1] x", "json-extra-content"),
    ])
    func leavesJSONToTheParser(_ text: String, _ code: String) {
        expectEqual(error(text)?.code, code)
    }

    /// The kinds are read from a file: each names a finding, and says what it is.
    @Test func everyKindIsComplete() {
        #expect(FileKind.kinds.count > 40)
        let conditions: Set = ["begins", "opens", "holds", "base64", "test"]
        let texts: Set = ["code", "message", "fix", "underlined"]
        for kind in FileKind.kinds {
            let keys = Set((kind.members ?? []).map(\.key))
            #expect(keys.isSubset(of: conditions.union(texts)))
            #expect(!keys.isDisjoint(with: conditions))
            #expect(RuleCatalog.rule(kind["code"]?.string ?? "") != nil)
            expectEqual(kind["message"]?.string?.isEmpty, false)
            let test = kind["test"]?.string
            #expect(test.map { FileKind.Test(rawValue: $0) != nil } ?? true, "\(test ?? "")")
        }
    }
}
