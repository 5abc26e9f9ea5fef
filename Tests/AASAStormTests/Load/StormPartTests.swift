import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormPartTests {
    @Test func readsWhatIsWritten() {
        expectEqual(StormPart(parsing: "3/20", jobIndex: nil)?.text, "3/20")
        expectEqual(StormPart(parsing: "job/4", jobIndex: "0")?.text, "1/4")
        expectEqual(StormPart(parsing: "job/4", jobIndex: "3")?.text, "4/4")
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/1001", "a/b", "1/2/3", "job/4"] {
            #expect(StormPart(parsing: wrong, jobIndex: nil) == nil, "\(wrong)")
        }
        #expect(StormPart(parsing: "job/4", jobIndex: "4") == nil)
        for wrong in ["-1", "\(Int.max)", "9223372036854775808", "", "x"] {
            #expect(StormPart(parsing: "job/4", jobIndex: wrong) == nil, "\(wrong)")
        }
    }

    @Test func sharesAddUp() {
        for devices in [0, 1, 7, 100, 1001] {
            let shares = (1...4).compactMap {
                StormPart(parsing: "\($0)/4", jobIndex: nil)?.share(of: devices)
            }
            expectEqual(shares.reduce(0, +), devices)
        }
    }
}
