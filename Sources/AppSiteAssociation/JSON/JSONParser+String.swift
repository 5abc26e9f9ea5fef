extension JSONParser {
    /// Parses a string whose opening quote is at `at`; moves `at` after the closing quote.
    mutating func string() throws(JSONFault) -> String {
        let open = at
        at += 1
        /// The text up to the last escape, and where the rest begins.
        var decoded = ""
        var start = at
        while at < end {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                let string = decoded.isEmpty ? text(start, at) : decoded + text(start, at)
                at += 1
                guard !CombiningMarks.exceedRow(string) else {
                    throw JSONFault(kind: .combiningMarks, offset: open, opened: open)
                }
                return string
            }
            if byte == UInt8(ascii: "\\") {
                decoded += text(start, at)
                decoded.unicodeScalars.append(try escape(open))
                start = at
            } else if byte >= 0x80 {
                guard let length = UTF8Scalar.length(bytes[at...]) else {
                    throw JSONFault(kind: .invalidUTF8, offset: at, opened: open)
                }
                at += length
            } else if byte < 0x20 {
                throw JSONFault(kind: .controlCharacter, offset: at, opened: open)
            } else {
                at += 1
            }
        }
        throw JSONFault(kind: .unterminatedString, offset: at, opened: open)
    }

    /// The character that an escape stands for; moves `at` after the escape.
    private mutating func escape(_ open: Int) throws(JSONFault) -> Unicode.Scalar {
        let start = at
        guard start + 1 < end else {
            throw JSONFault(kind: .unterminatedString, offset: end, opened: open)
        }
        at += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(bytes[start + 1])
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = try hexadecimal(start, open)
            // RFC 8259 section 7: a character outside the basic plane is a pair of escapes.
            if (0xD800...0xDBFF).contains(code), at + 1 < end, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u")
            {
                let second = at
                at += 2
                let low = try hexadecimal(second, open)
                if (0xDC00...0xDFFF).contains(low) {
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                }
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw JSONFault(kind: .loneSurrogate, offset: start, opened: open)
            }
            return scalar
        default: throw JSONFault(kind: .invalidEscape, offset: start, opened: open)
        }
    }

    private mutating func hexadecimal(_ escape: Int, _ open: Int) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard at < end else {
                throw JSONFault(kind: .unterminatedString, offset: end, opened: open)
            }
            guard let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else {
                throw JSONFault(kind: .invalidEscape, offset: escape, opened: open)
            }
            code = code << 4 | UInt32(digit)
            at += 1
        }
        return code
    }
}

/// Well-formed UTF-8, RFC 3629 section 4.
enum UTF8Scalar {
    /// The length of the first scalar of some bytes; nil if it is not well-formed.
    static func length(_ bytes: some Collection<UInt8>) -> Int? {
        var rest = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return nil }
        return scalar.count
    }
}
