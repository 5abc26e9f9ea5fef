import CNGHTTP2
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP2BlockPoolTests {
    private let pool = HTTP2BlockPool()
    private let memory: nghttp2_mem

    init() { memory = pool.functions }

    private func take(_ size: Int) throws -> UnsafeMutableRawPointer {
        let block = try #require(memory.malloc(size, memory.mem_user_data))
        // All of it is there: the sanitizer watches.
        block.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size)
        return block
    }

    private func giveBack(_ block: UnsafeMutableRawPointer?) {
        memory.free(block, memory.mem_user_data)
    }

    @Test func `A block that was given back serves the next request for one of its size`() throws {
        for size in [0, 1, 63, 64, 65, 500, 1023, 1024] {
            let block = try take(size)
            giveBack(block)
            try expectEqual(take(max(size, 1)), block, "\(size) bytes")
            giveBack(block)
        }
        let small = try take(64)
        giveBack(small)
        #expect(try take(65) != small, "it holds 64 bytes")
    }

    @Test(arguments: [1, 64, 1024, 1025, 100_000])
    func `Blocks are aligned as malloc's are`(size: Int) throws {
        let block = try take(size)
        expectEqual(UInt(bitPattern: block) % 16, 0)
        giveBack(block)
    }

    @Test func `Large blocks are not kept, and neither is more than the bound`() throws {
        giveBack(try take(HTTP2BlockPool.largestKept + 1))
        expectEqual(pool.keptBytes, 0)
        let count = 2 * HTTP2BlockPool.keptBytesMaximum / HTTP2BlockPool.largestKept
        let blocks = try (0..<count).map { _ in try take(HTTP2BlockPool.largestKept) }
        for block in blocks { giveBack(block) }
        expectEqual(pool.keptBytes, HTTP2BlockPool.keptBytesMaximum)
        let again = try (0..<count).map { _ in try take(HTTP2BlockPool.largestKept) }
        expectEqual(Set(again).count, count, "no block serves two")
        expectEqual(pool.keptBytes, 0)
        for block in again { giveBack(block) }
    }

    @Test func `What grows keeps its bytes, also over the border of what is kept`() throws {
        var block: UnsafeMutableRawPointer?
        for size in [10, 64, 65, 1000, 1024, 1025, 5000, 200_000] {
            let before = block.map { $0.load(as: UInt64.self) }
            block = memory.realloc(block, size, memory.mem_user_data)
            let grown = try #require(block)
            if let before { expectEqual(grown.load(as: UInt64.self), before) }
            UnsafeMutableRawBufferPointer(start: grown, count: size).storeBytes(
                of: UInt64(size), as: UInt64.self)
            (grown + size - 1).storeBytes(of: UInt8(truncatingIfNeeded: size), as: UInt8.self)
        }
        giveBack(block)
        giveBack(nil)
    }

    @Test func `Cleared memory is clear though its block was used; what overflows is refused`()
        throws
    {
        giveBack(try take(128))
        let block = try #require(memory.calloc(16, 8, memory.mem_user_data))
        let bytes = UnsafeRawBufferPointer(start: block, count: 128)
        #expect(bytes.allSatisfy { $0 == 0 })
        giveBack(block)
        #expect(memory.calloc(Int.max, 2, memory.mem_user_data) == nil)
    }
}
