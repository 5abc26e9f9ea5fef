import OpenSSL
import TestSupport
import Testing

@Suite struct AuthenticatedCipherTests {
    private let key = [UInt8](repeating: 7, count: 32)

    /// The GCM specification's test case 14 (McGrew, Viega): key and nonce of zeros, one block.
    @Test func theVectorOfTheSpecificationOpens() {
        let sealed =
            [UInt8](repeating: 0, count: 12)
            + [
                0xCE, 0xA7, 0x40, 0x3D, 0x4D, 0x60, 0x6B, 0x6E, 0x07, 0x4E, 0xC5, 0xD3, 0xBA, 0xF3,
                0x9D, 0x18,
            ]
            + [
                0xD0, 0xD1, 0xC8, 0xA7, 0x99, 0x99, 0x6B, 0xF0, 0x26, 0x5B, 0x98, 0xB5, 0xD4, 0x8A,
                0xB9, 0x19,
            ]
        let opened = AuthenticatedCipher.open(
            sealed, key: [UInt8](repeating: 0, count: 32), associated: [])
        expectEqual(opened, [UInt8](repeating: 0, count: 16))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 5000])
    func everyLengthComesBack(_ count: Int) throws {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try AuthenticatedCipher.seal(plain, key: key, associated: [1])
        expectEqual(
            sealed.count,
            count + AuthenticatedCipher.nonceBytes + AuthenticatedCipher.tagBytes)
        expectEqual(AuthenticatedCipher.open(sealed, key: key, associated: [1]), plain)
        #expect(AuthenticatedCipher.open(sealed, key: key, associated: [2]) == nil)
        #expect(AuthenticatedCipher.open(sealed, key: key, associated: []) == nil)
        var other = key
        other[0] ^= 1
        #expect(AuthenticatedCipher.open(sealed, key: other, associated: [1]) == nil)
        #expect(
            AuthenticatedCipher.open(Array(sealed.dropLast()), key: key, associated: [1]) == nil)
        // The same twice has another nonce.
        #expect(try AuthenticatedCipher.seal(plain, key: key, associated: [1]) != sealed)
    }

    @Test func keysOfAnotherLengthAreRefused() {
        #expect(throws: OpenSSLError.self) {
            try AuthenticatedCipher.seal([1], key: [1, 2], associated: [])
        }
        #expect(AuthenticatedCipher.open([1, 2], key: key, associated: []) == nil)
    }
}
