import CNGHTTP2

/// Memory for the nghttp2 sessions of one worker: a freed block is reused for the next request of
/// its size.
///
/// nghttp2 allocates about ten blocks for a request and frees them after the answer. malloc and
/// free need some 230 instructions for such a pair, this pool 40: together a twentieth of the
/// cost of an HTTP/2 request (`Tests/Guards/run`). Belongs to one thread, like the sessions.
final class HTTP2BlockPool {
    /// Sizes are rounded up to a multiple of this many bytes.
    private static let granule = 64
    /// Larger blocks (hash tables, a whole header list) are rare and are not kept.
    static let largestKept = 1024
    /// Unused bytes that are kept: what a hundred connections with an open request free.
    static let keptBytesMaximum = 1 << 20
    /// A header in front of each block holds its size; 16 bytes keep the alignment of `malloc`.
    private static let headBytes = 16

    /// Heads of the free lists, by size; each free block holds the pointer to the next.
    private struct State {
        let lists: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var keptBytes = 0
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        let count = Self.largestKept / Self.granule + 1
        let lists = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: count)
        lists.initialize(repeating: nil, count: count)
        state = .allocate(capacity: 1)
        state.initialize(to: State(lists: lists))
    }

    /// No session uses the pool any more: each keeps a reference to it.
    deinit {
        for index in 0...(Self.largestKept / Self.granule) {
            while let block = state.pointee.lists[index] {
                state.pointee.lists[index] = block.load(as: UnsafeMutableRawPointer?.self)
                (block - Self.headBytes).deallocate()
            }
        }
        state.pointee.lists.deallocate()
        state.deallocate()
    }

    /// Bytes in unused blocks.
    var keptBytes: Int { state.pointee.keptBytes }

    /// The allocator for nghttp2; a session copies the struct.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: state,
            malloc: { size, pool in HTTP2BlockPool.take(size, pool) },
            free: { block, pool in HTTP2BlockPool.giveBack(block, pool) },
            calloc: { count, size, pool in
                let (bytes, overflows) = count.multipliedReportingOverflow(by: size)
                guard !overflows, let block = HTTP2BlockPool.take(bytes, pool) else { return nil }
                block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
                return block
            },
            realloc: { block, size, pool in HTTP2BlockPool.resize(block, size, pool) })
    }

    private static func take(
        _ size: Int, _ context: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let state = context?.assumingMemoryBound(to: State.self), size >= 0 else {
            return nil
        }
        let index = (size &+ granule &- 1) / granule
        guard size <= largestKept else { return fresh(size) }
        guard let block = state.pointee.lists[index] else { return fresh(index &* granule) }
        state.pointee.lists[index] = block.load(as: UnsafeMutableRawPointer?.self)
        state.pointee.keptBytes &-= index &* granule
        return block
    }

    private static func fresh(_ size: Int) -> UnsafeMutableRawPointer? {
        let capacity = max(size, granule)
        guard capacity <= Int.max - headBytes else { return nil }
        let head = UnsafeMutableRawPointer.allocate(
            byteCount: headBytes + capacity, alignment: headBytes)
        head.storeBytes(of: capacity, as: Int.self)
        return head + headBytes
    }

    private static func capacity(of block: UnsafeMutableRawPointer) -> Int {
        (block - headBytes).load(as: Int.self)
    }

    private static func giveBack(
        _ block: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
    ) {
        guard let block, let state = context?.assumingMemoryBound(to: State.self) else { return }
        let capacity = capacity(of: block)
        guard capacity <= largestKept,
            state.pointee.keptBytes &+ capacity <= keptBytesMaximum
        else { return (block - headBytes).deallocate() }
        let index = capacity / granule
        block.storeBytes(of: state.pointee.lists[index], as: UnsafeMutableRawPointer?.self)
        state.pointee.lists[index] = block
        state.pointee.keptBytes &+= capacity
    }

    private static func resize(
        _ block: UnsafeMutableRawPointer?, _ size: Int, _ context: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let block else { return take(size, context) }
        let capacity = capacity(of: block)
        if size <= capacity { return block }
        guard let larger = take(size, context) else { return nil }
        larger.copyMemory(from: block, byteCount: capacity)
        giveBack(block, context)
        return larger
    }
}
