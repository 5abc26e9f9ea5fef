import Reactor
import TestSupport
import Testing

@Suite struct PositionedFileTests {
    @Test("reads parts by offset, and fewer bytes at the end")
    func parts() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("file", (0..<100).map { UInt8($0) })
        let file = try PositionedFile(path)
        expectEqual(file.size, 100)
        try expectEqual(file.read(at: 10, count: 3), [10, 11, 12])
        try expectEqual(file.read(at: 98, count: 5), [98, 99])
        try expectEqual(file.read(at: 500, count: 5), [])
        try expectEqual(file.read(at: 0, count: 0), [])
    }

    @Test("rejects what is no regular file, without blocking")
    func others() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.self) { try PositionedFile(folder.path) }
        #expect(throws: FileError.self) { try PositionedFile(folder.path + "/none") }
        #expect(throws: FileError.self) { try PositionedFile("/dev/null") }
    }
}
