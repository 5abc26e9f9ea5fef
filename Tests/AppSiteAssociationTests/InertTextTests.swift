import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct InertTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("\u{1B}[31mred", "\\u001b[31mred"),
        ("a\r\nb", "a\\u000d\\u000ab"), ("\u{9B}31m", "\\u009b31m"), ("\u{7F}", "\\u007f"),
        ("\u{202E}gpj.exe", "\\u202egpj.exe"), ("\u{2066}x\u{2069}", "\\u2066x\\u2069"),
        ("a\u{200B}b\u{FEFF}", "a\\u200bb\\ufeff"), ("\u{2028}", "\\u2028"),
        ("\u{E0041}", "\\udb40\\udc41"), ("a\tb", "a\\u0009b"),
        ("::add-mask::x", "\\u003a:add-mask::x"), ("  ::stop", "  \\u003a:stop"),
        ("\n::set", "\\u000a\\u003a:set"), ("a::b", "a::b"), ("https://x", "https://x"),
        ("##[add-mask]x", "##\\u005badd-mask]x"), ("x ###[y]", "x ###\\u005by]"),
        ("#[x]", "#[x]"), ("é ü 日本 🎉", "é ü 日本 🎉"), ("/buy/*", "/buy/*"),
    ])
    func aPieceIsOneLine(text: String, expected: String) {
        expectEqual(InertText.piece(text), expected)
    }

    @Test(arguments: [
        ("a\n  b\tc\n", "a\n  b\tc\n"), ("a\n::add-mask::x", "a\n\\u003a:add-mask::x"),
        ("a\n\t ::x", "a\n\t \\u003a:x"), ("a\r::x", "a\\u000d::x"),
        ("\u{1B}]0;x\u{7}", "\\u001b]0;x\\u0007"),
    ])
    func ofLinesTheBreaksStay(text: String, expected: String) {
        expectEqual(InertText.lines(text), expected)
    }

    /// A JSON text that went through is the same value.
    @Test func jsonStaysTheSame() throws {
        let value = JSONValue.list([
            .text("\u{1B}\u{85}\u{202E}\u{E0041}##[x]::"), .object([("\u{200B}", .text(":"))]),
        ])
        let text = String(decoding: JSONWriter.indented(value), as: UTF8.self)
        let inert = InertText.lines(text)
        #expect(inert.unicodeScalars.allSatisfy { $0 == "\n" || !InertText.isActive($0) })
        let read = try JSONReader.read(text: inert)
        expectEqual(JSONWriter.minified(read.root), JSONWriter.minified(value))
    }

    /// Whatever is put in: nothing active is left, and nothing that begins a command.
    @Test func nothingGetsThrough() {
        for first in [":", "#", "[", " ", "\n", "\r", "\u{1B}", "\u{2028}", "a"] {
            for second in [":", "##[", "::", "\u{85}::", "\n::", "\u{200B}::"] {
                let text = first + second + first + second
                for inert in [InertText.piece(text), InertText.lines(text)] {
                    for line in inert.split(separator: "\n") {
                        #expect(!line.drop(while: \.isWhitespace).hasPrefix("::"), "\(text)")
                        #expect(!line.contains("##["), "\(text)")
                        #expect(line.unicodeScalars.allSatisfy { !InertText.isActive($0) })
                    }
                }
            }
        }
    }
}
