/// The value of the Date field (IMF-fixdate, RFC 9110 §5.6.7), formatted once per second.
///
/// One per worker. Its 29 octets have a stable address, so that HTTP/2 field lists can point to
/// them; the owner of such a list keeps the object alive. It reads no clock: the event loop calls
/// ``update(unixSeconds:)`` once per turn.
package final class HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package static let byteCount = 29

    package private(set) var unixSeconds: Int64
    private let storage: UnsafeMutablePointer<UInt8>

    /// - Parameter unixSeconds: seconds since 1970-01-01 00:00:00 UTC; years 1970 to 9999.
    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
        storage = .allocate(capacity: Self.byteCount)
        storage.initialize(repeating: 0x20, count: Self.byteCount)
        write()
    }

    deinit {
        storage.deallocate()
    }

    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage, count: Self.byteCount)
    }

    /// Updates the text; cheap if the second has not changed.
    package func update(unixSeconds: Int64) {
        if unixSeconds == self.unixSeconds { return }
        self.unixSeconds = unixSeconds
        write()
    }

    private func write() {
        // 253402300799 is 9999-12-31 23:59:59: the format has four digits for the year.
        let seconds = min(max(unixSeconds, 0), 253_402_300_799)
        let days = seconds / 86_400
        let time = Int(seconds % 86_400)
        let date = CivilDate(daysSince1970: Int(days))
        // 1970-01-01 was a Thursday, index 3 from Monday.
        put("MonTueWedThuFriSatSun", (Int(days) + 3) % 7, at: 0)
        storage[3] = Octet.comma
        put(date.day, digits: 2, at: 5)
        put("JanFebMarAprMayJunJulAugSepOctNovDec", date.month - 1, at: 8)
        put(date.year, digits: 4, at: 12)
        put(time / 3600, digits: 2, at: 17)
        storage[19] = Octet.colon
        put(time / 60 % 60, digits: 2, at: 20)
        storage[22] = Octet.colon
        put(time % 60, digits: 2, at: 23)
        put("GMT", 0, at: 26)
    }

    private func put(_ names: StaticString, _ index: Int, at offset: Int) {
        (storage + offset).update(from: names.utf8Start + index * 3, count: 3)
    }

    private func put(_ number: Int, digits: Int, at offset: Int) {
        var rest = number
        for place in (0..<digits).reversed() {
            storage[offset + place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
