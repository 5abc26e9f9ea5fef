/// Immutable bytes at an address that stays the same for their whole life.
///
/// The send path hands out pointers into them: TLS reads the body from where the snapshot put it,
/// and nghttp2 refers to field names and values without copying. A Swift array promises no stable
/// address.
package final class PinnedBytes: Sendable {
    // The memory is written once, before init returns, and freed in deinit: between the two it is
    // only read, from any thread.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    package init(_ source: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: source.count, alignment: 16)
        memory.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit {
        UnsafeMutableRawBufferPointer(mutating: bytes).deallocate()
    }

    package var count: Int { bytes.count }
}
