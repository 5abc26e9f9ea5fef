import AASAFleet
import Reactor
import TestSupport
import Testing

@Suite struct MemberRingTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    @Test func everyMemberIsAskedBeforeAnybodyWaits() {
        var ring = MemberRing(count: 3, seed: 5)
        var asked: Set<Int> = []
        for _ in 0..<2 {
            asked.insert(ring.current)
            ring.failed(now: start)
            #expect(ring.pauseEnds == nil)
        }
        asked.insert(ring.current)
        ring.failed(now: start)
        expectEqual(asked, [0, 1, 2])
        #expect(ring.pauseEnds != nil)
        ring.succeeded()
        #expect(ring.pauseEnds == nil)
    }

    @Test func pausesDoubleUpToABoundAndDiffer() {
        var pauses: [Int64] = []
        var ring = MemberRing(count: 1, seed: 1)
        for _ in 0..<40 {
            ring.failed(now: start)
            pauses.append((ring.pauseEnds.map { $0 - start } ?? .zero).inNanoseconds)
        }
        let least = MemberRing.pauseMinimum.inNanoseconds
        let most = MemberRing.pauseMaximum.inNanoseconds
        #expect(pauses[0] >= least / 2 && pauses[0] <= least)
        #expect(pauses.allSatisfy { $0 <= most })
        #expect(pauses.suffix(20).allSatisfy { $0 >= most / 2 })
        #expect(Set(pauses.suffix(20)).count > 10)
    }

    @Test func machinesSpreadOverTheMembers() {
        let first = (0..<300).map { MemberRing(count: 3, seed: UInt64($0)).current }
        for member in 0..<3 { #expect(first.count { $0 == member } > 50) }
    }
}
