import Testing

@testable import OpenSSL

@Suite struct X25519KeyTests {
    @Test func bothAgree() throws {
        let library = try TLSLibrary()
        let one = try X25519Key(library: library)
        let other = try X25519Key(library: library)
        #expect(one.publicKey.count == 32 && one.publicKey != other.publicKey)
        let secret = other.publicKey.withUnsafeBytes { one.agree(with: $0) }
        #expect(secret != nil)
        #expect(one.publicKey.withUnsafeBytes { other.agree(with: $0) } == secret)
        // Again with the same key: one is used for thousands.
        #expect(other.publicKey.withUnsafeBytes { one.agree(with: $0) } == secret)
    }

    @Test(arguments: [0, 31, 33]) func refusesWhatIsNoKey(_ count: Int) throws {
        let key = try X25519Key(library: try TLSLibrary())
        let bytes = [UInt8](repeating: 9, count: count)
        #expect(bytes.withUnsafeBytes { key.agree(with: $0) } == nil)
    }

    /// RFC 7748 section 6.1: points of small order give a secret of zeros.
    @Test func refusesASecretThatEverybodyKnows() throws {
        let key = try X25519Key(library: try TLSLibrary())
        for first: UInt8 in [0, 1] {
            let bytes = [first] + [UInt8](repeating: 0, count: 31)
            #expect(bytes.withUnsafeBytes { key.agree(with: $0) } == nil)
        }
        #expect(key.publicKey.withUnsafeBytes { key.agree(with: $0) } != nil)
    }
}
