import Testing

@testable import AppSiteAssociation

@Suite struct OtherTextTests {
    private func found(_ text: String) -> (JSONError.Reason, String)? {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: text) }
        return error.map { ($0.reason, $0.message) }
    }

    @Test(arguments: [
        ("---\nlayout: null\n---\n{}", JSONError.Reason.sourceCode, "front matter"),
        ("--- a/x.json\n+++ b/x.json\n@@ -1 +1 @@\n", .sourceCode, "a patch"),
        ("User-agent: *\nDisallow: /\n", .sourceCode, "a robots.txt"),
        ("7b226170706c696e6b73223a7b7d7d\n", .sourceCode, "hexadecimal"),
        ("https://example.com/.well-known/apple-app-site-association\n", .sourceCode, "a URL"),
        ("%7B%22applinks%22%3A%7B%7D%7D", .sourceCode, "percent-encoded"),
        ("---\napplinks:\n  details: []\n", .sourceCode, "YAML"),
        ("applinks:\n  details: []\n", .sourceCode, "YAML"),
        ("[applinks]\ndetails = []\n", .sourceCode, "TOML"),
        ("```json\n{}\n```\n", .sourceCode, "Markdown"),
        ("eyJhcHBsaW5rcyI6e319", .sourceCode, "Base64"),
        ("cat <<EOF\n{}\nEOF\n", .sourceCode, "program"),
        ("  % Total    % Received\n{}", .errorText, "program"),
        ("<?php header('a'); ?>\n{}", .sourceCode, "PHP"), ("<?= $x ?>", .sourceCode, "PHP"),
        ("{% raw %}{}{% endraw %}", .sourceCode, "template"), ("<%= x %>", .sourceCode, "template"),
        ("export default {}", .sourceCode, "program"),
        ("module.exports = {}", .sourceCode, "program"),
        ("const a = {};", .sourceCode, "program"), ("app.get('/x', f)", .sourceCode, "program"),
        ("callback({\"applinks\": {}})", .sourceCode, "program"),
        ("404: Not Found", .errorText, "download"), ("Not Found\n", .errorText, "download"),
        ("403 Forbidden", .errorText, "download"), ("Error 502: x", .errorText, "download"),
        ("curl: (6) Could not resolve host", .errorText, "download"),
        ("Cannot GET /.well-known/apple-app-site-association", .errorText, "download"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d", .errorText, "LFS"),
        ("error code: 1020", .errorText, "download"),
        ("$ANSIBLE_VAULT;1.1;AES256\n6162", .errorText, "Vault"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n", .sourceCode, "patch"),
        (")]}',\n{}", .sourceCode, "scripts"),
        ("/.well-known/apple-app-site-association /aasa 200", .sourceCode, "redirects"),
        ("Warning: x in a.php on line 2\n{}", .errorText, "program"),
        ("<br />\n<b>Notice</b>: x\n{}", .errorText, "program"),
        ("{\n<<<<<<< HEAD\n\"a\": 1\n=======\n>>>>>>> b\n}", .mergeConflict, "merge"),
        ("<html><title>Just a moment...</title>", .html, "bot filter"),
        ("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", .xml, "AccessDenied"),
        ("<!-- x --> {}", .comment, "before the JSON"),
    ])
    func namesWhatStandsThere(_ text: String, _ reason: JSONError.Reason, _ part: String) {
        #expect(found(text)?.0 == reason)
        #expect(found(text)?.1.contains(part) == true, "\(found(text)?.1 ?? "")")
    }

    @Test(arguments: [
        ("{\"a\": 1,}", JSONError.Reason.trailingComma), ("applinks: {}", .unquotedString),
        ("{ applinks: {} }", .unquotedKey), ("12 x", .extraContent),
        ("{\"a\": \"<<<<<<< \"", .truncated), ("[applinks, x]", .unquotedString),
        ("eyJ", .unquotedString), ("a/b", .unquotedString), ("[1] x", .extraContent),
    ])
    func leavesJSONToTheParser(_ text: String, _ reason: JSONError.Reason) {
        #expect(found(text)?.0 == reason)
    }
}
