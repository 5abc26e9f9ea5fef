import AASADevice
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct EraMixTests {
    @Test func drawsByWeight() throws {
        let mix = try EraMix(parsing: "ios9.3:1,developer:3")
        var random = SplitMix(seed: 11)
        var counts: [Era: Int] = [:]
        for _ in 0..<4000 { counts[mix.draw(using: &random), default: 0] += 1 }
        expectEqual(Set(counts.keys), [.ios93, .developer])
        #expect((800...1200).contains(counts[.ios93] ?? 0))
        expectEqual(mix.text, "ios9.3:1,developer:3")
    }

    @Test func anEraAloneWeighsOne() throws {
        let mix = try EraMix(parsing: "ios13")
        expectEqual(mix, .standard)
        expectEqual(mix.text, "ios13:1")
    }

    @Test(arguments: [
        "", "ios7", "ios13:", "ios13:0", "ios13:-1", "ios13:1:2", "ios13,ios13", "ios13:1,",
        "ios13:1000001", "ios13:x",
    ])
    func refusesWhatIsNoMix(text: String) {
        #expect(throws: StormProblem.self) { try EraMix(parsing: text) }
    }
}
