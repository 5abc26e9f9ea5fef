import TestSupport
import Testing

@testable import AASAServer

@Suite struct TimeTextTests {
    @Test func millisecondsHaveThreeDigits() {
        expectEqual(TimeText.millisecond(0), "1970-01-01T00:00:00.000Z")
        expectEqual(TimeText.millisecond(1007), "1970-01-01T00:00:01.007Z")
        expectEqual(TimeText.millisecond(951_782_399_999), "2000-02-28T23:59:59.999Z")
        expectEqual(TimeText.millisecond(-1), "1969-12-31T23:59:59.999Z")
    }
}
