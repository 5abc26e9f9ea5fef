/// Finds what a misspelt key was meant to be.
enum Spelling {
    /// The known word that `word` was probably meant to be, or nil if it is known or far from all.
    ///
    /// A difference in case alone always counts (keys are case-sensitive, domain.md 2.3); else one
    /// edit for words up to five letters and two for longer ones, with at least half of it right.
    static func correction(of word: String, among known: [String]) -> String? {
        if known.contains(word) { return nil }
        let folded = fold(word)
        if let same = known.first(where: { fold($0) == folded }) { return same }
        // One or two signs ("/", "?", "id") resemble everything.
        guard folded.count >= 4 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known where candidate.count >= 4 {
            let allowed = folded.count <= 5 ? 1 : 2
            let distance = distance(folded, fold(candidate), limit: allowed)
            if distance <= allowed, distance < (best?.distance ?? Int.max) {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// Lower case without the separators people put in (`app_ids`, `app-ids`).
    private static func fold(_ word: String) -> [Character] {
        word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }

    /// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`; above `limit` any
    /// larger number.
    static func distance(_ a: [Character], _ b: [Character], limit: Int) -> Int {
        if abs(a.count - b.count) > limit { return limit + 1 }
        var older = [Int](repeating: 0, count: b.count + 1)
        var previous = Array(0...b.count)
        for i in 0..<a.count {
            var current = [Int](repeating: i + 1, count: b.count + 1)
            for j in 0..<b.count {
                let substitution = previous[j] + (a[i] == b[j] ? 0 : 1)
                current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, substitution)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    current[j + 1] = min(current[j + 1], older[j - 1] + 1)
                }
            }
            older = previous
            previous = current
        }
        return previous[b.count]
    }
}
