extension UInt8 {
    /// The lower-case form of an ASCII letter; other bytes unchanged. For bytes, as keys and
    /// identifiers of devices are ASCII, and `String.lowercased()` uses Unicode's tables.
    var asciiLowercased: UInt8 {
        isASCIIUppercase ? self | 0x20 : self
    }

    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIIUppercase: Bool { (0x41...0x5A).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIIHexDigit: Bool { isASCIIDigit || (0x41...0x46).contains(self & 0xDF) }

    /// Whether it is a digit of Base64 (RFC 4648, section 4); its padding is none.
    var isBase64: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
    }

    /// Whether it may stand between the tokens of JSON and XML.
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether a name in a program may have it.
    var isNameCharacter: Bool { isASCIILetter || isASCIIDigit || "_-$".utf8.contains(self) }

    /// Whether it is allowed in a URI scheme after the first letter (RFC 3986, section 3.1).
    var isSchemeCharacter: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+")
            || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// `%2F`.
    var percentEncoded: String {
        "%" + String(self, radix: 16, uppercase: true).padded(withZerosTo: 2)
    }
}

extension String {
    /// A number with zeros before it.
    func padded(withZerosTo width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}
