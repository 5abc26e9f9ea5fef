import Testing

@testable import OpenSSL

@Suite struct RecordCipherTests {
    private let header: [UInt8] = [23, 3, 3, 0, 21]
    private let key = RecordCipher.Key(
        key: SIMD2(1, 2), iv: SIMD2(3 << 32, 4))

    private func seal(
        _ text: [UInt8], _ key: inout RecordCipher.Key, _ cipher: RecordCipher
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: text.count + RecordCipher.tagBytes)
        let isDone = output.withUnsafeMutableBytes { output in
            text.withUnsafeBytes { text in
                header.withUnsafeBytes {
                    cipher.seal(text, associated: $0, with: &key, into: output)
                }
            }
        }
        return isDone ? output : nil
    }

    private func open(
        _ sealed: [UInt8], _ key: inout RecordCipher.Key, _ cipher: RecordCipher,
        _ header: [UInt8]? = nil
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: 100)
        let count = output.withUnsafeMutableBytes { output in
            sealed.withUnsafeBytes { sealed in
                (header ?? self.header).withUnsafeBytes {
                    cipher.open(sealed, associated: $0, with: &key, into: output)
                }
            }
        }
        return count.map { Array(output[..<$0]) }
    }

    @Test func opensWhatItSealedInOrder() throws {
        let cipher = try RecordCipher(library: try TLSLibrary())
        var (writing, reading) = (key, key)
        let first = try #require(seal([1, 2, 3], &writing, cipher))
        let second = try #require(seal([1, 2, 3], &writing, cipher))
        // Each record has a nonce of its own.
        #expect(first != second && writing.sequence == 2)
        #expect(open(first, &reading, cipher) == [1, 2, 3])
        #expect(open(second, &reading, cipher) == [1, 2, 3])
        let empty = try #require(seal([], &writing, cipher))
        #expect(open(empty, &reading, cipher) == [])
        // A record that was left out is noticed.
        var late = key
        #expect(open(second, &late, cipher) == nil)
    }

    @Test func noticesEveryChange() throws {
        let cipher = try RecordCipher(library: try TLSLibrary())
        var writing = key
        let sealed = try #require(seal([1, 2, 3], &writing, cipher))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            var reading = key
            #expect(open(changed, &reading, cipher) == nil)
        }
        var reading = key
        #expect(open(sealed, &reading, cipher, [23, 3, 3, 0, 22]) == nil)
        reading = key
        #expect(open(Array(sealed.prefix(15)), &reading, cipher) == nil)
    }
}
