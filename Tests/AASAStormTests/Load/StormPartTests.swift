import Testing

@testable import AASAStorm

@Suite struct StormPartTests {
    @Test func readsWhatIsWritten() {
        #expect(StormPart(parsing: "3/20", jobIndex: nil)?.text == "3/20")
        #expect(StormPart(parsing: "job/4", jobIndex: "0")?.text == "1/4")
        #expect(StormPart(parsing: "job/4", jobIndex: "3")?.text == "4/4")
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/1001", "a/b", "1/2/3", "job/4"] {
            #expect(StormPart(parsing: wrong, jobIndex: nil) == nil, "\(wrong)")
        }
        #expect(StormPart(parsing: "job/4", jobIndex: "4") == nil)
    }

    @Test func sharesAddUp() {
        for devices in [0, 1, 7, 100, 1001] {
            let shares = (1...4).compactMap {
                StormPart(parsing: "\($0)/4", jobIndex: nil)?.share(of: devices)
            }
            #expect(shares.reduce(0, +) == devices)
        }
    }

    @Test func membersDrawAlikeWhoeverPlaysThem() {
        var one = SplitMix(seed: 5, member: 9)
        var same = SplitMix(seed: 5, member: 9)
        var neighbour = SplitMix(seed: 5, member: 10)
        let drawn = one.next()
        #expect(drawn == same.next())
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
