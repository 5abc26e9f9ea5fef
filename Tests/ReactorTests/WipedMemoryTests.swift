import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct WipedMemoryTests {
    @Test func isZeroAtFirstAndKeepsWhatIsWritten() throws {
        let memory = try #require(WipedMemory(byteCount: 10_000))
        expectEqual(memory.bytes.count, 10_000)
        #expect(memory.bytes.allSatisfy { $0 == 0 })
        memory.bytes[9_999] = 7
        expectEqual(memory.bytes[9_999], 7)
        #expect(WipedMemory(byteCount: 0) == nil)
    }

    /// The child looks and ends; it calls nothing that a thread of the parent may have locked.
    @Test func aChildFindsZeros() throws {
        let memory = try #require(WipedMemory(byteCount: 8192))
        memory.bytes[0] = 1
        memory.bytes[8191] = 1
        let bytes = memory.bytes
        // Swift hides fork(2), as little may be done behind it.
        let found = dlsym(nil, "fork")
        let fork = unsafeBitCast(try #require(found), to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 { _exit(bytes[0] == 0 && bytes[8191] == 0 ? 0 : 1) }
        var status: Int32 = -1
        expectEqual(waitpid(child, &status, 0), child)
        expectEqual(status, 0)
        #expect(memory.bytes[0] == 1 && memory.bytes[8191] == 1)
    }
}
