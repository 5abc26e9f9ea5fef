import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormProgressTests {
    @Test func oneLineSaysHowThingsStand() {
        let progress = StormProgress()
        for _ in 0..<1500 { progress.started() }
        for _ in 0..<3 { progress.ended(.associated) }
        progress.ended(.willRetry)
        progress.ended(.failed(.cut))
        expectEqual(
            progress.line(devices: 2000, seconds: 4),
            "4 s: 1,500 of 2,000 arrived, 3 associated, 1 answered 503, 0 denied, 1 failed, "
                + "1,495 waiting")
        #expect(!progress.isStopped)
        progress.stop()
        #expect(progress.isStopped)
    }
}
