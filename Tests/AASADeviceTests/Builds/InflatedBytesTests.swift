import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct InflatedBytesTests {
    /// A head, 4 MB of one byte, and an end.
    private static let content =
        Array("the head".utf8) + [UInt8](repeating: 0x41, count: 4 << 20) + Array("the end".utf8)

    private static func open(_ made: MadeArchive) throws -> ByteSource {
        try #require(try ZipArchive(ByteSource(made.bytes)) { _ in true }.open("file"))
    }

    @Test("reads head and end without what is between, forwards and back")
    func reads() throws {
        let source = try Self.open(MadeArchive([.init("file", Self.content)]))
        expectEqual(source.size, Self.content.count)
        for _ in 0..<2 {
            try expectEqual(source.read(at: 4, count: 4), Array("head".utf8))
            try expectEqual(source.read(at: source.size - 3, count: 3), Array("end".utf8))
        }
        try expectEqual(source.read(at: source.size, count: 0), [])
        #expect(throws: Problem.self) { try source.read(at: source.size - 3, count: 4) }
        try expectEqual(source.read(at: 0, count: source.size), Self.content)
    }

    @Test("more than may come out of one build ends with an error")
    func spends() throws {
        var left = 3 << 20
        let part = ByteSource(MadeArchive.deflate(Self.content))
        let entry = ZipArchive.Entry(
            name: "file", method: 8, isEncrypted: false, checksum: 0, compressedSize: part.size,
            size: Self.content.count, offset: 0)
        let source = InflatedBytes(part, entry) { count in
            left -= count
            return left >= 0
        }
        try expectEqual(source.read(at: 0, count: 8), Array("the head".utf8))
        #expect(throws: Problem.self) { try source.read(at: Self.content.count - 3, count: 3) }
    }
}
