extension JSONParser {
    /// Parses a string whose opening quote is at `at`; moves `at` after the closing quote.
    ///
    /// Processes eight bytes at a time while they are plain ASCII; from an escape or a byte above
    /// 0x7F on, a slower method.
    mutating func string() throws(JSONFault) -> String {
        let open = at
        at += 1
        let start = at
        while at + 8 <= end {
            let word = UInt64(
                littleEndian: UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self))
            let special = Self.specialBytes(word)
            if special != 0 {
                at += special.trailingZeroBitCount >> 3
                break
            }
            at += 8
        }
        var isASCII = true
        while at < end {
            let byte = base[at]
            if byte == UInt8(ascii: "\"") {
                let string = text(start, at)
                at += 1
                if !isASCII { try checkMarks(string, open) }
                return string
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(open) }
            if byte >= 0x80 {
                isASCII = false
                at = try scalarEnd(at, open)
            } else if byte < 0x20 {
                throw JSONFault(kind: .controlCharacter, offset: at, opened: open)
            } else {
                at += 1
            }
        }
        throw JSONFault(kind: .unterminatedString, offset: at, opened: open)
    }

    private func checkMarks(_ string: String, _ open: Int) throws(JSONFault) {
        if CombiningMarks.exceedRow(string) {
            throw JSONFault(kind: .combiningMarks, offset: open, opened: open)
        }
    }

    /// The top bit of each byte that ends the fast path: a control character, a quote, a backslash,
    /// or anything above 0x7F. Borrows propagate upward only, so the lowest bit set is always
    /// correct (the classic `haszero`); in little-endian order that is the first such byte.
    @inline(__always)
    private static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- (ones &* 0x20)) & ~word
        let found = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | word
        return found & (ones &* 0x80)
    }

    /// The same from the first escape on, into a buffer.
    private mutating func escapedString(_ open: Int) throws(JSONFault) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity((at - open) * 2)
        decoded.append(
            contentsOf: UnsafeBufferPointer(start: base + open + 1, count: at - open - 1))
        while at < end {
            let byte = base[at]
            if byte == UInt8(ascii: "\"") {
                at += 1
                let string = String(decoding: decoded, as: UTF8.self)
                try checkMarks(string, open)
                return string
            }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &decoded, open)
            } else if byte >= 0x80 {
                let next = try scalarEnd(at, open)
                while at < next {
                    decoded.append(base[at])
                    at += 1
                }
            } else if byte < 0x20 {
                throw JSONFault(kind: .controlCharacter, offset: at, opened: open)
            } else {
                decoded.append(byte)
                at += 1
            }
        }
        throw JSONFault(kind: .unterminatedString, offset: at, opened: open)
    }

    private mutating func escape(into decoded: inout [UInt8], _ open: Int) throws(JSONFault) {
        let start = at
        guard at + 1 < end else {
            throw JSONFault(kind: .unterminatedString, offset: end, opened: open)
        }
        let plain: UInt8
        switch base[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = base[at + 1]
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            at += 2
            var code = try hexadecimal(start, open)
            if (0xDC00...0xDFFF).contains(code) {
                throw JSONFault(kind: .loneSurrogate, offset: start, opened: open)
            }
            if (0xD800...0xDBFF).contains(code) {
                // RFC 8259 section 7: a character outside the basic plane is a pair of escapes.
                guard at + 1 < end, base[at] == UInt8(ascii: "\\"),
                    base[at + 1] == UInt8(ascii: "u")
                else { throw JSONFault(kind: .loneSurrogate, offset: start, opened: open) }
                let second = at
                at += 2
                let low = try hexadecimal(second, open)
                guard (0xDC00...0xDFFF).contains(low) else {
                    throw JSONFault(kind: .loneSurrogate, offset: start, opened: open)
                }
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            }
            if let scalar = Unicode.Scalar(code) {
                decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
            return
        default:
            throw JSONFault(kind: .invalidEscape, offset: start, opened: open)
        }
        decoded.append(plain)
        at += 2
    }

    private mutating func hexadecimal(_ escape: Int, _ open: Int) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard at < end else {
                throw JSONFault(kind: .unterminatedString, offset: end, opened: open)
            }
            let byte = base[at]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONFault(kind: .invalidEscape, offset: escape, opened: open)
            }
            code = code << 4 | UInt32(digit)
            at += 1
        }
        return code
    }

    /// The offset after the UTF-8 scalar at `start`, by the table of RFC 3629 section 4: no
    /// overlong form, no surrogate, nothing above U+10FFFF.
    private func scalarEnd(_ start: Int, _ open: Int) throws(JSONFault) -> Int {
        guard let length = UTF8Scalar.length(base, at: start, end: end) else {
            throw JSONFault(kind: .invalidUTF8, offset: start, opened: open)
        }
        return start + length
    }
}

/// Well-formed UTF-8, RFC 3629 section 4.
enum UTF8Scalar {
    /// The length of the scalar at `start`; nil if it is not well-formed.
    static func length(_ base: UnsafePointer<UInt8>, at start: Int, end: Int) -> Int? {
        let lead = base[start]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: length = 3
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF4:
            length = 4
            second = 0x80...0x8F
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard start + length <= end, second.contains(base[start + 1]) else { return nil }
        for index in 2..<max(2, length) where base[start + index] & 0xC0 != 0x80 { return nil }
        return length
    }
}
