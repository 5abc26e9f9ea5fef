import Foundation
import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct ZipArchiveTests {
    private static func archive(_ files: [MadeArchive.File]) -> MadeArchive { MadeArchive(files) }

    private static let two = MadeArchive([
        MadeArchive.File("a/one", Array("first".utf8), method: 0),
        MadeArchive.File("a/two", [UInt8](repeating: 7, count: 70_000)),
    ])

    private static func read(_ made: MadeArchive) throws -> ZipArchive {
        try ZipArchive(ByteSource(made.bytes)) { _ in true }
    }

    @Test(
        "reads stored and deflated files, with a comment and with ZIP64", arguments: [false, true])
    func reads(isLarge: Bool) throws {
        var made = Self.two
        made.isLarge = isLarge
        made.comment = Array("PK\u{5}\u{6} in a comment is no directory".utf8)
        let archive = try Self.read(made)
        try expectEqual(archive.open("a/one")?.all(maximum: 9), Array("first".utf8))
        try expectEqual(
            archive.open("a/two")?.all(maximum: 70_000),
            [UInt8](repeating: 7, count: 70_000))
        #expect(try archive.open("a/three") == nil)
    }

    @Test("keeps the wanted files only")
    func wanted() throws {
        let archive = try ZipArchive(ByteSource(Self.two.bytes)) { $0 == "a/two" }
        expectEqual(archive.entries.count, 1)
    }

    private static func cause(_ made: MadeArchive, _ path: String = "a/one") -> String {
        do {
            _ = try read(made).open(path)?.all(maximum: 1 << 20)
            return "nothing"
        } catch {
            return (error as? Problem).map { "\($0)" } ?? "another error"
        }
    }

    @Test("rejects what tools disagree on, and what is not supported")
    func rejects() {
        var made = Self.two
        made.overlaps = true
        #expect(Self.cause(made).contains("share bytes"))
        made = Self.archive([.init("a/one", [1]), .init("a/one", [2])])
        #expect(Self.cause(made).contains("contains a/one twice"))
        made = Self.two
        made.files[0].isEncrypted = true
        #expect(Self.cause(made).contains("encrypted file is not supported"))
        made = Self.two
        made.files[0].method = 12
        #expect(Self.cause(made).contains("method 12 is not supported"))
        made = Self.two
        made.files[0].claimedSize = 4
        #expect(Self.cause(made).contains("two sizes differ"))
        made = Self.two
        made.files[0].claimedSize = 4 << 30 - 2
        #expect(Self.cause(made).contains("a file of 4294967294 bytes is not supported"))
    }

    @Test("a size or a checksum that lies is found")
    func lies() {
        var made = Self.two
        made.files[1].claimedSize = 60_000
        #expect(Self.cause(made, "a/two").contains("expands to more than"))
        made.files[1].claimedSize = 80_000
        #expect(
            Self.cause(made, "a/two").contains("it expands to 70000 bytes instead of 80000"))
        made = Self.two
        made.files[1].claimedChecksum = 1
        #expect(Self.cause(made, "a/two").contains("checksum"))
    }

    @Test("another name before the file than in the directory is found")
    func names() {
        var bytes = Self.two.bytes
        bytes[30] = UInt8(ascii: "b")
        #expect(throws: Problem.self) {
            try ZipArchive(ByteSource(bytes)) { _ in true }.open("a/one")
        }
    }

    @Test("every prefix and every changed byte ends in an error or a result")
    func damage() {
        for isLarge in [false, true] {
            var made = Self.archive([
                .init("a/one", Array("first".utf8), method: 0), .init("a/two", [7, 7, 7]),
            ])
            made.isLarge = isLarge
            let bytes = made.bytes
            func look(_ bytes: [UInt8]) {
                guard let archive = try? ZipArchive(ByteSource(bytes), isWanted: { _ in true })
                else { return }
                for name in archive.entries.keys {
                    _ = try? archive.open(name)?.all(maximum: 1 << 20)
                }
            }
            for count in 0..<bytes.count {
                #expect(throws: Problem.self) {
                    try ZipArchive(ByteSource(Array(bytes[..<count]))) { _ in true }
                }
            }
            for index in bytes.indices {
                for change: UInt8 in [0x01, 0x80, 0xFF] {
                    var bytes = bytes
                    bytes[index] ^= change
                    look(bytes)
                }
            }
        }
    }
}
