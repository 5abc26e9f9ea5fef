/// A random generator whose numbers follow from its seed, so that a failed test can be repeated.
///
/// SplitMix64 (Steele, Lea, Flood 2014): tiny, passes BigCrush, and one word of state.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The seed it was made with; print it when a test fails.
    public let seed: UInt64
    private var state: UInt64

    /// A generator that yields the same numbers for the same seed on every machine.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
