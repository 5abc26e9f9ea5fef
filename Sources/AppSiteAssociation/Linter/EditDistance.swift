/// Suggests corrections of misspelt keys.
enum Spelling {
    /// The known word that `word` probably means, or nil if it is known or too different.
    ///
    /// A difference only in case always counts (keys are case-sensitive, domain.md 2.3); otherwise
    /// one edit for words up to five letters and two for longer ones, with at least half of them
    /// correct.
    static func correction(of word: String, among known: [String]) -> String? {
        WordList(known).correction(of: word)
    }

    /// The number of edits (insert, delete, replace, swap of neighbours) from `a` to `b`; any
    /// larger number above `limit`.
    static func distance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int {
        if abs(a.count - b.count) > limit { return limit + 1 }
        // Skip the common prefix and suffix, which are nearly all of a misspelt word.
        let shorter = min(a.count, b.count)
        var head = 0
        while head < shorter, a[head] == b[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        let (a, b) = (a[head..<(a.count - tail)], b[head..<(b.count - tail)])
        if a.isEmpty || b.isEmpty { return a.count + b.count }
        return a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { fullDistance(a, $0, limit: limit) }
        }
    }

    private static func fullDistance(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, limit: Int
    ) -> Int {
        var older = [Int](repeating: 0, count: b.count + 1)
        var previous = Array(0...b.count)
        var current = previous
        for i in 0..<a.count {
            current[0] = i + 1
            var least = current[0]
            for j in 0..<b.count {
                let substitution = previous[j] + (a[i] == b[j] ? 0 : 1)
                var best = min(previous[j + 1] + 1, current[j] + 1, substitution)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, older[j - 1] + 1)
                }
                current[j + 1] = best
                least = min(least, best)
            }
            if least > limit, (previous.min() ?? 0) > limit { return limit + 1 }
            swap(&older, &previous)
            swap(&previous, &current)
        }
        return previous[b.count]
    }
}

/// Known words, prepared for many look-ups.
///
/// A hostile document causes one for each of its keys: the length and a mask of the letters exclude
/// nearly all pairs before a comparison by letters.
struct WordList: Sendable {
    /// Documented keys have at most half of this length; a longer word is not a misspelling.
    private static let longest = 48

    private struct Word: Sendable {
        let text: String
        let folded: [UInt8]
        let letters: UInt64
    }

    private let words: [Word]
    private let exact: Set<ExactText>
    /// One bit per length of a word: it avoids hashing most other words.
    private let lengths: UInt64
    private let shortest: Int

    init(_ known: [String]) {
        words = known.map {
            let folded = Self.fold($0)
            return Word(text: $0, folded: folded, letters: Self.outline($0).letters)
        }
        exact = Set(known.map { ExactText($0) })
        lengths = known.reduce(0) { $0 | Self.lengthBit($1) }
        // Below four letters only case and separators may differ.
        let lettered = words.filter { $0.folded.contains { (0x61...0x7A).contains($0) } }
        shortest = lettered.map { min($0.folded.count, 4) }.min() ?? 4
    }

    func contains(_ word: String) -> Bool {
        lengths & Self.lengthBit(word) != 0 && exact.contains(ExactText(word))
    }

    private static func lengthBit(_ word: String) -> UInt64 {
        1 << UInt64(min(word.utf8.count, 63))
    }

    /// See ``Spelling/correction(of:among:)``.
    func correction(of word: String) -> String? {
        // A word of one letter is not a misspelling.
        guard word.utf8.count <= Self.longest, word.utf8.count >= shortest, !contains(word)
        else { return nil }
        let (letters, count) = Self.outline(word)
        let allowed = count <= 5 ? 1 : 2
        // Each edit changes at most two bits of the mask.
        func isNear(_ candidate: Word) -> Bool {
            abs(candidate.folded.count - count) <= allowed
                && (candidate.letters ^ letters).nonzeroBitCount <= 2 * allowed
        }
        guard words.contains(where: isNear) else { return nil }
        let folded = Self.fold(word)
        if let same = words.first(where: { $0.letters == letters && $0.folded == folded }) {
            return same.text
        }
        // One or two characters ("/", "?", "id") resemble everything.
        guard count >= 4 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in words where candidate.folded.count >= 4 && isNear(candidate) {
            let distance = Spelling.distance(folded, candidate.folded, limit: allowed)
            if distance <= allowed, distance < (best?.distance ?? Int.max) {
                best = (candidate.text, distance)
            }
        }
        return best?.word
    }

    /// Lower case without separators (`app_ids`, `app-ids`).
    private static func fold(_ word: String) -> [UInt8] {
        var word = word
        return word.withUTF8 { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { folded, count in
                for byte in bytes where !isSeparator(byte) {
                    folded[count] = byte.asciiLowercased
                    count += 1
                }
            }
        }
    }

    /// The letters of the folded word as a mask, and their number.
    private static func outline(_ word: String) -> (letters: UInt64, count: Int) {
        var (word, letters, count) = (word, UInt64(0), 0)
        word.withUTF8 {
            for byte in $0 where !isSeparator(byte) {
                letters |= 1 << UInt64(byte.asciiLowercased & 63)
                count += 1
            }
        }
        return (letters, count)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x5F || byte == 0x2D || byte == 0x20
    }
}
