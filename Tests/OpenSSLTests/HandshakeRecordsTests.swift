import Testing

@testable import OpenSSL

@Suite struct HandshakeRecordsTests {
    private func record(_ size: Int) -> [UInt8] {
        [22, 3, 1, UInt8(size >> 8), UInt8(size & 255)] + [UInt8](repeating: 7, count: size)
    }

    /// Fed in pieces of this size; whether all of it is taken.
    private func isTaken(_ bytes: [UInt8], pieces: Int) -> Bool {
        var records = HandshakeRecords()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            if !piece.withUnsafeBytes({ records.receive($0) }) { return false }
        }
        return true
    }

    /// However TCP cuts the bytes.
    @Test(arguments: [1, 2, 5, 6, 7, 1000, 1 << 20])
    func theBoundIsOneOfRecords(pieces: Int) {
        let free = [[UInt8]](repeating: record(1), count: HandshakeRecords.free).flatMap(\.self)
        #expect(isTaken(free, pieces: pieces))
        let some = [[UInt8]](repeating: record(1), count: HandshakeRecords.free + 100)
        #expect(!isTaken(some.flatMap(\.self), pieces: pieces))
    }

    /// What OpenSSL allows as a ClientHello, twice, in records that clients make.
    @Test(arguments: [16_384, 1024, 128])
    func aLongHelloInOrdinaryRecordsIsTaken(size: Int) {
        let count = TLSLimits.handshakeBytes / (size + 5)
        let all = [[UInt8]](repeating: record(size), count: count).flatMap(\.self)
        #expect(isTaken(all, pieces: 32_768))
    }

    @Test func emptyRecordsCount() {
        #expect(!isTaken([UInt8](repeating: 0, count: 6 * HandshakeRecords.free), pieces: 4096))
    }
}
