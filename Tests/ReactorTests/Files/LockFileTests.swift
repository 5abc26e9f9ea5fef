import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct LockFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("f") }

    init() throws { folder = try TemporaryFolder("lock") }

    private func text() throws -> String { String(decoding: try folder.read("f"), as: UTF8.self) }

    @Test func `Only one has it, until it is gone`() throws {
        do {
            let first = try LockFile(path, .writing(mode: 0o644))
            #expect(try first.lock())
            let second = try LockFile(path, .reading)
            #expect(try !second.lock())
            #expect(try !second.lock(isShared: true))
            // The same descriptor has it already.
            #expect(try first.lock())
        }
        let third = try LockFile(path, .reading)
        #expect(try third.lock(isShared: true))
        let fourth = try LockFile(path, .reading)
        #expect(try fourth.lock(isShared: true))
        #expect(try !fourth.lock())
    }

    @Test func `Kept until the process ends, it is locked for all others`() throws {
        let file = try LockFile(path, .new(mode: 0o644))
        #expect(try file.lock())
        file.keepUntilExit()
        #expect(try !LockFile(path, .reading).lock())
    }

    @Test func `Its content is replaced in its place`() throws {
        let file = try LockFile(path, .writing(mode: 0o600))
        expectEqual((Files.status(path)?.mode ?? 0) & 0o777, 0o600)
        try expectEqual(text(), "")
        try file.write(Array("longer".utf8))
        try file.write(Array("new".utf8))
        try expectEqual(text(), "newger")
        try file.truncate()
        try file.write(Array("new".utf8))
        try expectEqual(text(), "new")
    }

    @Test func `A file that was removed or replaced is not at its path any more`() throws {
        let file = try LockFile(path, .writing(mode: 0o600))
        expectEqual(file.isAt(path), true)
        expectEqual(unlink(path), 0)
        expectEqual(file.isAt(path), false)
        let other = try LockFile(path, .writing(mode: 0o600))
        expectEqual([other.isAt(path), file.isAt(path)], [true, false])
    }

    private func failure(_ opening: LockFile.Opening) -> FileError.Reason? {
        do throws(FileError) {
            _ = try LockFile(path, opening)
            return nil
        } catch { return error.reason }
    }

    @Test func `What is there is opened, what is not is made, as asked`() throws {
        expectEqual(failure(.reading), .system(ENOENT))
        #expect(failure(.new(mode: 0o600)) == nil)
        expectEqual(failure(.new(mode: 0o600)), .system(EEXIST))
        #expect(failure(.writing(mode: 0o600)) == nil)
        expectEqual(rename(path, folder.path("target")), 0)
        expectEqual(symlink("target", path), 0)
        #expect(failure(.writing(mode: 0o600)) == nil)
        expectEqual(failure(.writingIfAllowed(mode: 0o600)), .system(ELOOP))
    }

    /// A disk that is read-only, or a file of somebody else.
    @Test(arguments: [EROFS, EACCES])
    func `What cannot be written is read where that will do`(number: Int32) throws {
        try folder.write("f", "old")
        FaultInjection.arm(.open, number: number)
        defer { FaultInjection.disarm() }
        let file = try LockFile(path, .writingIfAllowed(mode: 0o600))
        try expectEqual(text(), "old")
        #expect(throws: SystemError.self) { try file.truncate() }
        FaultInjection.arm(.open, number: number)
        expectEqual(failure(.writing(mode: 0o600)), .system(number))
        FaultInjection.arm(.open, number: ENOSPC)
        expectEqual(failure(.writingIfAllowed(mode: 0o600)), .system(ENOSPC))
    }
}
