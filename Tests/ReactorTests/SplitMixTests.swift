import TestSupport
import Testing

@testable import Reactor

@Suite struct SplitMixTests {
    @Test func membersDrawAlikeWhoeverPlaysThem() {
        var one = SplitMix(seed: 5, member: 9)
        var same = SplitMix(seed: 5, member: 9)
        var neighbour = SplitMix(seed: 5, member: 10)
        let drawn = one.next()
        expectEqual(drawn, same.next())
        #expect(drawn != neighbour.next())
        // Neighbours are not alike: half of a thousand draws fall into either half.
        let low = (0..<1000).count { SplitMix.first(seed: 1, member: $0) < .max / 2 }
        #expect((400...600).contains(low))
    }
}

extension SplitMix {
    fileprivate static func first(seed: UInt64, member: Int) -> UInt64 {
        var random = SplitMix(seed: seed, member: member)
        return random.next()
    }
}
