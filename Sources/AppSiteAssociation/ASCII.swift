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

    /// Whether a name in a program may have it.
    var isNameCharacter: Bool { isASCIILetter || isASCIIDigit || "_-$".utf8.contains(self) }

    /// Whether it is allowed in a URI scheme after the first letter (RFC 3986, section 3.1).
    var isSchemeCharacter: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+")
            || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
