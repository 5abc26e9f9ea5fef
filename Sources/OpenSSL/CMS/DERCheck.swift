/// Whether bytes are DER (X.690 section 10): every length definite and minimal, and no constructed
/// strings. Does not parse the contents of octet strings.
enum DERCheck {
    enum Outcome: Sendable, Hashable {
        /// One complete element with its length; bytes after it do not belong to it.
        case der(length: Int)
        /// Well-formed BER but not DER; `offset` is the first violation.
        case ber(offset: Int, length: Int)
        /// An element is longer than the data.
        case truncated
        case malformed(offset: Int)
    }

    /// Signed files nest about 15 deep; certificates with unusual extensions some more.
    static let deepest = 64

    static func check(_ bytes: [UInt8]) -> Outcome {
        var scan = Scan(bytes: bytes)
        let end = scan.element(at: 0, limit: bytes.count, depth: 0)
        if let fault = scan.fault { return fault }
        guard let end else { return .malformed(offset: 0) }
        if let offset = scan.firstBER { return .ber(offset: offset, length: end) }
        return .der(length: end)
    }

    private struct Scan {
        let bytes: [UInt8]
        var firstBER: Int?
        var fault: Outcome?

        /// The end of the element at `start`; `nil` after setting `fault`.
        mutating func element(at start: Int, limit: Int, depth: Int) -> Int? {
            guard depth < deepest else { return fail(.malformed(offset: start)) }
            var offset = start
            guard let tag = take(&offset, limit) else { return nil }
            if tag & 0x1f == 0x1f {
                var more = true
                while more {
                    guard let byte = take(&offset, limit) else { return nil }
                    more = byte & 0x80 != 0
                }
            }
            guard let first = take(&offset, limit) else { return nil }
            let isConstructed = tag & 0x20 != 0
            // A constructed octet string or character string: universal 4, 12 to 30.
            let number = tag & 0x1f
            if isConstructed, tag & 0xc0 == 0, number != 16, number != 17 { note(start) }
            if first == 0x80 {
                note(start)
                guard isConstructed else { return fail(.malformed(offset: start)) }
                return indefinite(from: offset, limit: limit, depth: depth)
            }
            var length = Int(first)
            if first & 0x80 != 0 {
                let count = Int(first & 0x7f)
                guard count <= 4 else { return fail(.malformed(offset: start)) }
                length = 0
                for _ in 0..<count {
                    guard let byte = take(&offset, limit) else { return nil }
                    length = length << 8 | Int(byte)
                }
                let shortest = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 3
                if count > max(shortest, 1), !(count == 4 && length >= 0x100_0000) { note(start) }
                if length < 0x80 { note(start) }
            }
            guard length <= limit - offset else {
                return fail(limit == bytes.count ? .truncated : .malformed(offset: start))
            }
            let end = offset + length
            if isConstructed {
                while offset < end {
                    guard let next = element(at: offset, limit: end, depth: depth + 1) else {
                        return nil
                    }
                    offset = next
                }
            }
            return end
        }

        private mutating func indefinite(from start: Int, limit: Int, depth: Int) -> Int? {
            var offset = start
            while true {
                guard offset + 1 < limit else {
                    return fail(limit == bytes.count ? .truncated : .malformed(offset: offset))
                }
                if bytes[offset] == 0, bytes[offset + 1] == 0 { return offset + 2 }
                guard let next = element(at: offset, limit: limit, depth: depth + 1) else {
                    return nil
                }
                offset = next
            }
        }

        private mutating func take(_ offset: inout Int, _ limit: Int) -> UInt8? {
            guard offset < limit else {
                _ = fail(limit == bytes.count ? .truncated : .malformed(offset: offset))
                return nil
            }
            defer { offset += 1 }
            return bytes[offset]
        }

        private mutating func note(_ offset: Int) { firstBER = firstBER ?? offset }

        private mutating func fail(_ outcome: Outcome) -> Int? {
            fault = fault ?? outcome
            return nil
        }
    }
}
