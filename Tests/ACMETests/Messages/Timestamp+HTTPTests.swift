import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct TimestampTests {
    @Test func `Moments as authorities write them`() {
        expectEqual(Timestamp.seconds(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
        for bad in ["", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "x"] {
            #expect(Timestamp.seconds(httpDate: bad) == nil, "\(bad)")
        }
        expectEqual(Timestamp.retryAfter("120", now: 5), 120)
        expectEqual(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770), 7)
        expectEqual(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_800), 0)
        #expect(Timestamp.retryAfter("soon", now: 0) == nil)
        #expect(Timestamp.retryAfter("-5", now: 0) == nil)
    }
}
