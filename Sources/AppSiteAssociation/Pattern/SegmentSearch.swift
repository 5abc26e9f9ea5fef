/// Looks for a segment of a pattern, what stands between two `*`, in a long text.
///
/// A literal is found in as many steps as text and literal have bytes (Knuth, Morris and Pratt). In
/// ASCII a segment with `?` or classes is looked for at sixty-four places at once: a set has one
/// bit for each place where the segment may begin, and every character of the segment thins it out.
struct SegmentSearch {
    /// In shorter texts trying every place is as good.
    static let textMinimum = 64

    private let matcher: PatternMatcher
    private let ops: Range<Int>
    private let text: PatternText
    private let range: Range<Int>
    /// Characters of the segment.
    private let length: Int

    /// What a character of the segment may be.
    private enum Wish: Hashable {
        case byte(UInt8)
        case character(UInt32)
        /// The first letter of a region's code.
        case region(isExact: Bool)
    }

    /// - Returns: nil where characters have several bytes each and the segment is no literal.
    init?(_ matcher: PatternMatcher, _ ops: Range<Int>, _ text: PatternText, _ range: Range<Int>) {
        self.matcher = matcher
        self.ops = ops
        self.text = text
        self.range = range
        length = ops.reduce(0) { sum, index in
            let op = matcher.code.ops[index]
            return switch op.kind {
            case .literal, .anyCharacters: sum + Int(op.count)
            case .character: sum + 1
            case .region: sum + 2
            case .anyRun, .language, .variable, .never: sum
            }
        }
        if isLiteral { return }
        for place in range where text.base[place] >= 0x80 { return nil }
    }

    private var isLiteral: Bool {
        ops.count == 1 && matcher.code.ops[ops.lowerBound].kind == .literal
    }

    /// The end of the first occurrence.
    func end() -> Int? {
        guard range.count >= length else { return nil }
        return isLiteral ? endOfLiteral() : endOfSegment()
    }

    private func endOfLiteral() -> Int? {
        let op = matcher.code.ops[ops.lowerBound]
        guard let bytes = matcher.code.bytes.baseAddress else { return nil }
        let literal = bytes + Int(op.offset)
        let count = Int(op.count)
        let scratch = matcher.scratch
        scratch.reserve(borders: count)
        let borders = scratch.borders
        var steps = 0
        defer { scratch.steps &+= steps }
        func next(_ length: Int, _ byte: UInt8) -> Int {
            var length = length
            while length > 0, literal[length] != byte {
                length = Int(borders[length - 1])
                steps += 1
            }
            steps += 1
            return literal[length] == byte ? length + 1 : 0
        }
        borders[0] = 0
        var length = 0
        for index in 1..<max(1, count) {
            length = next(length, literal[index])
            borders[index] = UInt32(length)
        }
        length = 0
        for place in range {
            length = next(length, text.base[place])
            if length == count { return place + 1 }
        }
        return nil
    }

    private func endOfSegment() -> Int? {
        let words = range.count / 64 + 1
        // One bit for each place where the segment has room.
        var starts = [UInt64](repeating: 0, count: words)
        for place in 0...(range.count - length) { starts[place >> 6] |= 1 << UInt64(place & 63) }
        var known: [Wish: [UInt64]] = [:]
        var offset = 0
        func isLeft(_ wish: Wish) -> Bool {
            let places = known[wish] ?? places(of: wish, words)
            known[wish] = places
            let (skipped, shift) = (offset >> 6, UInt64(offset & 63))
            var isLeft = false
            for word in 0..<(words - skipped) where starts[word] != 0 {
                var bits = places[word + skipped] >> shift
                if shift > 0, word + skipped + 1 < words {
                    bits |= places[word + skipped + 1] << (64 - shift)
                }
                starts[word] &= bits
                if starts[word] != 0 { isLeft = true }
            }
            matcher.scratch.steps &+= words - skipped
            return isLeft
        }
        for index in ops {
            let op = matcher.code.ops[index]
            switch op.kind {
            case .literal:
                for place in Int(op.offset)..<Int(op.offset) + Int(op.count) {
                    guard isLeft(.byte(matcher.code.bytes[place])) else { return nil }
                    offset += 1
                }
            case .anyCharacters: offset += Int(op.count)
            case .character:
                guard isLeft(.character(op.offset)) else { return nil }
                offset += 1
            case .region:
                guard isLeft(.region(isExact: op.offset == 1)) else { return nil }
                offset += 2
            case .anyRun, .language, .variable, .never: return nil
            }
        }
        guard let word = starts.firstIndex(where: { $0 != 0 }) else { return nil }
        return range.lowerBound + word * 64 + starts[word].trailingZeroBitCount + length
    }

    private func places(of wish: Wish, _ words: Int) -> [UInt64] {
        var places = [UInt64](repeating: 0, count: words)
        for place in range {
            let isWished =
                switch wish {
                case .byte(let byte): text.base[place] == byte
                case .character(let number):
                    CharacterClass(rawValue: number)?.contains(text.base[place]) ?? false
                case .region(let isExact):
                    place + 2 <= range.upperBound
                        && matcher.isRegion(text, at: place, exactCase: isExact)
                }
            let bit = place - range.lowerBound
            if isWished { places[bit >> 6] |= 1 << UInt64(bit & 63) }
        }
        matcher.scratch.steps &+= range.count
        return places
    }
}
