/// Makes text from a peer safe to display.
package enum PeerText {
    /// Replaces control characters and non-ASCII bytes by `?`.
    package static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.map {
                ($0 >= 0x20 && $0 < 0x7F) || $0 == 9 ? $0 : UInt8(ascii: "?")
            }, as: UTF8.self)
    }

    package static func printable(_ text: String) -> String { printable(text.utf8) }
}

extension Substring {
    package func trimmed(_ isBlank: (Character) -> Bool) -> Substring {
        var text = self
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }
}

extension StringProtocol {
    package var trimmingBlanks: String {
        String(Substring(self).trimmed { $0 == " " || $0 == "\t" })
    }

    /// Without white space and line ends around it: what variables and files that hold a secret
    /// often end with, as their writers add a line end.
    package var trimmingWhiteSpace: String {
        String(Substring(self).trimmed { $0.isWhitespace })
    }
}
