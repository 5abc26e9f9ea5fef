/// A small, fast, reproducible random number generator (SplitMix64, Steele et al. 2014): a storm
/// with the same seed has the same devices. Not for secrets.
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The sequence of one numbered member: reproducible, and independent of the other members.
    package init(seed: UInt64, member: Int) {
        var mixer = SplitMix(seed: seed)
        state = mixer.next() ^ (UInt64(truncatingIfNeeded: member) &* 0xD129_0A1D_6F2B_4C85)
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
