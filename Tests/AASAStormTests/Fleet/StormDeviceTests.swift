import AASADevice
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormDeviceTests {
    private func device(_ era: Era, tries: Int = 1, asksOnePath: Bool = false) -> StormDevice {
        StormDevice(era: era, patience: 60, triesMaximum: tries, asksOnePath: asksOnePath)
    }

    @Test func oldDevicesFallBackToTheRoot() {
        var phone = device(.ios93)
        expectEqual(phone.begin(), .wellKnown)
        expectEqual(phone.answered(.denied(.refused), status: 404, chance: 0), .ask(.root))
        expectEqual(
            phone.answered(.associated, status: 200, chance: 0), .ended(.associated))
        expectEqual(phone.tries, 1)
    }

    @Test func aStormAgainstOnePathHasNoFallback() {
        var phone = device(.ios93, asksOnePath: true)
        _ = phone.begin()
        expectEqual(
            phone.answered(.denied(.refused), status: 404, chance: 0),
            .ended(.denied(.refused)))
    }

    /// A refusal is final where the device does not ask again, and said to be asked again where it
    /// does.
    @Test(arguments: [
        (Era.ios8, AssociationPath.root, Denial.refused), (.ios13, .wellKnown, .refused),
        (.developer, .wellKnown, .asksAgain), (.managed, .wellKnown, .asksAgain),
        (.ios14, .cdn, .asksAgain),
    ])
    func othersAskOnce(era: Era, path: AssociationPath, denial: Denial) {
        var phone = device(era)
        expectEqual(phone.begin(), path)
        expectEqual(
            phone.answered(.denied(.refused), status: 404, chance: 0), .ended(.denied(denial)))
    }

    /// Apple's rule until iOS 12: every three hours, up to eight tries.
    @Test func theOldRuleRetriesEveryThreeHours() {
        var phone = device(.ios93, tries: 100)
        for _ in 1..<8 {
            _ = phone.begin()
            expectEqual(
                phone.answered(.willRetry, status: 503, chance: 0.5), .wait(seconds: 10_800))
        }
        _ = phone.begin()
        expectEqual(
            phone.answered(.willRetry, status: 503, chance: 0.5),
            .ended(.failed(.triesUsedUp)))
        expectEqual(phone.tries, 8)
    }

    @Test func theLaterRuleDrawsAnHour() {
        var phone = device(.ios13, tries: 2)
        _ = phone.begin()
        expectEqual(phone.answered(.willRetry, status: 503, chance: 0.5), .wait(seconds: 12_600))
        _ = phone.begin()
        expectEqual(phone.answered(.willRetry, status: 503, chance: 0.5), .ended(.willRetry))
    }

    /// A lost answer costs an old device its association; a later one asks again.
    @Test func aFailedTry() {
        var old = device(.ios93, tries: 8)
        _ = old.begin()
        expectEqual(
            old.answered(.failed(.timedOut), status: 0, chance: 0), .ended(.failed(.timedOut)))
        var later = device(.ios13, tries: 8)
        _ = later.begin()
        expectEqual(later.answered(.failed(.reset), status: 0, chance: 0), .wait(seconds: 10_800))
    }

    /// The crawler's refusal is told to devices as a failure of the CDN, which they retry.
    @Test func theCrawlerIsAskedForAgain() {
        var phone = device(.ios14, tries: 2)
        _ = phone.begin()
        expectEqual(
            phone.answered(.denied(.refused), status: 403, chance: 0), .wait(seconds: 10_800))
    }

    @Test func iOS8WantsASignature() {
        var phone = device(.ios8, tries: 8)
        _ = phone.begin()
        expectEqual(
            phone.answered(.denied(.unsigned), status: 200, chance: 0),
            .ended(.denied(.unsigned)))
    }
}
