import Glibc

/// The octet classes of RFC 9110 §5.5 and §5.6.2, tested without tables in memory.
enum Octet {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let questionMark: UInt8 = 0x3F
    static let numberSign: UInt8 = 0x23
    static let at: UInt8 = 0x40

    /// Whether the octet may stand in a token: `tchar` of RFC 9110 §5.6.2.
    @inline(__always)
    static func isToken(_ octet: UInt8) -> Bool {
        // One bit per character: ! # $ % & ' * + - . 0-9 below 64, A-Z ^ _ ` a-z | ~ above.
        if octet < 64 { return (0x03FF_6CFA_0000_0000 as UInt64) >> UInt64(octet) & 1 == 1 }
        if octet < 128 { return (0x57FF_FFFF_C7FF_FFFE as UInt64) >> UInt64(octet & 63) & 1 == 1 }
        return false
    }

    @inline(__always)
    static func isDigit(_ octet: UInt8) -> Bool { octet &- 0x30 < 10 }

    @inline(__always)
    static func isLineEnd(_ octet: UInt8) -> Bool {
        octet == carriageReturn || octet == lineFeed
    }

    @inline(__always)
    static func isWhitespace(_ octet: UInt8) -> Bool { octet == space || octet == tab }

    /// Whether the octet is forbidden in a field value: everything below SP but HTAB, and DEL
    /// (RFC 9110 §5.5).
    @inline(__always)
    static func isControl(_ octet: UInt8) -> Bool {
        (octet < 0x20 && octet != tab) || octet == 0x7F
    }

    /// `unreserved` of RFC 3986 §2.3: equivalent to its percent-encoded form.
    static func isUnreserved(_ octet: UInt8) -> Bool {
        isDigit(octet) || lowercased(octet) &- 0x61 < 26 || octet == 0x2D || octet == 0x2E
            || octet == 0x5F || octet == 0x7E
    }

    /// The value of a hexadecimal digit in either case.
    static func hexValue(_ octet: UInt8) -> UInt8? {
        if isDigit(octet) { return octet &- 0x30 }
        let letter = lowercased(octet) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    @inline(__always)
    static func lowercased(_ octet: UInt8) -> UInt8 {
        octet &- 0x41 < 26 ? octet | 0x20 : octet
    }
}

extension UnsafeRawBufferPointer {
    /// A part of these bytes, with indices from zero.
    @inline(__always)
    func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// These bytes without the white space at both ends, which is no part of a field's value
    /// (RFC 9110 §5.5).
    @inline(__always)
    var withoutOuterWhitespace: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, Octet.isWhitespace(self[start]) { start += 1 }
        while end > start, Octet.isWhitespace(self[end - 1]) { end -= 1 }
        return slice(start, end)
    }

    /// The offset of the first control octet in `start..<end`, or `end`.
    func firstControl(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            index = firstSuspectWord(from: index, to: end)
            // The last, incomplete word is tested together with the octets before it.
            if end &- index < 8, end &- start >= 8, !isSuspectWord(at: end &- 8) { return end }
            let stop = Swift.min(index &+ 8, end)
            while index < stop {
                if Octet.isControl(self[index]) { return index }
                index &+= 1
            }
        }
        return end
    }

    /// The offset of the first eight octets that contain an octet below SP or DEL, or of the last,
    /// incomplete word.
    ///
    /// `(x - 0x20…) & ~x & 0x80…` is non-zero exactly if one octet is below 0x20; the same with
    /// `x ^ 0x7F…` and 0x01 finds DEL. HTAB matches too; the caller allows it.
    @inline(__always)
    private func firstSuspectWord(from start: Int, to end: Int) -> Int {
        var index = start
        while index &+ 8 <= end, !isSuspectWord(at: index) { index &+= 8 }
        return index
    }

    @inline(__always)
    private func isSuspectWord(at index: Int) -> Bool {
        let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let low = (word &- 0x2020_2020_2020_2020) & ~word
        let flipped = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let delete = (flipped &- 0x0101_0101_0101_0101) & ~flipped
        return (low | delete) & 0x8080_8080_8080_8080 != 0
    }

    /// The offset of `octet` in `start..<end`, or nil.
    @inline(__always)
    func firstIndex(of octet: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end, let base = baseAddress,
            let found = memchr(base + start, Int32(octet), end &- start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Where the path of a target ends: before its query, or before a fragment, which a target must
    /// not have (RFC 9112 §3.2, RFC 9113 §8.3.1) but some clients send.
    @inline(__always)
    func endOfPath(from start: Int, to end: Int) -> Int {
        let query = firstIndex(of: Octet.questionMark, from: start, to: end) ?? end
        return firstIndex(of: Octet.numberSign, from: start, to: query) ?? query
    }

    /// Whether these bytes equal `text`, ignoring ASCII case.
    ///
    /// - Parameter text: lower case.
    @inline(__always)
    package func equalsIgnoringCase(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count == length else { return false }
        let start = text.utf8Start
        for index in 0..<length where Octet.lowercased(self[index]) != start[index] {
            return false
        }
        return true
    }

    /// Whether these bytes equal `text` exactly.
    @inline(__always)
    package func equals(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count == length else { return false }
        guard length > 0, let base = baseAddress else { return true }
        return memcmp(base, text.utf8Start, length) == 0
    }

    /// Whether `text` stands anywhere in these bytes.
    package func contains(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0...(count - length)).contains {
            UnsafeRawBufferPointer(rebasing: self[$0..<($0 + length)]).equals(text)
        }
    }
}
