/// Inflates one DEFLATE stream (RFC 1951) piece by piece, with a bound on what comes out.
///
/// The input is untrusted: every index is checked, and every loop ends with the input or at the
/// bound.
package struct Inflate {
    private enum Block {
        /// Before the header of the next block.
        case between
        case stored(left: Int)
        case compressed(HuffmanCode, HuffmanCode)
    }

    private var input: ArraySlice<UInt8>
    private var position: Int
    private let more: () -> [UInt8]
    private var bitBuffer: UInt64 = 0
    private var bitCount: UInt32 = 0
    private let maximum: Int
    private var block = Block.between
    private var isLast = false
    /// Whether the last block has ended.
    package private(set) var isEnded = false
    /// What came out and was not dropped.
    package private(set) var output: [UInt8] = []
    /// The number of bytes that came out before ``output``.
    package private(set) var dropped = 0
    /// The number of bytes that came out.
    package var count: Int { dropped + output.count }

    /// A distance reaches back so far (RFC 1951 section 3.2.5).
    private static let window = 32_768

    /// - Parameters:
    ///   - maximum: of output bytes.
    ///   - more: the input after `input`, in pieces; an empty one is the end.
    package init(
        _ input: ArraySlice<UInt8>, maximum: Int, more: @escaping () -> [UInt8] = { [] }
    ) {
        self.input = input
        position = input.startIndex
        self.maximum = maximum
        self.more = more
    }

    /// Inflates until `target` bytes came out (a few more may have), or to the end.
    /// - Returns: at the end, the index after the stream's last byte.
    @discardableResult
    package mutating func run(until target: Int = .max) throws(ContentDecoder.Failure) -> Int {
        while !isEnded, count < target {
            switch block {
            case .between: try begin()
            case .stored(let left): try stored(left, target)
            case .compressed(let lengths, let distances):
                try compressed(lengths, distances, target)
            }
        }
        return position
    }

    /// Drops all output but what later bytes may repeat.
    package mutating func drop() {
        let excess = output.count - Self.window
        guard excess > 0 else { return }
        output.removeFirst(excess)
        dropped += excess
    }

    // MARK: - Bits

    /// Moves a byte into the bit buffer; false at the end of the input.
    private mutating func fetch() -> Bool {
        if position == input.endIndex {
            let next = more()
            guard !next.isEmpty else { return false }
            input = next[...]
            position = input.startIndex
        }
        bitBuffer |= UInt64(input[position]) << UInt64(bitCount)
        position += 1
        bitCount += 8
        return true
    }

    private mutating func bits(_ count: UInt32) throws(ContentDecoder.Failure) -> Int {
        while bitCount < count {
            guard fetch() else { throw .damaged("it is cut short") }
        }
        let value = bitBuffer & ((1 << UInt64(count)) - 1)
        skip(count)
        return Int(value)
    }

    private mutating func skip(_ count: UInt32) {
        bitBuffer >>= UInt64(count)
        bitCount -= count
    }

    // MARK: - Blocks

    private mutating func begin() throws(ContentDecoder.Failure) {
        isLast = try bits(1) == 1
        switch try bits(2) {
        case 0:
            skip(bitCount % 8)
            let length = try bits(16)
            guard length == ~(try bits(16)) & 0xFFFF else {
                throw .damaged("a block's length does not match its complement")
            }
            guard count + length <= maximum else { throw .tooLarge(maximum) }
            block = .stored(left: length)
        case 1: block = .compressed(Self.fixedLengths, Self.fixedDistances)
        case 2:
            let (lengths, distances) = try dynamicCodes()
            block = .compressed(lengths, distances)
        default: throw .damaged("a block has an unknown type")
        }
    }

    private mutating func endBlock() {
        block = .between
        guard isLast else { return }
        isEnded = true
        // Whole bytes in the buffer belong to what follows the stream.
        position = max(input.startIndex, position - Int(bitCount / 8))
    }

    private mutating func stored(_ left: Int, _ target: Int) throws(ContentDecoder.Failure) {
        var left = left
        while left > 0, count < target {
            if bitCount == 0, position < input.endIndex {
                let piece = min(left, target - count, input.endIndex - position)
                output += input[position..<(position + piece)]
                position += piece
                left -= piece
            } else {
                output.append(UInt8(try bits(8)))
                left -= 1
            }
        }
        block = .stored(left: left)
        if left == 0 { endBlock() }
    }

    private mutating func compressed(
        _ lengths: HuffmanCode, _ distances: HuffmanCode, _ target: Int
    ) throws(ContentDecoder.Failure) {
        while count < target {
            let symbol = try decode(lengths)
            if symbol < 256 {
                guard count < maximum else { throw .tooLarge(maximum) }
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return endBlock()
            } else {
                try copy(symbol - 257, distances)
            }
        }
    }

    private mutating func copy(
        _ symbol: Int, _ distances: HuffmanCode
    ) throws(ContentDecoder.Failure) {
        guard symbol < Self.lengthBase.count else { throw .damaged("a length has an unknown code") }
        let length = try Self.lengthBase[symbol] + bits(Self.lengthExtra[symbol])
        let code = try decode(distances)
        guard code < Self.distanceBase.count else {
            throw .damaged("a distance has an unknown code")
        }
        let distance = try Self.distanceBase[code] + bits(Self.distanceExtra[code])
        guard distance <= output.count else { throw .damaged("a distance points before the start") }
        guard count + length <= maximum else { throw .tooLarge(maximum) }
        for _ in 0..<length { output.append(output[output.count - distance]) }
    }

    private mutating func decode(_ code: HuffmanCode) throws(ContentDecoder.Failure) -> Int {
        while bitCount < UInt32(HuffmanCode.lengthMaximum), fetch() {}
        let entry = code.table[Int(truncatingIfNeeded: bitBuffer) & (code.table.count - 1)]
        let length = UInt32(entry & 0xF)
        guard length > 0, length <= bitCount else {
            let isCut = bitCount < UInt32(HuffmanCode.lengthMaximum)
            throw .damaged(isCut ? "it is cut short" : "a bit sequence is not a code")
        }
        skip(length)
        return Int(entry >> 4)
    }

    private mutating func dynamicCodes() throws(ContentDecoder.Failure) -> (
        HuffmanCode, HuffmanCode
    ) {
        let lengthCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let codeCount = try bits(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else {
            throw .damaged("a block has too many codes")
        }
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount { lengths[Self.codeOrder[index]] = try bits(3) }
        let codes = try HuffmanCode(lengths[...])
        lengths = []
        while lengths.count < lengthCount + distanceCount {
            let symbol = try decode(codes)
            if symbol < 16 {
                lengths.append(symbol)
                continue
            }
            let (length, count) = try repetition(symbol, lengths.last)
            guard lengths.count + count <= lengthCount + distanceCount else {
                throw .damaged("a block has too many code lengths")
            }
            lengths += [Int](repeating: length, count: count)
        }
        guard lengths[256] != 0 else { throw .damaged("a block has no end code") }
        return (
            try HuffmanCode(lengths[..<lengthCount]), try HuffmanCode(lengths[lengthCount...])
        )
    }

    private mutating func repetition(
        _ symbol: Int, _ last: Int?
    ) throws(ContentDecoder.Failure) -> (length: Int, count: Int) {
        switch symbol {
        case 16:
            guard let last else { throw .damaged("a repeat code has nothing to repeat") }
            return (last, 3 + (try bits(2)))
        case 17: return (0, 3 + (try bits(3)))
        default: return (0, 11 + (try bits(7)))
        }
    }

    // MARK: - RFC 1951 section 3.2.5 to 3.2.7

    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
    ]
    private static let lengthExtra: [UInt32] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
        2049, 3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
    ]
    private static let distanceExtra: [UInt32] = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
        13, 13,
    ]
    private static let codeOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    private static let fixedLengths = HuffmanCode(
        unchecked: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
            + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
    private static let fixedDistances = HuffmanCode(unchecked: [Int](repeating: 5, count: 30))
}

/// A canonical Huffman code, defined by its code lengths.
struct HuffmanCode {
    static let lengthMaximum = 15
    /// By the next bits of the stream, as many as the longest code has: symbol times 16 plus
    /// length; 0 where no code begins so.
    private(set) var table: [UInt16]
    private var isOversubscribed = false

    /// - Throws: if the code is over-subscribed. An incomplete code is allowed; unassigned bits are
    ///   an error when they occur.
    init(_ lengths: ArraySlice<Int>) throws(ContentDecoder.Failure) {
        self.init(unchecked: Array(lengths))
        if isOversubscribed { throw .damaged("a set of codes is oversubscribed") }
    }

    /// Over-subscribed codes overwrite each other in the table, and nothing else.
    fileprivate init(unchecked lengths: [Int]) {
        let longest = max(1, lengths.max() ?? 1)
        table = [UInt16](repeating: 0, count: 1 << longest)
        var code = 0
        for length in 1...longest {
            for (symbol, _) in lengths.enumerated().filter({ $0.element == length }) {
                if code >= 1 << length { isOversubscribed = true }
                // The stream has the first bit of a code lowest.
                var slot = (0..<length).reduce(0) { $0 << 1 | (code >> $1 & 1) }
                while slot < table.count {
                    table[slot] = UInt16(symbol << 4 | length)
                    slot += 1 << length
                }
                code += 1
            }
            code <<= 1
        }
    }
}
