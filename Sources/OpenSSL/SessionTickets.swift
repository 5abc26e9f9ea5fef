internal import COpenSSL

/// The keys that encrypt session tickets, shared by all workers of a process.
///
/// Keys are random, kept in memory only, and rotated; the previous key remains for decryption. So a
/// ticket is valid for at most two periods.
package final class SessionTickets: Sendable {
    struct Key: Sendable {
        var name: [UInt8]  // 16 bytes
        var cipher: [UInt8]  // 32 bytes, AES-256-CBC
        var mac: [UInt8]  // 32 bytes, HMAC-SHA-256
    }

    private struct Ring: Sendable {
        var current: Key
        var previous: Key?
        var madeAt: Int64
    }

    private let ring: LibraryLock<Ring>
    /// Seconds between key rotations.
    package let period: Int64

    /// - Parameters:
    ///   - now: seconds of any monotonic clock; the same clock as for ``rotate(now:)``.
    ///   - period: seconds; 12 hours, as HAProxy's documentation recommends.
    /// - Throws: ``OpenSSLError`` if random numbers are not available.
    package init(now: Int64, period: Int64 = 12 * 3600) throws(OpenSSLError) {
        TLSLibrary.prepare()
        self.period = period
        ring = LibraryLock(
            Ring(current: try SessionTickets.makeKey(), previous: nil, madeAt: now))
    }

    /// Creates a new key if the current one is older than the period. Call it regularly, from one
    /// place. Without random numbers the old key stays.
    ///
    /// - Returns: whether there is a new key.
    @discardableResult
    package func rotate(now: Int64) -> Bool {
        let due = ring.withLock { now - $0.madeAt >= period }
        guard due, let key = try? SessionTickets.makeKey() else { return false }
        ring.withLock {
            // After a pause of two periods the current key is too old for decryption, too.
            $0.previous = now - $0.madeAt >= 2 * period ? nil : $0.current
            $0.current = key
            $0.madeAt = now
        }
        return true
    }

    /// The key for encryption.
    var sealing: Key { ring.withLock { $0.current } }

    /// The key with this name, and whether it is the current one.
    func opening(_ name: UnsafePointer<UInt8>) -> (key: Key, isCurrent: Bool)? {
        let name = UnsafeBufferPointer(start: name, count: 16)
        return ring.withLock { ring in
            if name.elementsEqual(ring.current.name) { return (ring.current, true) }
            if let previous = ring.previous, name.elementsEqual(previous.name) {
                return (previous, false)
            }
            return nil
        }
    }

    private static func makeKey() throws(OpenSSLError) -> Key {
        var bytes = [UInt8](repeating: 0, count: 80)
        guard RAND_priv_bytes(&bytes, Int32(bytes.count)) == 1 else {
            throw OpenSSLError(doing: "making a session ticket key")
        }
        return Key(
            name: Array(bytes[0..<16]), cipher: Array(bytes[16..<48]), mac: Array(bytes[48..<80]))
    }
}
