/// A part of a URL for comparison with patterns. A character is a byte that is not a UTF-8
/// continuation, with the continuations after it, so that invalid UTF-8 has characters, too.
struct PatternText {
    let base: UnsafePointer<UInt8>
    let count: Int

    /// The first eight bytes, padded with zeros.
    var head: UInt64 {
        var head: UInt64 = 0
        for index in 0..<min(8, count) { head |= UInt64(base[index]) << UInt64(8 * index) }
        return head
    }

    func isBoundary(_ position: Int) -> Bool {
        position == 0 || position == count || base[position] & 0xC0 != 0x80
    }

    /// The position after the character at `position`, which must be below `count`.
    func after(_ position: Int) -> Int {
        var next = position + 1
        while next < count, base[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// The position of the character before `position`, which must be above zero.
    func before(_ position: Int) -> Int {
        var previous = position - 1
        while previous > 0, base[previous] & 0xC0 == 0x80 { previous -= 1 }
        return previous
    }
}

/// Matches one text against compiled patterns.
///
/// Patterns without alternatives are matched greedily: the segments between two `*` are searched
/// left to right, each at its first possible place, which is enough because `*` takes any rest; the
/// last segment is compared from the end. Nothing is ever tried twice. A literal segment costs the
/// length of the text and its own; one with `?` or a class (`SegmentSearch`) a sixty-fourth of
/// their product. Alternatives go to `PositionSets`.
struct PatternMatcher {
    let code: PatternView
    let scratch: MatchScratch

    func matches(_ pattern: CompiledPattern, _ text: PatternText) -> Bool {
        scratch.steps &+= 1
        guard text.count >= MatchScratch.Comparison.textMinimum, pattern.firstOp < pattern.endOp
        else { return compare(pattern, text) }
        // Rules share the patterns of their defaults.
        let comparison = MatchScratch.Comparison(
            firstOp: pattern.firstOp, endOp: pattern.endOp, base: text.base, count: text.count)
        if let known = scratch.result(of: comparison) { return known }
        let result = compare(pattern, text)
        scratch.keep(result, of: comparison)
        return result
    }

    private func compare(_ pattern: CompiledPattern, _ text: PatternText) -> Bool {
        switch pattern.shape {
        case .anything: return true
        case .never: return false
        case .exact:
            guard pattern.firstOp < pattern.endOp else { return text.count == 0 }
            let op = code.ops[Int(pattern.firstOp)]
            return Int(op.count) == text.count && hasLiteral(op, text, at: 0)
        case .prefix: return hasLiteral(code.ops[Int(pattern.firstOp)], text, at: 0)
        case .segments:
            return matchesSegments(Int(pattern.firstOp)..<Int(pattern.endOp), text)
        case .sets:
            return PositionSets(code: code, scratch: scratch, text: text)
                .matches(Int(pattern.firstOp)..<Int(pattern.endOp))
        }
    }

    /// The bytes of a pattern that is nothing but a literal.
    func literal(_ pattern: CompiledPattern) -> PatternText {
        guard let bytes = code.bytes.baseAddress, pattern.firstOp < pattern.endOp else {
            return PatternText(base: scratch.bytes, count: 0)
        }
        let op = code.ops[Int(pattern.firstOp)]
        return PatternText(base: bytes + Int(op.offset), count: Int(op.count))
    }

    private func matchesSegments(_ ops: Range<Int>, _ text: PatternText) -> Bool {
        var position = 0
        var index = ops.lowerBound
        while index < ops.upperBound, code.ops[index].kind != .anyRun {
            guard let next = step(code.ops[index], text, from: position) else { return false }
            position = next
            index += 1
        }
        if index == ops.upperBound { return position == text.count }

        var last = ops.upperBound - 1
        var end = text.count
        while code.ops[last].kind != .anyRun {
            guard let previous = stepBack(code.ops[last], text, from: end) else { return false }
            end = previous
            last -= 1
        }
        if end < position { return false }

        while index < last {
            var next = index + 1
            while code.ops[next].kind != .anyRun { next += 1 }
            guard let found = find((index + 1)..<next, text, from: position, to: end) else {
                return false
            }
            position = found
            index = next
        }
        return true
    }

    /// The end of the first occurrence of a segment in `text[start..<limit]`.
    private func find(_ segment: Range<Int>, _ text: PatternText, from start: Int, to limit: Int)
        -> Int?
    {
        if limit - start >= SegmentSearch.textMinimum,
            let search = SegmentSearch(self, segment, text, start..<limit)
        {
            return search.end()
        }
        var candidate = start
        while candidate <= limit {
            var position = candidate
            var index = segment.lowerBound
            while index < segment.upperBound,
                let next = step(code.ops[index], text, from: position), next <= limit
            {
                position = next
                index += 1
            }
            if index == segment.upperBound { return position }
            if candidate == limit { return nil }
            candidate = text.after(candidate)
        }
        return nil
    }

    /// The position after `op` if it matches at `position`. Runs and variables are not steps.
    @inline(__always)
    func step(_ op: PatternOp, _ text: PatternText, from position: Int) -> Int? {
        scratch.steps &+= 1
        switch op.kind {
        case .literal:
            return hasLiteral(op, text, at: position) ? position + Int(op.count) : nil
        case .anyCharacters:
            var next = position
            for _ in 0..<op.count {
                if next >= text.count { return nil }
                next = text.after(next)
            }
            scratch.steps &+= Int(op.count)
            return next
        case .character:
            guard position < text.count, let characters = CharacterClass(rawValue: op.offset),
                characters.contains(text.base[position])
            else { return nil }
            return position + 1
        case .region:
            return isRegion(text, at: position, exactCase: op.offset == 1) ? position + 2 : nil
        case .anyRun, .language, .variable, .never:
            return nil
        }
    }

    @inline(__always)
    private func stepBack(_ op: PatternOp, _ text: PatternText, from position: Int) -> Int? {
        scratch.steps &+= 1
        switch op.kind {
        case .literal:
            let start = position - Int(op.count)
            return start >= 0 && hasLiteral(op, text, at: start) ? start : nil
        case .anyCharacters:
            var start = position
            for _ in 0..<op.count {
                if start == 0 { return nil }
                start = text.before(start)
            }
            scratch.steps &+= Int(op.count)
            return start
        case .character:
            return position > 0 && step(op, text, from: position - 1) != nil ? position - 1 : nil
        case .region:
            return position > 1 && step(op, text, from: position - 2) != nil ? position - 2 : nil
        case .anyRun, .language, .variable, .never:
            return nil
        }
    }

    @inline(__always)
    func hasLiteral(_ op: PatternOp, _ text: PatternText, at position: Int) -> Bool {
        let count = Int(op.count)
        guard position + count <= text.count, let bytes = code.bytes.baseAddress else {
            return false
        }
        let literal = bytes + Int(op.offset)
        let here = text.base + position
        var index = 0
        while index < count, literal[index] == here[index] { index += 1 }
        scratch.steps &+= index
        return index == count
    }

    /// Whether two letters are a region code: upper case, or lower case in folded text.
    func isRegion(_ text: PatternText, at position: Int, exactCase: Bool) -> Bool {
        guard position + 2 <= text.count else { return false }
        let base = UInt8(ascii: exactCase ? "A" : "a")
        let first = text.base[position] &- base
        let second = text.base[position + 1] &- base
        return first < 26 && second < 26
            && LocaleCodes.shared.isRegion(Int(first), Int(second))
    }
}
