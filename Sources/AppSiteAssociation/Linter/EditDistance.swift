/// Suggests corrections of misspelt keys.
package enum Spelling {
    /// The known word that `word` probably means, or nil if it is known or too different.
    ///
    /// A difference only in case always counts (keys are case-sensitive, domain.md 2.3); otherwise
    /// one edit for words up to five letters and two for longer ones, with at least half of them
    /// correct. `alias` means `aliases`.
    package static func correction(of word: String, among known: [String]) -> String? {
        WordList(known).correction(of: word)
    }

    /// The number of edits (insert, delete, replace, swap of neighbours) from `a` to `b`; any
    /// larger number above `limit`.
    static func distance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int {
        if abs(a.count - b.count) > limit { return limit + 1 }
        var older = [Int](repeating: 0, count: b.count + 1)
        var previous = Array(0...b.count)
        var current = previous
        for i in 0..<a.count {
            current[0] = i + 1
            for j in 0..<b.count {
                let substitution = previous[j] + (a[i] == b[j] ? 0 : 1)
                current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, substitution)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    current[j + 1] = min(current[j + 1], older[j - 1] + 1)
                }
            }
            (older, previous, current) = (previous, current, older)
        }
        return previous[b.count]
    }
}

/// Known words, prepared for many look-ups.
struct WordList: Sendable {
    /// Documented keys have at most half of this length; a longer word is not a misspelling.
    static let longest = 48

    private struct Word: Sendable {
        let text: String
        let folded: [UInt8]
        /// One bit per letter: it excludes nearly all pairs before they are compared.
        let letters: UInt64

        /// - Parameter text: compared in lower case without separators (`app_ids`, `app-ids`).
        init(_ text: String) {
            self.text = text
            folded = text.utf8.filter { !"_- ".utf8.contains($0) }.map(\.asciiLowercased)
            letters = folded.reduce(0) { $0 | 1 << UInt64($1 & 63) }
        }
    }

    private let words: [Word]
    private let exact: Set<ExactText>

    init(_ known: [String]) {
        words = known.map { Word($0) }
        exact = Set(known.map { ExactText($0) })
    }

    func contains(_ word: String) -> Bool { exact.contains(ExactText(word)) }

    /// See ``Spelling/correction(of:among:)``.
    func correction(of text: String) -> String? {
        guard text.utf8.count <= Self.longest, !contains(text) else { return nil }
        let word = Word(text)
        let plural = word.folded + Array("es".utf8)
        if let same = words.first(where: { $0.folded == word.folded || $0.folded == plural }) {
            return same.text
        }
        // One or two characters ("/", "?", "id") resemble everything.
        guard word.folded.count >= 4 else { return nil }
        let allowed = word.folded.count <= 5 ? 1 : 2
        var best: (word: String, distance: Int)?
        // Each edit changes at most two bits.
        for candidate in words
        where candidate.folded.count >= 4
            && (candidate.letters ^ word.letters).nonzeroBitCount <= 2 * allowed
        {
            let distance = Spelling.distance(word.folded, candidate.folded, limit: allowed)
            if distance <= allowed, distance < (best?.distance ?? Int.max) {
                best = (candidate.text, distance)
            }
        }
        return best?.word
    }
}
