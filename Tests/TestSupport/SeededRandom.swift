import Reactor

/// The product's repeatable random numbers, with the seed at hand, so that a failed test can say
/// how it is repeated.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The seed it was made with; print it when a test fails.
    public let seed: UInt64
    private var generator: SplitMix

    /// A generator that yields the same numbers for the same seed on every machine.
    public init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix(seed: seed)
    }

    public mutating func next() -> UInt64 { generator.next() }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
