import Testing

@testable import AASADevice

@Suite struct WatchSettingsTests {
    /// Half an interval, and never less than ten seconds; in milliseconds.
    @Test(arguments: [
        (Int64(1), Int64(10_000)), (20, 10_000), (21, 10_500), (300, 150_000), (3600, 1_800_000),
    ])
    func allowsHalfAnIntervalOfDelay(interval: Int64, milliseconds: Int64) {
        #expect(WatchSettings(interval: interval).latenessMaximum == milliseconds)
    }

    /// What takes its time by design has it, and nothing else.
    @Test func givesTimeToWhatNeedsIt() {
        let settings = WatchSettings(interval: 300)
        for code in CheckCode.allCases {
            let grace: Int64 =
                switch code {
                case .cdnStale: 24 * 3600
                case .documentUnpublished: 3600
                case _ where code.rawValue.hasPrefix("cdn-"): 2 * 3600
                default: 0
                }
            #expect(settings.grace(code.rawValue) == grace, "\(code.rawValue)")
        }
        #expect(settings.grace("signed-expired") == 0)
    }

    /// The times belong together: a change is confirmed before the next turn, and what flaps can
    /// do so within its window.
    @Test func fitTogether() {
        let settings = WatchSettings(interval: 300)
        #expect(settings.confirmAfter < settings.interval)
        #expect(settings.looksToConfirm > 1)
        #expect(settings.flapBeginnings > 2)
        #expect(Int64(settings.flapBeginnings) * settings.interval < settings.flapWindow)
        #expect(settings.failedCopyMaximum < settings.copyMaximum)
        #expect(settings.copyMaximum < settings.lostAppMaximum)
    }
}
