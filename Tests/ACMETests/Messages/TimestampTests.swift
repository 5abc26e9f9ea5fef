import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct TimestampTests {
    @Test func `Moments as authorities write them`() {
        #expect(Timestamp.rfc3339("1970-01-01T00:00:00Z") == 0)
        #expect(Timestamp.rfc3339("2026-11-22T07:30:00.123+01:00") == 1_795_329_000)
        #expect(Timestamp.rfc3339("2026-02-29T00:00:00Z") == nil)
        #expect(Timestamp.rfc3339("2024-02-29T00:00:00Z") == 1_709_164_800)
        for bad in ["", "2026-11-22", "2026-11-22T25:00:00Z", "2026-11-22T00:00:00", "x"] {
            #expect(Timestamp.rfc3339(bad) == nil, "\(bad)")
        }
        #expect(Timestamp.httpDate("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(Timestamp.retryAfter("120", now: 5) == 120)
        #expect(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == 7)
        #expect(Timestamp.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_800) == 0)
        #expect(Timestamp.retryAfter("soon", now: 0) == nil)
        #expect(Timestamp.retryAfter("-5", now: 0) == nil)
    }
}
