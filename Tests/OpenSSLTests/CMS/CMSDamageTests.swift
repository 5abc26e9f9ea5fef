import Testing

@testable import OpenSSL

@Suite struct CMSDamageTests {
    /// The type of a signed file, the only part of it that is looked at.
    private static let type: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]

    /// A file of so many bytes: a SEQUENCE with the type and an octet string.
    private static func file(_ count: Int, filler: [UInt8] = [0x0D, 0x0A, 0, 0x80]) -> [UInt8] {
        func head(_ tag: UInt8, _ length: Int) -> [UInt8] {
            [tag, 0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
        }
        let rest = count - 4 - type.count - 4
        let content = (0..<rest).map { filler[$0 % filler.count] }
        return head(0x30, count - 4) + type + head(4, rest) + content
    }

    @Test func `A file that is whole is not damaged where that shows`() {
        #expect(CMSDamage.of(Self.file(1000)) == .changedInside(offset: nil))
    }

    /// Certificates and keys are short, and something else.
    @Test(arguments: [(255, false), (256, true)])
    func `What is short is not judged`(count: Int, isJudged: Bool) {
        #expect((CMSDamage.of(Self.file(300).prefix(count).map { $0 & 0x7F }) != nil) == isJudged)
    }

    @Test func `Seven bits and lost zeros are seen first`() {
        let file = Self.file(1000)
        #expect(CMSDamage.of(file.map { $0 & 0x7F }) == .sevenBits)
        #expect(CMSDamage.of(file.filter { $0 != 0 }) == .zerosLost)
        #expect(CMSDamage.of(Array(repeating: 0x80, count: 256)) == .zerosLost)
        #expect(CMSDamage.of(Array(repeating: 0x7F, count: 256)) == .sevenBits)
    }

    @Test func `Returns before each line feed are counted`() {
        let unix = Self.file(1000, filler: [0x0A, 0, 0x80, 1])
        let windows = unix.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let added = windows.count - unix.count
        #expect(added > 200)
        #expect(CMSDamage.of(windows) == .lineEndsAdded(count: added))
        // One that was there before, or one line without: something else happened as well.
        #expect(CMSDamage.of(windows + [0x0A]) == nil)
        #expect(CMSDamage.of(windows.dropLast(0) + [0]) == nil)
    }

    /// Below 700 bytes a value may be missing by chance.
    @Test(arguments: [(699, false), (700, true)])
    func `Lost line ends are told in files that are long enough`(count: Int, isTold: Bool) {
        // CR made LF: the length stays, and the type has lost its own.
        let feeds = Self.file(count).map { $0 == 0x0D ? 0x0A : $0 }
        #expect((CMSDamage.of(feeds) == .carriageReturnsLost) == isTold)
        let returns = Self.file(count).map { $0 == 0x0A ? 0x0D : $0 }
        #expect((CMSDamage.of(returns) == .lineFeedsLost) == isTold)
    }

    @Test func `Returns that were taken away make the file a little shorter`() {
        let few = Self.file(4000, filler: [0x0D] + Array(repeating: 0x80, count: 40) + [0])
        let taken = few.filter { $0 != 0x0D }
        #expect(few.count - taken.count < taken.count / 16)
        #expect(CMSDamage.of(taken) == .carriageReturnsLost)
        // More than a sixteenth is gone: it was cut off.
        let many = Self.file(4000, filler: [0x0D, 0x80, 0])
        #expect(CMSDamage.of(many.filter { $0 != 0x0D }) == nil)
        // One is left: they were not taken away.
        var kept = taken
        kept[kept.count - 1] = 0x0D
        #expect(CMSDamage.of(kept) == nil)
    }

    @Test func `The first byte that is wrong is told`() {
        for index in Self.type.indices {
            var bytes = Self.file(1000)
            bytes[4 + index] ^= 0x40
            guard case .changedInside(let offset) = CMSDamage.of(bytes) else {
                Issue.record("byte \(index)")
                continue
            }
            // The head of the type is read as another element: then DER tells.
            if index > 1 { #expect(offset == 4 + index) } else { #expect(offset != nil) }
        }
        var two = Self.file(1000)
        two[10] ^= 1
        two[12] ^= 1
        #expect(CMSDamage.of(two) == .changedInside(offset: 10))
        // Three are another type, which is something else.
        two[13] ^= 1
        #expect(CMSDamage.of(two) == nil)
    }

    @Test func `A length inside that cannot be is a place`() {
        var bytes = Self.file(1000)
        // The octet string's, of five octets.
        bytes[16] = 0x85
        #expect(CMSDamage.of(bytes) == .changedInside(offset: 15))
    }

    @Test func `What has another length is not this`() {
        #expect(CMSDamage.of(Self.file(1000) + [0]) == nil)
        #expect(CMSDamage.of(Self.file(1000).dropLast()) == nil)
    }

    @Test func `Each is told in words of its own`() {
        let all: [CMSDamage] = [
            .lineEndsAdded(count: 17), .carriageReturnsLost, .lineFeedsLost, .sevenBits,
            .zerosLost, .changedInside(offset: 42), .changedInside(offset: nil),
        ]
        #expect(Set(all.map(\.message)).count == all.count)
        #expect(all[0].message.contains("17 bytes"))
        #expect(all[5].message.contains("at 42"))
    }
}
