import TestSupport
import Testing

@testable import HTTP

struct HTTPDateTests {
    /// The text belongs to the object, which may not go before it has been read.
    func text(of date: HTTPDate) -> String {
        withExtendedLifetime(date) { String(decoding: date.bytes, as: UTF8.self) }
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func fixdate(seconds: Int64, expected: String) {
        expectEqual(text(of: HTTPDate(unixSeconds: seconds)), expected)
    }

    @Test func updateKeepsItsAddress() {
        let date = HTTPDate(unixSeconds: 0)
        let address = date.bytes.baseAddress
        date.update(unixSeconds: 784_111_777)
        expectEqual(date.bytes.baseAddress, address)
        expectEqual(text(of: date), "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
