import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckSettingsTests {
    /// However many swallow packets, half of the deadline is left where that is fair; a single one
    /// may take it all.
    @Test func leavesTimeBehindSilentAddresses() {
        var settings = CheckSettings(now: 0)
        settings.phone.limits.connect = .seconds(15)
        settings.deadline = .seconds(30)
        settings.probesAtOnce = 8
        expectEqual(settings.connectLimit(addresses: 1), .seconds(15))
        expectEqual(settings.connectLimit(addresses: 2), .seconds(5))
        expectEqual(settings.connectLimit(addresses: 12), .seconds(5))
        expectEqual(settings.connectLimit(addresses: 16), .milliseconds(3750))
        settings.probesAtOnce = 1
        expectEqual(settings.connectLimit(addresses: 3), .milliseconds(2500))
        // A packet that was lost is sent again after a second.
        expectEqual(settings.connectLimit(addresses: 16), .seconds(2))
        settings.phone.limits.connect = .seconds(1)
        expectEqual(settings.connectLimit(addresses: 3), .seconds(1))
    }
}
