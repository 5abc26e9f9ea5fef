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
        case malformed
    }

    private enum Fault: Error { case truncated, malformed }

    /// Signed files nest about 15 deep; certificates with unusual extensions some more.
    static let deepest = 64

    static func check(_ bytes: [UInt8]) -> Outcome {
        var scan = Scan(bytes: bytes)
        do throws(Fault) {
            let end = try scan.element(at: 0, limit: bytes.count, depth: 0)
            return scan.firstBER.map { .ber(offset: $0, length: end) } ?? .der(length: end)
        } catch {
            return error == .truncated ? .truncated : .malformed
        }
    }

    private struct Scan {
        let bytes: [UInt8]
        var firstBER: Int?

        /// The end of the element at `start`.
        mutating func element(at start: Int, limit: Int, depth: Int) throws(Fault) -> Int {
            guard depth < deepest else { throw .malformed }
            var offset = start
            let tag = try take(&offset, limit)
            if tag & 0x1f == 0x1f {
                while try take(&offset, limit) & 0x80 != 0 {}
            }
            let first = try take(&offset, limit)
            let isConstructed = tag & 0x20 != 0
            // A constructed octet string or character string: universal 4, 12 to 30.
            let number = tag & 0x1f
            if isConstructed, tag & 0xc0 == 0, number != 16, number != 17 { note(start) }
            if first == 0x80 {
                note(start)
                guard isConstructed else { throw .malformed }
                return try indefinite(from: offset, limit: limit, depth: depth)
            }
            var length = Int(first)
            if first & 0x80 != 0 {
                let count = Int(first & 0x7f)
                guard count <= 4 else { throw .malformed }
                length = 0
                for _ in 0..<count { length = length << 8 | Int(try take(&offset, limit)) }
                if length < 0x80 || length >> (8 * (count - 1)) == 0 { note(start) }
            }
            guard length <= limit - offset else { throw cut(limit) }
            let end = offset + length
            if isConstructed {
                while offset < end {
                    offset = try element(at: offset, limit: end, depth: depth + 1)
                }
            }
            return end
        }

        private mutating func indefinite(
            from start: Int, limit: Int, depth: Int
        ) throws(Fault) -> Int {
            var offset = start
            while true {
                guard offset + 1 < limit else { throw cut(limit) }
                if bytes[offset] == 0, bytes[offset + 1] == 0 { return offset + 2 }
                offset = try element(at: offset, limit: limit, depth: depth + 1)
            }
        }

        private func take(_ offset: inout Int, _ limit: Int) throws(Fault) -> UInt8 {
            guard offset < limit else { throw cut(limit) }
            defer { offset += 1 }
            return bytes[offset]
        }

        /// The end of the data is a cut; that of an element is damage.
        private func cut(_ limit: Int) -> Fault {
            limit == bytes.count ? .truncated : .malformed
        }

        private mutating func note(_ offset: Int) { firstBER = firstBER ?? offset }
    }
}
