/// Finds errors after the first: each is repaired in a copy, without moving a byte, and parsing
/// continues.
///
/// Only unambiguous mistakes are repaired (an extra comma, a comment, quotes of the wrong kind): a
/// missing bracket would make everything after it an error.
extension JSONReader {
    /// Maximum of further errors.
    static let furtherFaultsMaximum = 20
    /// Maximum of bytes parsed for them: each needs a pass from the beginning.
    private static let furtherBytes = 4 << 20

    /// The errors after `first`, in order; empty if they cannot be found.
    public static func furtherFaults(after first: JSONError, in source: SourceText) -> [JSONError] {
        let size = max(1, source.bytes.count)
        let rounds = min(furtherFaultsMaximum, furtherBytes / size)
        guard rounds > 0, size <= JSONLimits.standard.bytesMaximum else { return [] }
        var found: [JSONError] = []
        var known: Set<Range<Int>> = [first.diagnostic.range ?? 0..<0]
        var fault = first
        var bytes = source.bytes
        for _ in 0..<rounds {
            guard JSONRepair.mend(&bytes, fault) else { break }
            let mended = SourceText(name: source.name, bytes: bytes)
            do throws(JSONError) {
                _ = try read(mended)
                break
            } catch {
                // The parser may report a repaired place again.
                if known.insert(error.diagnostic.range ?? 0..<0).inserted {
                    found.append(error.placed(in: source))
                }
                if error.offset < fault.offset { break }
                fault = error
            }
        }
        return found
    }
}

extension JSONError {
    /// The same error with the excerpt of the original document.
    fileprivate func placed(in source: SourceText) -> JSONError {
        JSONError(
            reason, in: source, at: diagnostic.range ?? offset..<offset, message, remedy: remedy)
    }
}

/// Overwrites an error with valid text of the same length.
private enum JSONRepair {
    /// - Returns: whether parsing can continue.
    static func mend(_ bytes: inout [UInt8], _ fault: JSONError) -> Bool {
        guard let range = fault.diagnostic.range, range.upperBound <= bytes.count,
            !range.isEmpty
        else { return false }
        switch fault.reason {
        case .trailingComma, .byteOrderMark, .unicodeSpace, .controlCharacter:
            // A string that crosses the end of its line has no known end.
            if bytes[range.lowerBound] == 0x0A || bytes[range.lowerBound] == 0x0D { return false }
            blank(&bytes, range)
        case .comment: comment(&bytes, range.lowerBound)
        case .invalidEscape, .loneSurrogate, .invalidUTF8:
            for index in range { bytes[index] = UInt8(ascii: "_") }
        case .invalidNumber:
            var end = range.upperBound
            while end < bytes.count, isWord(bytes[end]) || bytes[end] == UInt8(ascii: "+") {
                end += 1
            }
            for index in range.lowerBound..<end { bytes[index] = UInt8(ascii: "1") }
        case .invalidLiteral, .unquotedKey, .unquotedString: return quote(&bytes, range)
        case .singleQuote: return closing(&bytes, range.lowerBound)
        case .smartQuote: return smart(&bytes, range)
        case .missingComma: return comma(&bytes, before: range.lowerBound)
        case .missingValue where bytes[range.lowerBound] == UInt8(ascii: ","):
            // An extra comma, or a missing value before it.
            blank(&bytes, range)
        default: return false
        }
        return true
    }

    private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
        for index in range { bytes[index] = 0x20 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            || "_-$.".utf8.contains(byte)
    }

    private static func comment(_ bytes: inout [UInt8], _ start: Int) {
        let isBlock = start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "*")
        var end = start
        if isBlock {
            end = start + 2
            while end < bytes.count,
                !(bytes[end] == UInt8(ascii: "/") && bytes[end - 1] == UInt8(ascii: "*")
                    && end > start + 2)
            {
                end += 1
            }
            end = min(end + 1, bytes.count)
        } else {
            while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        }
        blank(&bytes, start..<end)
    }

    /// A bare word becomes a string of the same length.
    private static func quote(_ bytes: inout [UInt8], _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        while end < bytes.count, isWord(bytes[end]) { end += 1 }
        guard end - range.lowerBound >= 2 else { return false }
        bytes[range.lowerBound] = UInt8(ascii: "\"")
        for index in (range.lowerBound + 1)..<(end - 1) { bytes[index] = UInt8(ascii: "_") }
        bytes[end - 1] = UInt8(ascii: "\"")
        return true
    }

    /// `'text'` on one line becomes `"text"`.
    private static func closing(_ bytes: inout [UInt8], _ start: Int) -> Bool {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "'") {
            if bytes[end] == 0x0A || bytes[end] == UInt8(ascii: "\"") { return false }
            end += 1
        }
        guard end < bytes.count else { return false }
        bytes[start] = UInt8(ascii: "\"")
        bytes[end] = UInt8(ascii: "\"")
        return true
    }

    /// Typographic quotes around a text on one line become straight ones.
    private static func smart(_ bytes: inout [UInt8], _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        while end + 2 < bytes.count, bytes[end] != 0x0A, bytes[end] != UInt8(ascii: "\"") {
            // U+2018 to U+201F: E2 80 98 to E2 80 9F.
            if bytes[end] == 0xE2, bytes[end + 1] == 0x80, (0x98...0x9F).contains(bytes[end + 2]) {
                bytes[range.upperBound - 1] = UInt8(ascii: "\"")
                blank(&bytes, range.lowerBound..<range.upperBound - 1)
                bytes[end] = UInt8(ascii: "\"")
                blank(&bytes, end + 1..<end + 3)
                return true
            }
            end += 1
        }
        return false
    }

    /// Replaces a preceding blank by a comma.
    private static func comma(_ bytes: inout [UInt8], before start: Int) -> Bool {
        guard start > 0, bytes[start - 1] <= 0x20 else { return false }
        bytes[start - 1] = UInt8(ascii: ",")
        return true
    }
}
