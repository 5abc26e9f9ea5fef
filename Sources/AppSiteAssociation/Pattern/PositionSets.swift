/// Matches patterns with alternatives: a set of positions of the text, one bit each, is moved
/// through the instructions. Every instruction visits a position at most once, so for any pattern
/// the work is at most the length of the text times the length of the pattern with its variables'
/// values.
struct PositionSets {
    let code: PatternView
    let scratch: MatchScratch
    let text: PatternText
    /// Words per set: one bit per position, including the end.
    private let words: Int

    init(code: PatternView, scratch: MatchScratch, text: PatternText) {
        self.code = code
        self.scratch = scratch
        self.text = text
        words = text.count / 64 + 1
        scratch.reserve(setWords: 5 * words)
    }

    /// A set; the scratch memory has five.
    private typealias Set = UnsafeMutablePointer<UInt64>

    func matches(_ ops: Range<Int>) -> Bool {
        var current = scratch.sets
        var next = scratch.sets + words
        clear(current)
        insert(0, into: current)
        for index in ops {
            clear(next)
            let op = code.ops[index]
            if op.kind == .variable {
                variable(op, from: current, into: next)
            } else {
                step(op, from: current, into: next)
            }
            swap(&current, &next)
            if isEmpty(current) { return false }
        }
        return contains(text.count, in: current)
    }

    private func variable(_ op: PatternOp, from start: Set, into result: Set) {
        let variable = code.variables[Int(op.offset)]
        for number in variable.firstAlternative..<variable.endAlternative {
            let alternative = code.alternatives[Int(number)]
            var current = scratch.sets + 2 * words
            var next = scratch.sets + 3 * words
            current.update(from: start, count: words)
            for index in alternative.firstOp..<alternative.endOp {
                clear(next)
                step(code.ops[Int(index)], from: current, into: next)
                swap(&current, &next)
                if isEmpty(current) { break }
            }
            for word in 0..<words { result[word] |= current[word] }
        }
    }

    private func step(_ op: PatternOp, from start: Set, into result: Set) {
        if op.kind == .anyRun {
            guard let first = first(of: start) else { return }
            for position in first...text.count where text.isBoundary(position) {
                insert(position, into: result)
            }
            scratch.steps &+= text.count - first + 1
            return
        }
        let matcher = PatternMatcher(code: code, scratch: scratch)
        for word in 0..<words {
            var bits = start[word]
            while bits != 0 {
                let position = word * 64 + bits.trailingZeroBitCount
                bits &= bits - 1
                if op.kind == .language {
                    language(at: position, into: result)
                } else if let next = matcher.step(op, text, from: position) {
                    insert(next, into: result)
                }
            }
        }
    }

    /// Codes of two and of three letters; both are possible.
    private func language(at position: Int, into result: Set) {
        scratch.steps &+= 1
        func letter(_ offset: Int) -> Int? {
            guard position + offset < text.count else { return nil }
            let value = text.base[position + offset] &- UInt8(ascii: "a")
            return value < 26 ? Int(value) : nil
        }
        guard let first = letter(0), let second = letter(1) else { return }
        if LocaleCodes.shared.isLanguage(first, second) { insert(position + 2, into: result) }
        if let third = letter(2), LocaleCodes.shared.isLanguage(first, second, third) {
            insert(position + 3, into: result)
        }
    }

    private func clear(_ set: Set) { set.update(repeating: 0, count: words) }

    private func insert(_ position: Int, into set: Set) {
        set[position >> 6] |= 1 << UInt64(position & 63)
    }

    private func contains(_ position: Int, in set: Set) -> Bool {
        set[position >> 6] >> UInt64(position & 63) & 1 == 1
    }

    private func first(of set: Set) -> Int? {
        for word in 0..<words where set[word] != 0 {
            return word * 64 + set[word].trailingZeroBitCount
        }
        return nil
    }

    private func isEmpty(_ set: Set) -> Bool { first(of: set) == nil }
}
