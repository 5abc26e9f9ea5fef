/// Inflates one DEFLATE stream (RFC 1951), with a bound on what comes out.
///
/// The input is untrusted: every index is checked, and every loop ends with the input or at the
/// bound. Codes are decoded bit by bit (as in Mark Adler's `puff`), which is fast enough for
/// documents of some 100 KB.
struct Inflate {
    private let input: ArraySlice<UInt8>
    private var position: Int
    private var bitBuffer: UInt32 = 0
    private var bitCount: UInt32 = 0
    private let maximum: Int
    private(set) var output: [UInt8] = []

    /// - Parameter maximum: of output bytes.
    init(_ input: ArraySlice<UInt8>, maximum: Int) {
        self.input = input
        position = input.startIndex
        self.maximum = maximum
    }

    /// Inflates all blocks.
    /// - Returns: the index after the stream's last byte.
    mutating func run() throws(ContentDecoder.Failure) -> Int {
        while true {
            let isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1: try compressed(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try dynamicCodes()
                try compressed(lengths, distances)
            default: throw .damaged("a block of no known type")
            }
            if isLast { return position }
        }
    }

    // MARK: - Bits

    private mutating func bits(_ count: UInt32) throws(ContentDecoder.Failure) -> Int {
        while bitCount < count {
            guard position < input.endIndex else { throw .damaged("it is cut short") }
            bitBuffer |= UInt32(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        let value = bitBuffer & ((1 << count) - 1)
        bitBuffer >>= count
        bitCount -= count
        return Int(value)
    }

    private mutating func append(_ byte: UInt8) throws(ContentDecoder.Failure) {
        guard output.count < maximum else { throw .tooLarge(maximum) }
        output.append(byte)
    }

    // MARK: - Blocks

    private mutating func stored() throws(ContentDecoder.Failure) {
        bitBuffer = 0
        bitCount = 0
        guard input.endIndex - position >= 4 else { throw .damaged("it is cut short") }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        let check = Int(input[position + 2]) | Int(input[position + 3]) << 8
        guard length == ~check & 0xFFFF else { throw .damaged("a length and its check differ") }
        position += 4
        guard input.endIndex - position >= length else { throw .damaged("it is cut short") }
        guard output.count + length <= maximum else { throw .tooLarge(maximum) }
        output += input[position..<(position + length)]
        position += length
    }

    private mutating func compressed(
        _ lengths: HuffmanCode, _ distances: HuffmanCode
    ) throws(ContentDecoder.Failure) {
        while true {
            let symbol = try decode(lengths)
            if symbol < 256 {
                try append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                try copy(symbol - 257, distances)
            }
        }
    }

    private mutating func copy(
        _ symbol: Int, _ distances: HuffmanCode
    ) throws(ContentDecoder.Failure) {
        guard symbol < Self.lengthBase.count else { throw .damaged("a length of no known code") }
        let length = try Self.lengthBase[symbol] + bits(Self.lengthExtra[symbol])
        let code = try decode(distances)
        guard code < Self.distanceBase.count else {
            throw .damaged("a distance of no known code")
        }
        let distance = try Self.distanceBase[code] + bits(Self.distanceExtra[code])
        guard distance <= output.count else { throw .damaged("a distance before the start") }
        for _ in 0..<length { try append(output[output.count - distance]) }
    }

    private mutating func decode(_ code: HuffmanCode) throws(ContentDecoder.Failure) -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1...HuffmanCode.lengthMaximum {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + (value - first)] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .damaged("bits that are no code")
    }

    private mutating func dynamicCodes() throws(ContentDecoder.Failure) -> (
        HuffmanCode, HuffmanCode
    ) {
        let lengthCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let codeCount = try bits(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw .damaged("too many codes") }
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
                throw .damaged("too many lengths")
            }
            lengths += [Int](repeating: length, count: count)
        }
        guard lengths[256] != 0 else { throw .damaged("a block without an end") }
        return (
            try HuffmanCode(lengths[..<lengthCount]), try HuffmanCode(lengths[lengthCount...])
        )
    }

    private mutating func repetition(
        _ symbol: Int, _ last: Int?
    ) throws(ContentDecoder.Failure) -> (length: Int, count: Int) {
        switch symbol {
        case 16:
            guard let last else { throw .damaged("a repetition of nothing") }
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

    /// The number of codes, indexed by length.
    private(set) var counts = [Int](repeating: 0, count: lengthMaximum + 1)
    /// The symbols, in the order of their codes.
    private(set) var symbols: [Int] = []

    /// - Throws: if the code is over-subscribed. An incomplete code is allowed; unassigned bits are
    ///   an error when they occur.
    init(_ lengths: ArraySlice<Int>) throws(ContentDecoder.Failure) {
        self.init(unchecked: Array(lengths))
        var left = 1
        for length in 1...Self.lengthMaximum {
            left = (left << 1) - counts[length]
            if left < 0 { throw .damaged("more codes than fit") }
        }
    }

    fileprivate init(unchecked lengths: [Int]) {
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        var offsets = [Int](repeating: 0, count: Self.lengthMaximum + 2)
        for length in 1...Self.lengthMaximum {
            offsets[length + 1] = offsets[length] + counts[length]
        }
        symbols = [Int](repeating: 0, count: offsets[Self.lengthMaximum + 1])
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[length]] = symbol
            offsets[length] += 1
        }
    }
}
