import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LogTextTests {
    private func value(_ text: String) -> String {
        var line: [UInt8] = []
        LogText.appendValue(text, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    private func json(_ text: String) -> String {
        let line = LogText.json([("a", .text(text))])
        return String(String(decoding: line, as: UTF8.self).dropFirst(6).dropLast(3))
    }

    @Test func aPlainValueNeedsNoQuotes() {
        for text in ["a", "!", "~", "example.com:443", "/p?x", "##", "#[", "a##b["] {
            expectEqual(value(text), text)
        }
    }

    /// Whoever splits a line at blanks and `=` finds the fields that were written.
    @Test(arguments: [
        ("", #""""#), (" ", #"" ""#), ("a b", #""a b""#), ("a=b", #""a=b""#),
        ("\"", #""\"""#), ("\\", #""\\""#), ("ä", #""ä""#), ("a\u{7F}", #""a\u007f""#),
        ("a\nb", #""a\nb""#), ("##[x", "\"##\\u005bx\""),
    ])
    func anyOtherValueIsQuoted(_ text: String, _ written: String) {
        expectEqual(value(text), written)
    }

    /// RFC 8259 section 7: a reader of JSON gets back what was written.
    @Test(arguments: [
        "plain", "\"quoted\"", "back\\slash", "two\nlines\r\n", "\u{0}\u{1F}\u{7F}\u{9B}",
        "\u{202E}turned\u{2028}", "\u{E0001}beyond", "##[command", "ä 😀",
    ])
    func jsonComesBackAsItWas(_ text: String) throws {
        let written = json(text)
        let source = SourceText(name: "x", bytes: Array("\"\(written)\"".utf8))
        try expectEqual(JSONReader.read(source).root.string, text)
        for scalar in written.unicodeScalars {
            #expect(!InertText.isActive(scalar), "\(scalar.value)")
        }
    }

    /// `##[` begins a command of a CI runner, wherever it stands; nothing shorter does.
    @Test func aCommandIsBroken() {
        expectEqual(json("a ##[error]"), "a ##\\u005berror]")
        expectEqual(json("###[x"), "###\\u005bx")
        expectEqual(json("#[x ## [y"), "#[x ## [y")
        expectEqual(json("##a["), "##a[")
    }
}
