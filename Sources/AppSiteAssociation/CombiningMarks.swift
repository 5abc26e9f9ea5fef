/// Detects long runs of combining marks, which make text processing slow.
///
/// Swift compares text by canonical equivalence: it sorts each run of marks, in a time that grows
/// with the square of its length. 128 KB of marks after one letter took 35 seconds. The Stream-Safe
/// Text Format (Unicode Standard Annex 15, section 13) allows 30 in a row, more than any language
/// needs; text with more is rejected when it is parsed.
enum CombiningMarks {
    static let rowMaximum = 30

    /// Whether some run has more than ``rowMaximum`` marks.
    static func exceedRow(_ text: String) -> Bool {
        // Marks begin at U+0300, which has two bytes in UTF-8, the first of them 0xCC.
        if text.utf8.allSatisfy({ $0 < 0xCC }) { return false }
        var row = 0
        for scalar in text.unicodeScalars {
            if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
                row = 0
            } else {
                row += 1
                if row > rowMaximum { return true }
            }
        }
        return false
    }
}
