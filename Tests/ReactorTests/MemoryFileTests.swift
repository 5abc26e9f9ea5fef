import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct MemoryFileTests {
    @Test func `What was put in comes out, from its beginning, as often as it is read`() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = FileDescriptor(owning: try MemoryFile.make("test", bytes))
        #expect(fcntl(file.raw, F_GETFD) & FD_CLOEXEC != 0)
        expectEqual(lseek(file.raw, 0, SEEK_CUR), 0)
        var one: UInt8 = 9
        #expect(read(file.raw, &one, 1) == 1 && one == 0)
        for _ in 0..<2 {
            expectEqual(MemoryFile.bytes(of: file.raw, maximum: bytes.count), bytes)
        }
        let empty = FileDescriptor(owning: try MemoryFile.make("test", []))
        expectEqual(MemoryFile.bytes(of: empty.raw, maximum: 0), [])
    }

    @Test func `More than is allowed is nothing`() throws {
        let file = FileDescriptor(owning: try MemoryFile.make("test", [1, 2, 3]))
        expectEqual(MemoryFile.bytes(of: file.raw, maximum: 3), [1, 2, 3])
        #expect(MemoryFile.bytes(of: file.raw, maximum: 2) == nil)
    }

    @Test func `What cannot be read is nothing`() throws {
        #expect(MemoryFile.bytes(of: 60_000, maximum: 10) == nil)
        let file = FileDescriptor(owning: try MemoryFile.make("test", [1]))
        let unreadable = FileDescriptor(
            owning: open("/proc/self/fd/\(file.raw)", O_WRONLY | O_CLOEXEC))
        #expect(unreadable.raw >= 0)
        #expect(MemoryFile.bytes(of: unreadable.raw, maximum: 10) == nil)
    }

    @Test func `A name that the kernel refuses is an error`() {
        #expect(throws: SystemError(call: "memfd_create", number: EINVAL)) {
            _ = try MemoryFile.make(String(repeating: "n", count: 300), [])
        }
    }
}
