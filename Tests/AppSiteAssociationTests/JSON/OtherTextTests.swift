import Testing

@testable import AppSiteAssociation

@Suite struct OtherTextTests {
    private func found(_ text: String) -> (String, String)? {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: text) }
        return error.map { ($0.code, $0.message) }
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
        #expect(found(text)?.0 == code)
        #expect(found(text)?.1.contains(part) == true, "\(found(text)?.1 ?? "")")
    }

    @Test(arguments: [
        ("{\"a\": 1,}", "json-trailing-comma"), ("applinks: {}", "json-unquoted-string"),
        ("{ applinks: {} }", "json-unquoted-key"), ("12 x", "json-extra-content"),
        ("{\"a\": \"<<<<<<< \"", "json-truncated"), ("[applinks, x]", "json-unquoted-string"),
        ("eyJ", "json-unquoted-string"), ("a/b", "json-unquoted-string"),
        ("[1] x", "json-extra-content"),
    ])
    func leavesJSONToTheParser(_ text: String, _ code: String) {
        #expect(found(text)?.0 == code)
    }
}
