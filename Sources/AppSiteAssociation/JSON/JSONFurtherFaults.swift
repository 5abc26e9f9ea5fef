/// Faults behind the first: what is wrong at one place is mended in a copy, without moving a byte,
/// and reading goes on.
///
/// Only slips whose meaning is beyond doubt are mended (a comma too many, a comment, quotes of the
/// wrong kind): behind a bracket that is missing, everything would be a fault.
extension JSONReader {
    /// Faults that are told beside the first.
    static let furtherFaultsMaximum = 20
    /// Bytes that are read for them: each needs the document from its beginning.
    private static let furtherBytes = 4 << 20

    /// What is wrong behind `first`, in order; empty where that cannot be told.
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
                // The reader may see a mended place again; it was told already.
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
    /// The same fault with the excerpt of the document as it was written.
    fileprivate func placed(in source: SourceText) -> JSONError {
        JSONError(
            reason, in: source, at: diagnostic.range ?? offset..<offset, message, remedy: remedy)
    }
}

/// Overwrites a fault by something of the same length that reads.
private enum JSONRepair {
    /// - Returns: whether reading can go on.
    static func mend(_ bytes: inout [UInt8], _ fault: JSONError) -> Bool {
        guard let range = fault.diagnostic.range, range.upperBound <= bytes.count,
            !range.isEmpty
        else { return false }
        switch fault.reason {
        case .trailingComma, .byteOrderMark, .unicodeSpace, .controlCharacter:
            // A string that runs over the end of its line has no end that could be told.
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
            // A comma too many, or a value that is missing before it.
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

    /// A blank in front takes the comma.
    private static func comma(_ bytes: inout [UInt8], before start: Int) -> Bool {
        guard start > 0, bytes[start - 1] <= 0x20 else { return false }
        bytes[start - 1] = UInt8(ascii: ",")
        return true
    }
}
