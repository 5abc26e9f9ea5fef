import AASADevice
import Testing

@testable import AASAStorm

@Suite struct StormDeviceTests {
    private func device(_ era: Era, tries: Int = 1, asksOnePath: Bool = false) -> StormDevice {
        StormDevice(era: era, patience: 60, triesMaximum: tries, asksOnePath: asksOnePath)
    }

    @Test func oldDevicesFallBackToTheRoot() {
        var phone = device(.ios93)
        #expect(phone.begin() == .wellKnown)
        #expect(phone.answered(.denied, status: 404, chance: 0) == .ask(.root))
        #expect(phone.answered(.associated, status: 200, chance: 0) == .ended)
        #expect(phone.tries == 1)
    }

    @Test func aStormAgainstOnePathHasNoFallback() {
        var phone = device(.ios93, asksOnePath: true)
        _ = phone.begin()
        #expect(phone.answered(.denied, status: 404, chance: 0) == .ended)
    }

    @Test(arguments: [
        (Era.ios8, AssociationPath.root), (.ios13, .wellKnown), (.developer, .wellKnown),
        (.managed, .wellKnown), (.ios14, .cdn),
    ])
    func othersAskOnce(era: Era, path: AssociationPath) {
        var phone = device(era)
        #expect(phone.begin() == path)
        #expect(phone.answered(.denied, status: 404, chance: 0) == .ended)
    }

    /// Apple's rule until iOS 12: every three hours, up to eight tries.
    @Test func theOldRuleRetriesEveryThreeHours() {
        var phone = device(.ios93, tries: 100)
        for _ in 1..<8 {
            _ = phone.begin()
            #expect(
                phone.answered(.willRetry, status: 503, chance: 0.5) == .wait(seconds: 10_800))
        }
        _ = phone.begin()
        #expect(phone.answered(.willRetry, status: 503, chance: 0.5) == .ended)
        #expect(phone.tries == 8)
    }

    @Test func theLaterRuleDrawsAnHour() {
        var phone = device(.ios13, tries: 2)
        _ = phone.begin()
        #expect(phone.answered(.willRetry, status: 503, chance: 0.5) == .wait(seconds: 12_600))
        _ = phone.begin()
        #expect(phone.answered(.willRetry, status: 503, chance: 0.5) == .ended)
    }

    /// A lost answer costs an old device its association; a later one asks again.
    @Test func aFailedTry() {
        var old = device(.ios93, tries: 8)
        _ = old.begin()
        #expect(old.answered(.failed(.timedOut), status: 0, chance: 0) == .ended)
        var later = device(.ios13, tries: 8)
        _ = later.begin()
        #expect(later.answered(.failed(.reset), status: 0, chance: 0) == .wait(seconds: 10_800))
    }

    /// The crawler's refusal is told to devices as a failure of the CDN, which they retry.
    @Test func theCrawlerIsAskedForAgain() {
        var phone = device(.ios14, tries: 2)
        _ = phone.begin()
        #expect(phone.answered(.denied, status: 403, chance: 0) == .wait(seconds: 10_800))
    }

    @Test func iOS8WantsASignature() {
        var phone = device(.ios8, tries: 8)
        _ = phone.begin()
        #expect(phone.answered(.denied, status: 200, chance: 0) == .ended)
    }
}
