import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct ByteSourceTests {
    @Test("a part stays inside the whole")
    func parts() throws {
        let whole = ByteSource((0..<100).map { UInt8($0) })
        let part = try whole.part(at: 10, count: 5)
        try expectEqual(part.read(at: 1, count: 4), [11, 12, 13, 14])
        for (offset, count) in [(0, 6), (5, 1), (-1, 2), (2, -1), (.max, 1), (1, .max)] {
            #expect(throws: Problem.self) { try part.read(at: offset, count: count) }
        }
        #expect(throws: Problem.self) { try whole.part(at: 96, count: 5) }
        #expect(throws: Problem.self) { try part.all(maximum: 4) }
        try expectEqual(part.all(maximum: 5), [10, 11, 12, 13, 14])
    }

    @Test("a file is read by offset, and says where it ends")
    func files() throws {
        let folder = try TemporaryFolder("bytes")
        let path = try folder.write("file", [1, 2, 3])
        let file = try ByteSource(file: path)
        expectEqual(file.size, 3)
        try expectEqual(file.read(at: 1, count: 2), [2, 3])
        #expect(throws: Problem.self) { try file.read(at: 1, count: 3) }
        #expect(throws: Problem.self) { try ByteSource(file: folder.path("none")) }
    }

    @Test("numbers outside of an array are none")
    func numbers() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0xFF]
        #expect(bytes.big32(0) == 0x0102_0304 && bytes.big32(4) == 0x0506_07FF)
        #expect(bytes.big32(5) == nil && bytes.big32(-1) == nil)
        #expect(bytes.little(0, 2) == 0x0201 && bytes.little(7, 2) == nil)
        // Larger than any file.
        #expect(bytes.little(0, 8) == nil)
    }
}
