extension UInt8 {
    /// The small letter of a capital one, and every other byte as it is. Over bytes, as keys and
    /// identifiers of devices are ASCII, and `String.lowercased()` asks Unicode's tables.
    var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }
}
