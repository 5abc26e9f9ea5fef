extension UInt8 {
    /// The lower-case form of an ASCII letter; other bytes unchanged. For bytes, as keys and
    /// identifiers of devices are ASCII, and `String.lowercased()` uses Unicode's tables.
    var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// Whether it is allowed in a URI scheme after the first letter (RFC 3986, section 3.1).
    var isSchemeCharacter: Bool {
        isASCIILetter || (0x30...0x39).contains(self) || self == UInt8(ascii: "+")
            || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
