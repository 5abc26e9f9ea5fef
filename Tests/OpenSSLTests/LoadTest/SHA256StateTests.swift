import Testing

@testable import OpenSSL

@Suite struct SHA256StateTests {
    private func hex(_ block: Block256) -> String {
        withUnsafeBytes(of: block) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// NIST FIPS 180-4, "abc", in one piece and in two.
    @Test func digestsAndGoesOn() {
        var state = SHA256State()
        Array("ab".utf8).withUnsafeBytes { state.update($0) }
        var copy = state
        Array("c".utf8).withUnsafeBytes { state.update($0) }
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(hex(state.digest) == abc)
        // A digest ends nothing, and a copy goes its own way.
        #expect(hex(state.digest) == abc)
        Array("c".utf8).withUnsafeBytes { copy.update($0) }
        #expect(hex(copy.digest) == abc)
        #expect(
            hex(Array("abc".utf8).withUnsafeBytes { SHA256State.digest(of: $0) }) == abc)
        #expect(
            hex(SHA256State().digest)
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    /// RFC 4231, test case 1: a key of 20 bytes is one of 32 that ends in zeros.
    @Test func authenticates() {
        var key = Block256()
        withUnsafeMutableBytes(of: &key) { for index in 0..<20 { $0[index] = 0x0B } }
        let mac = Array("Hi There".utf8).withUnsafeBytes { SHA256State.hmac(key: key, $0) }
        #expect(
            hex(mac) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    }
}
